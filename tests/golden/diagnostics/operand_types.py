import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[::1], float32, int64)")
def k(out, x, n):
    out[0] = x & n
    y = x * 2
    out[1] = y << 1
    out[2] = "a" + n
    out[3] = (1, 2) * x
    out[4] = x is n

#= operand_types.py:8:16: error: `&` does not work on float32 and int64 [operand-types]
#=     8 |     out[0] = x & n
#=       |                ^
#= operand_types.py:7:12: note: `x` is float32: the type of this argument
#=     7 | def k(out, x, n):
#=       |            ^
#= operand_types.py:7:15: note: `n` is int64: the type of this argument
#=     7 | def k(out, x, n):
#=       |               ^
#= hint: convert with `int(x)`, or a cast such as `np.uint32(x)`
#= operand_types.py:10:16: error: `<<` does not work on float32 and int [operand-types]
#=    10 |     out[1] = y << 1
#=       |                ^~
#= operand_types.py:9:5: note: `y` became float32 here
#=     9 |     y = x * 2
#=       |     ^
#= hint: convert with `int(x)`, or a cast such as `np.uint32(x)`
#= operand_types.py:11:18: error: `+` does not work on a string and int64 [operand-types]
#=    11 |     out[2] = "a" + n
#=       |                  ^
#= operand_types.py:7:15: note: `n` is int64: the type of this argument
#=     7 | def k(out, x, n):
#=       |               ^
#= hint: texts are constants; f-strings in `print`, `assert` and `raise` put values into them
#= operand_types.py:12:21: error: `*` does not work on (int, int) and float32 [operand-types]
#=    12 |     out[3] = (1, 2) * x
#=       |                     ^
#= operand_types.py:7:12: note: `x` is float32: the type of this argument
#=     7 | def k(out, x, n):
#=       |            ^
#= operand_types.py:13:14: error: `is` does not work on float32 and int64 [operand-types]
#=    13 |     out[4] = x is n
#=       |              ^~~~~~
#= operand_types.py:7:12: note: `x` is float32: the type of this argument
#=     7 | def k(out, x, n):
#=       |            ^
#= operand_types.py:7:15: note: `n` is int64: the type of this argument
#=     7 | def k(out, x, n):
#=       |               ^
#= hint: `is` tests for None only; numbers are compared with `==`
