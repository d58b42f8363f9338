# Inline PTX as asm statements, functions in CUDA C++ as declarations, a barrier for the grid with its counter.
#: sm 80
from lanewise import gpu
import numpy as np

twice = gpu.cuda_function("__device__ float twice(float x) { return x + x; }", "twice", "float32(float32)")


@gpu.jit("void(uint32[::1], float16[::1], float32[::1])")
def mixed(a, h, f):
    t = gpu.threadIdx.x
    a[t] = gpu.inline_ptx("lop3.b32 %0, %1, %2, %1, 0x96;", gpu.uint32, a[t], gpu.uint32(7), pure=True)
    low, high = gpu.inline_ptx("mov.b64 {%0, %1}, %2;", (gpu.uint32, gpu.uint32), np.int64(t))
    h[t] = gpu.inline_ptx("{ .reg .b16 x; mov.b16 x, %1; add.f16 %0, x, %1; }", gpu.float16, h[t], sm=53)
    gpu.inline_ptx("red.global.add.u32 [%0], %1;", None, a[t:], low + high)
    gpu.cg.this_grid().sync()
    f[t] = twice(f[t])

