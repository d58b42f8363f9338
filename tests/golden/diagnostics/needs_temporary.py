from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[::1], int64)")
def k(m, t, i):
    m[:, :] = m.T
    t[1:-1] = t[:-2] + t[2:]
    t[:] = t[::-1]
    m[:, :] -= m[0]
    t[:] = m @ t
    t[i:] = t[: t.size - i]
    m[1:, :] -= m[0]
    t[1:] = t[:-1]
