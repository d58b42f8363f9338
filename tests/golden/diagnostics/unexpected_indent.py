from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = 1
        x[1] = 2

#= unexpected_indent.py:7:9: error: unexpected indentation [unexpected-indent]
#=     7 |         x[1] = 2
#=       |         ^
