import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    i = gpu.grid(4)
    j = gpu.grid(n)
    tile = gpu.shared.array(16, n)
    out[0] = abs("x")
    gpu.atomic.add(out[0], 0, 1)
    out[1] = len(n)

#= argument_type.py:8:18: error: `gpu.grid`: the number of dimensions must be 1, 2 or 3, not 4 [argument-type]
#=     8 |     i = gpu.grid(4)
#=       |                  ^
#= argument_type.py:9:18: error: `gpu.grid`: the number of dimensions must be 1, 2 or 3, not a variable [argument-type]
#=     9 |     j = gpu.grid(n)
#=       |                  ^
#= argument_type.py:10:33: error: `gpu.shared.array`: the dtype must be a type such as np.float32, not int64 [argument-type]
#=    10 |     tile = gpu.shared.array(16, n)
#=       |                                 ^
#= argument_type.py:11:18: error: `abs`: argument 1 must be a number, not a string [argument-type]
#=    11 |     out[0] = abs("x")
#=       |                  ^~~
#= argument_type.py:12:20: error: `gpu.atomic.add`: argument 1 must be an array, not float32 [argument-type]
#=    12 |     gpu.atomic.add(out[0], 0, 1)
#=       |                    ^~~~~~
#= hint: pass the array and the index apart: `gpu.atomic.add(a, i, value)`
#= argument_type.py:13:18: error: `len`: argument 1 must be an array or a tuple, not int64 [argument-type]
#=    13 |     out[1] = len(n)
#=       |                  ^
#= argument_type.py:7:12: note: `n` is int64: the type of this argument
#=     7 | def k(out, n):
#=       |            ^
