from lanewise import gpu


@gpu.jit(device=True)
def scale(x, factor=undefined_here()):
    return x * factor


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = scale(1.0)

#= default_not_constant.py:5:21: error: the default of `factor` is not a constant that kernels can use [default-not-constant]
#=     5 | def scale(x, factor=undefined_here()):
#=       |                     ^~~~~~~~~~~~~~~~
#= default_not_constant.py:11:14: note: called here
#=    11 |     out[0] = scale(1.0)
#=       |              ^~~~~~~~~~
#= hint: pass the argument, or make the default a constant
