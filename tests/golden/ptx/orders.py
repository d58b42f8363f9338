# oldest: sm_60
# From sm_70 on atomics, loads, stores and fences have an order and a scope; float min and max exchange between fences.
#: sm 80
#: contains .version 7.0
#: contains atom.acquire.sys.global.add.u32
#: contains atom.release.cta.shared.add.u64
#: contains atom.acq_rel.gpu.global.exch.b32
#: contains fence.sc.gpu
#: contains atom.relaxed.sys.global.cas.b64
#: contains atom.relaxed.cta.global.add.f32
#: contains ld.acquire.gpu.global.b32
#: contains st.release.sys.global.b32
#: contains ld.relaxed.cta.global.b64
#: contains fence.acq_rel.sys
#: contains fence.acq_rel.cta
#: lacks ld.global.nc
from lanewise import gpu
import numpy as np


@gpu.jit("void(int32[::1], int64[::1], float32[::1], float64[::1])")
def orders(a, b, f, out):
    t = gpu.threadIdx.x
    s = gpu.shared.array(4, np.int64)
    out[0] = gpu.atomic.add(a, 0, 1, order="acquire", scope="system")
    out[1] = gpu.atomic.add(s, 0, 1, order="release", scope="block")
    out[2] = gpu.atomic.exch(a, 1, t, order="acq_rel")
    out[3] = gpu.atomic.sub(a, 2, t, order="seq_cst")
    out[4] = gpu.atomic.cas(b, 0, 1, 2, scope="system")
    out[5] = gpu.atomic.add(f, 0, 1.5, scope="block")
    out[6] = gpu.atomic.max(f, 1, 1.5, order="acq_rel", scope="system")
    out[7] = gpu.atomic.load(a, t, order="acquire") + gpu.atomic.load(b, t, scope="block")
    gpu.atomic.store(a, t, 1, order="release", scope="system")
    gpu.atomic.fence("acq_rel", "block")
    gpu.atomic.fence(order="acquire", scope="system")
    gpu.atomic.fence()
    out[8] = f[t]
