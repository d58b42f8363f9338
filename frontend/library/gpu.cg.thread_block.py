# The methods of gpu.cg.this_thread_block(), but for sync(): under the names that CUDA's cooperative groups have.
from lanewise import gpu


@gpu.jit(device=True)
def thread_rank():
    return gpu.threadIdx.x + gpu.blockDim.x * (gpu.threadIdx.y + gpu.blockDim.y * gpu.threadIdx.z)


@gpu.jit(device=True)
def num_threads():
    return gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z


@gpu.jit(device=True)
def size():
    return gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z
