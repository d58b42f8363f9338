# oldest: sm_60
# Before sm_70 fences stand before what releases and after what acquires.
#: sm 60
#: contains .version 5.0
#: contains atom.sys.global.add.u32
#: contains membar.gl
#: contains membar.sys
#: contains ld.volatile.global.b32
#: contains st.volatile.global.b32
#: lacks fence.
from lanewise import gpu


@gpu.jit("void(int32[::1], int64[::1])")
def orders(a, out):
    t = gpu.threadIdx.x
    out[0] = gpu.atomic.add(a, 0, 1, order="acquire", scope="system")
    out[1] = gpu.atomic.exch(a, 1, t, order="acq_rel")
    out[2] = gpu.atomic.load(a, t, order="acquire")
    gpu.atomic.store(a, t, 1, order="release")
    gpu.atomic.fence("acq_rel")
