# What codegen makes before LLVM's own passes.
#: target ptx
#: contains define ptx_kernel void @saxpy(
#: contains fmul contract float
#: contains fadd contract float
#: contains llvm.nvvm.read.ptx.sreg.tid.x
#: lacks alloca
from lanewise import gpu


@gpu.jit("void(float32, float32[::1], float32[::1])")
def saxpy(a, x, y):
    i = gpu.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]
