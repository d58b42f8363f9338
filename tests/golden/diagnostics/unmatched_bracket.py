from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = n + 1)

#= unmatched_bracket.py:6:17: error: `)` closes no open bracket [unmatched-bracket]
#=     6 |     x[0] = n + 1)
#=       |                 ^
