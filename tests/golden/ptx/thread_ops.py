# Everything that threads do together, on every architecture: shuffles, votes, matches, reductions, barriers, fences.
#: sm 90
#: contains shfl.sync.down.b32
#: contains match.any.sync.b64
#: contains redux.sync.add.s32
#: contains vote.sync.ballot.b32
#: contains bar.warp.sync
#: contains .red.popc
#: contains membar.gl
#: contains nanosleep.u32
#: contains atom.global.inc.u32
#: contains ld.global.cg.b32
#: contains st.global.wt.b64
from lanewise import gpu
import numpy as np


@gpu.jit("void(int32[::1], int64[::1], float64[::1], uint32[::1])")
def warps(narrow, wide, floats, out):
    t = gpu.threadIdx.x
    m = gpu.activemask()
    v = narrow[t]
    v += gpu.shfl_down_sync(m, v, 16)
    w = gpu.shfl_xor_sync(m, wide[t], v)
    f = gpu.shfl_up_sync(m, floats[t], 1) + gpu.shfl_sync(m, np.float32(v), 3)
    b = gpu.shfl_sync(m, v > 3, 2)
    lanes = gpu.match_any_sync(m, v) + gpu.match_any_sync(m, w)
    who, same = gpu.match_all_sync(m, f)
    if gpu.all_sync(m, b) or gpu.any_sync(m, same) or gpu.eq_sync(m, v < 2):
        lanes += gpu.ballot_sync(m, w > 0)
    gpu.syncwarp()
    v += gpu.reduce_add_sync(m, v) + gpu.reduce_min_sync(m, v) ^ gpu.reduce_xor_sync(m, v)
    w += gpu.reduce_max_sync(m, w) + gpu.reduce_and_sync(m, w) + gpu.reduce_or_sync(m, w)
    narrow[t] = v
    wide[t] = w
    floats[t] = f
    out[t] = lanes + who + gpu.lanemask_lt()


@gpu.jit("void(int32[::1], int64[::1])")
def barriers(out, wide):
    t = gpu.threadIdx.x
    n = gpu.syncthreads_count(t % 3 == 0) + gpu.syncthreads_and(t > 1) + gpu.syncthreads_or(t > 2)
    gpu.threadfence_block()
    gpu.threadfence()
    gpu.threadfence_system()
    gpu.nanosleep(40)
    out[t] = n + gpu.popc(n) + gpu.clz(n) + gpu.ffs(n) + gpu.brev(n) + gpu.ldcg(out, t + 1) + gpu.ldcv(out, t + 2)
    wide[t] = gpu.popc(wide[t]) + gpu.clz(wide[t]) + gpu.ffs(wide[t]) + gpu.brev(wide[t])
    gpu.stwt(wide, t + 1, gpu.ldcs(wide, t + 3))


@gpu.jit("void(uint32[::1], uint64[::1], float16[::1], float32[::1], float64[::1])")
def atomics(a, b, h, f, d):
    t = gpu.threadIdx.x
    gpu.atomic.inc(a, 0, 9)
    gpu.atomic.dec(b, 0, 9)
    gpu.atomic.add(h, 0, 1.0)
    gpu.atomic.max(h, 1, 1.0)
    gpu.atomic.cas(h, 2, 1.0, 2.0)
    gpu.atomic.exch(h, 3, 2.0)
    gpu.atomic.nanmin(f, 0, 1.0)
    gpu.atomic.add(d, 0, f[t])
    gpu.atomic.sub(d, 1, 1.0)
    gpu.atomic.min(b, 1, 7)
    gpu.atomic.and_(b, 2, 7)
