#: define TILE=sixteen words
#: define 3D=1
from lanewise import gpu


@gpu.jit("void(float32[:])")
def k(x):
    x[0] = TILE

#= <constants>:1:1: error: `TILE=sixteen words` is not the text of a constant [bad-constant]
#=     1 | TILE=sixteen words
#=       | ^~~~~~~~~~~~~~~~~~
#= hint: write NAME=value with a number, a bool, a tuple of these or a cast such as np.float32(3)
#= <constants>:1:1: error: `3D=1` is not the text of a constant [bad-constant]
#=     1 | 3D=1
#=       | ^~~~
#= hint: write NAME=value with a number, a bool, a tuple of these or a cast such as np.float32(3)
#= bad_constant.py:8:12: error: name `TILE` is not defined [unknown-name]
#=     8 |     x[0] = TILE
#=       |            ^~~~
