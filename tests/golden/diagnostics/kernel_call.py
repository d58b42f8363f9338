from lanewise import gpu


@gpu.jit("void(float32[::1])")
def first(out):
    out[0] = 1


@gpu.jit("void(float32[::1])")
def k(out):
    first(out)

#= kernel_call.py:11:5: error: `first` is a kernel, which other functions cannot call [kernel-call]
#=    11 |     first(out)
#=       |     ^~~~~~~~~~
#= hint: decorate it with `@gpu.jit(device=True)` to call it from kernels
