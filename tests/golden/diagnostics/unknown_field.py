import numpy as np

from lanewise import gpu

PARTICLE = np.dtype([("pos", np.float32), ("n", np.int32), ("name", "S4")], align=True)


@gpu.jit("void(record(pos: float32, n: int32)[:], float32[:])")
def k(p, x):
    p[0].poss = 1
    x[0] = p["count"][1]
    x["pos"] = 1
    x[0].pos = 2
    p[0].n = p[1]
    t = gpu.local.array(2, PARTICLE)
    t[0] = p[0]
    t[0].name = 3
    t[0].name += "a"
    x[1] = t[0].name < "b"
    t[1] = (1, 2)

#= unknown_field.py:10:10: error: record(pos: float32, n: int32) has no field `poss` [unknown-field]
#=    10 |     p[0].poss = 1
#=       |          ^~~~
#= hint: did you mean `pos`?
#= unknown_field.py:11:14: error: record(pos: float32, n: int32) has no field `count` [unknown-field]
#=    11 |     x[0] = p["count"][1]
#=       |              ^~~~~~~
#= unknown_field.py:9:7: note: `p` is record(pos: float32, n: int32)[:]: the type of this argument
#=     9 | def k(p, x):
#=       |       ^
#= unknown_field.py:12:7: error: an index must be an integer, not a string [index-type]
#=    12 |     x["pos"] = 1
#=       |       ^~~~~
#= unknown_field.py:9:10: note: `x` is float32[:]: the type of this argument
#=     9 | def k(p, x):
#=       |          ^
#= hint: only records have fields
#= unknown_field.py:13:10: error: not part of the kernel language: assigning to this attribute [not-in-language]
#=    13 |     x[0].pos = 2
#=       |          ^~~
#= hint: fields of records can be assigned to, and elements with `a[i] = x`
#= unknown_field.py:14:14: error: record(pos: float32, n: int32) cannot be stored in an element of type int32 [store-type]
#=    14 |     p[0].n = p[1]
#=       |              ^~~~
#= unknown_field.py:16:12: error: record(pos: float32, n: int32) cannot be stored in an element of type record(pos: float32, n: int32, name: S4) [store-type]
#=    16 |     t[0] = p[0]
#=       |            ^~~~
#= hint: records are of one type only if names, types and offsets agree: assign field by field
#= unknown_field.py:17:17: error: int cannot be stored in an element of type S4 [store-type]
#=    17 |     t[0].name = 3
#=       |                 ^
#= unknown_field.py:18:5: error: `+` does not work on local S4 and a string [operand-types]
#=    18 |     t[0].name += "a"
#=       |     ^~~~~~~~~~~~~~~~
#= hint: texts are constants; f-strings in `print`, `assert` and `raise` put values into them
#= unknown_field.py:19:12: error: `<` does not work on local S4 and a string [operand-types]
#=    19 |     x[1] = t[0].name < "b"
#=       |            ^~~~~~~~~~~~~~~
#= hint: texts are compared with `==` and `!=`, with each other or with a literal
#= unknown_field.py:20:12: error: (int, int) cannot be stored in an element of type record(pos: float32, n: int32, name: S4) [store-type]
#=    20 |     t[1] = (1, 2)
#=       |            ^~~~~~
