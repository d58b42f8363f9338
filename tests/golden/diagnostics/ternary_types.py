from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    y = out if n > 1 else 0
    out[0] = y

#= ternary_types.py:6:9: error: the two values do not have a common type: float32[::1] and int [ternary-types]
#=     6 |     y = out if n > 1 else 0
#=       |         ^~~~~~~~~~~~~~~~~~~
#= ternary_types.py:6:9: note: this is float32[::1]
#=     6 |     y = out if n > 1 else 0
#=       |         ^~~
#= ternary_types.py:6:27: note: this is int
#=     6 |     y = out if n > 1 else 0
#=       |                           ^
