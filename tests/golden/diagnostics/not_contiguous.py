from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[::1, :], float32[:])")
def k(c, f, s):
    c[0].reshape(2, 2)
    c[:, 1:].reshape(-1)
    f.reshape(-1)
    f.ravel(order="F")
    s.ravel()
