from lanewise import gpu

TABLE = (1, (2, 3), 4)


@gpu.jit("void(int64[::1], int64)")
def k(out, i):
    out[0] = TABLE[i]
