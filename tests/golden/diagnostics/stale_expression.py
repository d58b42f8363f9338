from lanewise import gpu


@gpu.jit("void(float32[::1], float32[::1], float32[::1])")
def k(out, a, b):
    t = a + b
    out[0] = t[0]
    out[1] = t.sum()
    u = a * b
    for i in range(3):
        out[i] = u[i]
