# Blocks of a cluster meet and know their places; pure reads of registers are shared.
# oldest: sm_90
#: sm 90
#: contains .version 7.8
#: contains barrier.cluster.arrive; barrier.cluster.wait;
#: count 1 %cluster_ctarank;
#: contains %cluster_nctaid.z;
#: contains %cluster_ctaid.x;
from lanewise import gpu


@gpu.jit("void(int32[::1])")
def clusters(out):
    cluster = gpu.cg.this_cluster()
    cluster.sync()
    x, y, z = cluster.block_index()
    width, height, depth = cluster.dim_blocks()
    cluster.barrier_arrive()
    out[cluster.block_rank() + cluster.block_rank()] = x + y + z + width + height + depth
    cluster.barrier_wait()
    out[cluster.thread_rank()] = cluster.num_threads() + cluster.num_blocks()
