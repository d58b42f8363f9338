from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1])")
def k(out, m):
    out[0] = m.sum()
    print(out)
    print(f'{out[0]:{3}}')
    total = m + m
    m += 1
