import math

from lanewise import gpu


@gpu.jit(device=True)
def scale(x, factor=2.0):
    return x * factor


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = scale(1.0, facter=3.0)
    out[1] = scale(1.0, x=3.0)
    out[2] = math.sin(x=1.0)

#= unknown_keyword.py:13:32: error: `scale` has no use for the keyword argument `facter` [unknown-keyword]
#=    13 |     out[0] = scale(1.0, facter=3.0)
#=       |                                ^~~
#= hint: did you mean `factor`?
#= unknown_keyword.py:14:27: error: `scale` has no use for the keyword argument `x` [unknown-keyword]
#=    14 |     out[1] = scale(1.0, x=3.0)
#=       |                           ^~~
#= hint: it was given already
#= unknown_keyword.py:15:25: error: `math.sin` has no use for the keyword argument `x` [unknown-keyword]
#=    15 |     out[2] = math.sin(x=1.0)
#=       |                         ^~~
