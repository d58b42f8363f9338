from lanewise import gpu


@gpu.jit("void(int32[:])")
def classify(x):
    i = gpu.grid(1)
    match x[i]:
        case 0 | 1:
            x[i] = 10
        case -1 if i > 3:
            x[i] = 20
        case (a, *_) | [b, {'c': d, **e}] | P(f=1) as g: pass
        case _: x[i] = 0
    match = i
    x[match] += (case := 3)
