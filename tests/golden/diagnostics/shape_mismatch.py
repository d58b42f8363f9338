from lanewise import gpu


@gpu.jit("void(float32[:, ::1])")
def k(out):
    a = gpu.local.array(3, "float32")
    b = gpu.local.array((2, 4), "float32")
    out[0] = a + b
    a[:] = b[0, 1:]
    a[:2] = 1, 2, 3
    b.reshape(3, -1)
    out[0] = a @ b
