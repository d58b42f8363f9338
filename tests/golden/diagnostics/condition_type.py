from lanewise import gpu


@gpu.jit("void(float32[::1], float32[::1])")
def k(out, x):
    if x:
        out[0] = 1
    while k:
        out[1] = 2

#= condition_type.py:6:8: error: float32[::1] is neither true nor false [condition-type]
#=     6 |     if x:
#=       |        ^
#= condition_type.py:5:12: note: `x` is float32[::1]: the type of this argument
#=     5 | def k(out, x):
#=       |            ^
#= hint: `(...).any()` or `.all()` says it of all elements; `a.size > 0` of the size
#= condition_type.py:8:11: error: the function `k` is neither true nor false [condition-type]
#=     8 |     while k:
#=       |           ^
