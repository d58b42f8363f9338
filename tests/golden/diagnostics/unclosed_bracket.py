from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = (n + 1
    x[1] = 2

#= unclosed_bracket.py:6:12: error: `(` is never closed [unclosed-bracket]
#=     6 |     x[0] = (n + 1
#=       |            ^
