# The methods of gpu.cg.this_grid(), but for sync(): under the names that CUDA's cooperative groups have.
from lanewise import gpu


@gpu.jit(device=True)
def thread_rank():
    threads = gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z
    block = gpu.blockIdx.x + gpu.gridDim.x * (gpu.blockIdx.y + gpu.gridDim.y * gpu.blockIdx.z)
    return block * threads + gpu.threadIdx.x + gpu.blockDim.x * (gpu.threadIdx.y + gpu.blockDim.y * gpu.threadIdx.z)


@gpu.jit(device=True)
def num_threads():
    blocks = gpu.gridDim.x * gpu.gridDim.y * gpu.gridDim.z
    return blocks * (gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z)


@gpu.jit(device=True)
def size():
    blocks = gpu.gridDim.x * gpu.gridDim.y * gpu.gridDim.z
    return blocks * (gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z)


@gpu.jit(device=True)
def block_rank():
    return gpu.blockIdx.x + gpu.gridDim.x * (gpu.blockIdx.y + gpu.gridDim.y * gpu.blockIdx.z)


@gpu.jit(device=True)
def num_blocks():
    return gpu.gridDim.x * gpu.gridDim.y * gpu.gridDim.z


@gpu.jit(device=True)
def is_valid():
    return True
