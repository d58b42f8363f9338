from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = max(a=1, n)
    x[1] = max(a=1, a=2)

#= invalid_arguments.py:6:21: error: a positional argument follows a keyword argument [invalid-arguments]
#=     6 |     x[0] = max(a=1, n)
#=       |                     ^
#= invalid_arguments.py:6:16: note: the keyword argument
#=     6 |     x[0] = max(a=1, n)
#=       |                ^
#= invalid_arguments.py:7:21: error: argument `a` is given twice [invalid-arguments]
#=     7 |     x[1] = max(a=1, a=2)
#=       |                     ^
