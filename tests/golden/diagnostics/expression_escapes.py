from lanewise import gpu


@gpu.jit(device=True)
def first(x):
    return x[0]


@gpu.jit(device=True)
def doubled(x):
    return x * 2


@gpu.jit("void(float32[::1], float32[::1])")
def k(out, a):
    out[0] = first(a + 1)
    out[1] = doubled(a)[0]
    t = a + 1
    t[0] = 5
    t[1:] += 1
    p = (t, 1)
    (a + 1).fill(0)
    (a + 1).reshape(2, 2)
