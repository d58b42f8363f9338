# oldest: sm_80
# Clocks are read where they stand; inline PTX has its operands in registers of their types.
#: sm 80
#: contains .version 7.8
#: contains %clock;
#: contains %clock64;
#: contains %globaltimer;
#: contains %smid;
#: contains %nsmid;
#: contains %warpid;
#: contains brkpt;
#: contains lop3.b32
#: contains { .reg .pred p;
#: contains mov.b64 {%r
#: contains cvt.rn.f16.f32
#: count 2 mul.hi.u32
#: count 1 mul24.hi.u32
#: lacks mul24.lo.u32
from lanewise import gpu
import numpy as np


@gpu.jit("void(uint32[::1], int64[::1], float32[::1], float16[::1])")
def machine(a, out, f, h):
    t = gpu.threadIdx.x
    t0, t1 = gpu.clock(), gpu.clock64()
    x = gpu.inline_ptx("lop3.b32 %0, %1, %2, %1, 0x96;", gpu.uint32, a[t], a[t + 1])
    y = gpu.inline_ptx("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }", gpu.int32, x, a[t])
    low, high = gpu.inline_ptx("mov.b64 {%0, %1}, %2;", (gpu.uint32, gpu.uint32), np.int64(t))
    # Neither dropped nor merged, as long as nobody says that they are pure.
    gpu.inline_ptx("mul.hi.u32 %0, %1, %1;", gpu.uint32, x)
    gpu.inline_ptx("mul.hi.u32 %0, %1, %1;", gpu.uint32, x)
    p = gpu.inline_ptx("mul24.hi.u32 %0, %1, %1;", gpu.uint32, x, pure=True)
    q = gpu.inline_ptx("mul24.hi.u32 %0, %1, %1;", gpu.uint32, x, pure=True)
    gpu.inline_ptx("mul24.lo.u32 %0, %1, %1;", gpu.uint32, x, pure=True)
    h[t] = gpu.inline_ptx("cvt.rn.f16.f32 %0, %1;", gpu.float16, f[t], version=78)
    out[t] = x + y + low + high + p + q + gpu.smid() + gpu.nsmid() + gpu.warpid()
    gpu.breakpoint()
    out[t + 1] = gpu.clock() - t0 + (gpu.clock64() - t1) + gpu.globaltimer()
