from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = n + \ 1

#= line_continuation.py:6:16: error: `\` joins lines only as the last character of one [line-continuation]
#=     6 |     x[0] = n + \ 1
#=       |                ^
