from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = (n + 1]

#= mismatched_bracket.py:6:18: error: `]` does not close `(` [mismatched-bracket]
#=     6 |     x[0] = (n + 1]
#=       |                  ^
#= mismatched_bracket.py:6:12: note: opened here
#=     6 |     x[0] = (n + 1]
#=       |            ^
