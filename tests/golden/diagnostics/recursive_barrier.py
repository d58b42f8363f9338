from lanewise import gpu


@gpu.jit(device=True)
def both(n, v):
    gpu.syncthreads()
    if n == 0:
        return v
    return both(n - 1, gpu.shfl_xor_sync(0xFFFFFFFF, v, 1))


@gpu.jit(device=True)
def scratch(n):
    s = gpu.shared.array(4, "int32")
    s[0] = n
    return s[0]


@gpu.jit(device=True)
def outer(n):
    if n <= 0:
        return 0
    return scratch(n) + outer(n - 1)


@gpu.jit("void(int64[::1])")
def k(out):
    out[0] = both(3, 1)
    out[1] = outer(2)
