from lanewise import gpu


@gpu.jit("void(float32[::1], uint16[::1])")
def k(out, narrow):
    gpu.shfl_sync(0xFFFFFFFF, out[0], 1.5)
    gpu.ballot_sync(1.5, True)
    gpu.reduce_add_sync(0xFFFFFFFF, out[0])
    gpu.popc(out[0])
    out[0].bit_count()
    gpu.ldcg(out[0], 1)
    gpu.stcg(out, (0, 1), 2.0)
    gpu.atomic.inc(out, 0, 1)
    gpu.atomic.max(narrow, 0, 1)
    gpu.syncwarp(1, 2)
    gpu.syncthreads_count()
    gpu.cg.this_grid().sync()
