# Inline PTX: what its text and its operands may be.
from lanewise import gpu

text = "mov.u32 %0, %%laneid;"


@gpu.jit
def k(out: gpu.int32[::1], b: gpu.int8, n: int):
    out[0] = gpu.inline_ptx("mov.u32 %0, %laneid;", gpu.int32)
    out[1] = gpu.inline_ptx("add.s32 %0, %1, %3;", gpu.int32, out[0], out[1])
    out[2] = gpu.inline_ptx("add.s32 %0, %1, 1;", gpu.int32, out[0], out[1])
    out[3] = gpu.inline_ptx("mov.u32 %0, %1;", gpu.int32, n)
    out[4] = gpu.inline_ptx("mov.u32 %0, %1;", gpu.int32, b)
    out[5] = gpu.inline_ptx("mov.u32 %0, 1;", gpu.int8)
    out[6] = gpu.inline_ptx(text, "int")
    out[7] = gpu.inline_ptx(n, gpu.int32)
    out[8] = gpu.inline_ptx("", None)
    out[9] = gpu.inline_ptx(text, gpu.int32, volatile=True)
    out[10] = gpu.inline_ptx(text, gpu.int32, version=7.8)
    out[11] = gpu.inline_ptx(text)

#= inline_ptx.py:9:29: error: inline PTX: `%laneid` names no operand; a register of the machine is written `%%laneid` [inline-ptx]
#=     9 |     out[0] = gpu.inline_ptx("mov.u32 %0, %laneid;", gpu.int32)
#=       |                             ^~~~~~~~~~~~~~~~~~~~~~
#= hint: `%0`, `%1`, ... are the results and then the operands, in their order
#= inline_ptx.py:10:29: error: inline PTX: `%3` is beyond the 3 results and operands [inline-ptx]
#=    10 |     out[1] = gpu.inline_ptx("add.s32 %0, %1, %3;", gpu.int32, out[0], out[1])
#=       |                             ^~~~~~~~~~~~~~~~~~~~~
#= hint: `%0`, `%1`, ... are the results and then the operands, in their order
#= inline_ptx.py:11:29: error: inline PTX: `%2` is not in the text [inline-ptx]
#=    11 |     out[2] = gpu.inline_ptx("add.s32 %0, %1, 1;", gpu.int32, out[0], out[1])
#=       |                             ^~~~~~~~~~~~~~~~~~~~
#= hint: `%0`, `%1`, ... are the results and then the operands, in their order
#= inline_ptx.py:12:59: error: `gpu.inline_ptx`: argument 3 must be a typed number of 16, 32 or 64 bits, or an array, not int [argument-type]
#=    12 |     out[3] = gpu.inline_ptx("mov.u32 %0, %1;", gpu.int32, n)
#=       |                                                           ^
#= inline_ptx.py:8:41: note: `n` is int: the type of this argument
#=     8 | def k(out: gpu.int32[::1], b: gpu.int8, n: int):
#=       |                                         ^
#= hint: say which: `gpu.int32(n)`
#= inline_ptx.py:13:59: error: `gpu.inline_ptx`: argument 3 must be a typed number of 16, 32 or 64 bits, or an array, not int8 [argument-type]
#=    13 |     out[4] = gpu.inline_ptx("mov.u32 %0, %1;", gpu.int32, b)
#=       |                                                           ^
#= inline_ptx.py:8:28: note: `b` is int8: the type of this argument
#=     8 | def k(out: gpu.int32[::1], b: gpu.int8, n: int):
#=       |                            ^
#= hint: say which: `gpu.int32(b)`
#= inline_ptx.py:14:47: error: `gpu.inline_ptx`: argument 2 must be `None`, a type of 16, 32 or 64 bits such as gpu.uint32, or a tuple of these, not the type int8 [argument-type]
#=    14 |     out[5] = gpu.inline_ptx("mov.u32 %0, 1;", gpu.int8)
#=       |                                               ^~~~~~~~
#= inline_ptx.py:16:29: error: `gpu.inline_ptx`: argument 1 must be the text of the instructions, not int [argument-type]
#=    16 |     out[7] = gpu.inline_ptx(n, gpu.int32)
#=       |                             ^
#= inline_ptx.py:17:29: error: inline PTX: the text is empty [inline-ptx]
#=    17 |     out[8] = gpu.inline_ptx("", None)
#=       |                             ^~
#= hint: `%0`, `%1`, ... are the results and then the operands, in their order
#= inline_ptx.py:18:55: error: `gpu.inline_ptx` has no use for the keyword argument `volatile` [unknown-keyword]
#=    18 |     out[9] = gpu.inline_ptx(text, gpu.int32, volatile=True)
#=       |                                                       ^~~~
#= inline_ptx.py:19:55: error: `gpu.inline_ptx`: `version` must be ten times the version of PTX that the text needs, as 78 for 7.8, not float [argument-type]
#=    19 |     out[10] = gpu.inline_ptx(text, gpu.int32, version=7.8)
#=       |                                                       ^~~
#= inline_ptx.py:20:15: error: `gpu.inline_ptx` wants 2 or more arguments, not 1 [argument-count]
#=    20 |     out[11] = gpu.inline_ptx(text)
#=       |               ^~~~~~~~~~~~~~~~~~~~
