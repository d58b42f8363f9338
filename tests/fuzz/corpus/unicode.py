from lanewise import gpu

größe = 3
变量 = größe * 2


@gpu.jit("void(float32[:], int64)")
def ядро(данные, ñ):
    i = gpu.grid(1)  # комментарий
    if i < ñ:
        данные[i] = größe * π(变量)


@gpu.device
def π(x): return 3.14159 * x
