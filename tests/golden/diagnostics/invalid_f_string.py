from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = f"{}"
    x[1] = f"n}"

#= invalid_f_string.py:6:14: error: an expression is missing between the braces [invalid-f-string]
#=     6 |     x[0] = f"{}"
#=       |              ^~
#= invalid_f_string.py:7:15: error: a single `}` in an f-string is written `}}` [invalid-f-string]
#=     7 |     x[1] = f"n}"
#=       |               ^
