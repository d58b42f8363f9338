# The methods of gpu.cg.this_cluster(), under the names that CUDA's cooperative groups have. CUDA only, sm_90 and newer.
from lanewise import gpu


@gpu.jit(device=True)
def _register(move):
    return gpu.inline_ptx(move, gpu.int32, pure=True, version=78, sm=90)


@gpu.jit(device=True)
def sync():
    gpu.inline_ptx("barrier.cluster.arrive; barrier.cluster.wait;", None, version=78, sm=90)


@gpu.jit(device=True)
def barrier_arrive():
    gpu.inline_ptx("barrier.cluster.arrive;", None, version=78, sm=90)


@gpu.jit(device=True)
def barrier_wait():
    gpu.inline_ptx("barrier.cluster.wait;", None, version=78, sm=90)


@gpu.jit(device=True)
def block_rank():
    return _register("mov.u32 %0, %%cluster_ctarank;")


@gpu.jit(device=True)
def num_blocks():
    return _register("mov.u32 %0, %%cluster_nctarank;")


@gpu.jit(device=True)
def block_index():
    x = _register("mov.u32 %0, %%cluster_ctaid.x;")
    y = _register("mov.u32 %0, %%cluster_ctaid.y;")
    z = _register("mov.u32 %0, %%cluster_ctaid.z;")
    return x, y, z


@gpu.jit(device=True)
def dim_blocks():
    x = _register("mov.u32 %0, %%cluster_nctaid.x;")
    y = _register("mov.u32 %0, %%cluster_nctaid.y;")
    z = _register("mov.u32 %0, %%cluster_nctaid.z;")
    return x, y, z


@gpu.jit(device=True)
def thread_rank():
    block = _register("mov.u32 %0, %%cluster_ctarank;")
    threads = gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z
    return block * threads + gpu.threadIdx.x + gpu.blockDim.x * (gpu.threadIdx.y + gpu.blockDim.y * gpu.threadIdx.z)


@gpu.jit(device=True)
def num_threads():
    blocks = _register("mov.u32 %0, %%cluster_nctarank;")
    return blocks * (gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z)
