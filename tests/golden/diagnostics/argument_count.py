import math

from lanewise import gpu


@gpu.jit(device=True)
def add(a, b):
    return a + b


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = math.sin()
    out[1] = math.atan2(1.0)
    out[2] = add(1, 2, 3)
    out[3] = max(1)
    tile = gpu.shared.array(16)
    for i in range():
        pass

#= argument_count.py:13:14: error: `math.sin` wants 1 argument, not 0 [argument-count]
#=    13 |     out[0] = math.sin()
#=       |              ^~~~~~~~~~
#= argument_count.py:14:14: error: `math.atan2` wants 2 arguments, not 1 [argument-count]
#=    14 |     out[1] = math.atan2(1.0)
#=       |              ^~~~~~~~~~~~~~~
#= argument_count.py:15:14: error: `add` wants 2 arguments, not 3 [argument-count]
#=    15 |     out[2] = add(1, 2, 3)
#=       |              ^~~~~~~~~~~~
#= argument_count.py:7:5: note: defined here
#=     7 | def add(a, b):
#=       |     ^~~
#= argument_count.py:16:14: error: `max` wants 2 or more arguments, not 1 [argument-count]
#=    16 |     out[3] = max(1)
#=       |              ^~~~~~
#= argument_count.py:17:12: error: `gpu.shared.array` wants a shape and a dtype, not 1 [argument-count]
#=    17 |     tile = gpu.shared.array(16)
#=       |            ^~~~~~~~~~~~~~~~~~~~
#= hint: for example `gpu.shared.array((16, 16), np.float32)`
#= argument_count.py:18:14: error: `range` wants 1 to 3 arguments, not 0 [argument-count]
#=    18 |     for i in range():
#=       |              ^~~~~~~
