# What codegen makes before LLVM's own passes.
#: target host
#: contains fmul contract float
#: contains fadd contract float
#: lacks call void @llvm.trap
from lanewise import gpu


@gpu.jit("void(float32, float32[::1], float32[::1])")
def saxpy(a, x, y):
    i = gpu.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]
