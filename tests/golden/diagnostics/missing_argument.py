from lanewise import gpu


@gpu.jit(device=True)
def blend(a, b, t, gain=1.0):
    return (a + (b - a) * t) * gain


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = blend(1.0)

#= missing_argument.py:11:14: error: `blend` is called without `b` and `t` [missing-argument]
#=    11 |     out[0] = blend(1.0)
#=       |              ^~~~~~~~~~
#= missing_argument.py:5:5: note: defined here
#=     5 | def blend(a, b, t, gain=1.0):
#=       |     ^~~~~
