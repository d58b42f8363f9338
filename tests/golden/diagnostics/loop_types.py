import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    a = 0
    b = np.int32(1)
    for i in range(n):
        a, b = b, a
    out[0] = a

#= loop_types.py:10:5: error: the type of `a` changes from int64 to int32 in every turn of the loop [loop-types]
#=    10 |     for i in range(n):
#=       |     ^~~
#= loop_types.py:11:9: note: assigned here
#=    11 |         a, b = b, a
#=       |         ^
#= loop_types.py:11:9: note: assigned here
#=    11 |         a, b = b, a
#=       |         ^
#= hint: give `a` one type: convert what the loop assigns to it
