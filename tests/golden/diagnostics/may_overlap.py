from lanewise import gpu


@gpu.jit("void(float32[:, ::1], int64, int64)")
def k(m, i, j):
    row = m[i]
    m[j, 1:] = row[1:]
    m[j, 1:] = row[:-1]
