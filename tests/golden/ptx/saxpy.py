# A guarded element per thread: 32-bit index arithmetic, global loads, one fused multiply-add, no call, no stack.
#: sm 75
#: contains .version 6.3
#: contains .target sm_75
#: contains .visible .entry saxpy(
#: contains .param .f32 saxpy_param_0
#: contains mul.wide.u32
#: count 2 ld.global.b32
#: count 1 st.global.b32
#: contains fma.rn.f32
#: lacks cvta
#: lacks cvt.s64.s32
#: lacks .local
#: lacks call
from lanewise import gpu
from lanewise.gpu import float32


@gpu.jit
def saxpy(a: float32, x: float32[::1], y: float32[::1]):
    i = gpu.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]
