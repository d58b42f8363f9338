from lanewise import gpu

apply = gpu.jit("void(float32[:], int64)")(lambda x, n=1, *a, k=2, **d: x[n])
half = gpu.device(lambda v: v / 2)


@gpu.jit("void(float32[:])")
def use(x):
    f = lambda a, b=2: a * b if a > b else half(b)
    y = [f(i) for i in (1, 2, 3) if i != 2]
    x[0] = f(x[1], b=(n := 3)) + sum(v for v in y) + n
