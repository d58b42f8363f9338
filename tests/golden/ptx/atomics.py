# Atomics on global and shared memory are one instruction each where the architecture has it.
#: sm 60
#: contains .version 5.0
#: contains atom.shared.add.u32
#: contains atom.global.add.f64
#: contains atom.global.max.s64
#: contains atom.gpu.global.cas.b32
from lanewise import gpu
from lanewise.gpu import float64, int32, int64, uint32


@gpu.jit
def k(x: int32[::1], f: float64[::1], m: int64[::1], out: uint32[::1], lock: int32[::1]):
    bins = gpu.shared.array(32, uint32)
    t = gpu.threadIdx.x
    bins[t] = uint32(0)
    gpu.syncthreads()
    gpu.atomic.add(bins, x[gpu.grid(1)] % 32, uint32(1))
    gpu.atomic.add(f, 0, 1.0)
    gpu.atomic.max(m, 0, gpu.grid(1))
    gpu.atomic.cas(lock, 0, int32(0), int32(1))
    gpu.syncthreads()
    out[t] = bins[t]
