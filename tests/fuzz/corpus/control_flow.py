from lanewise import gpu


@gpu.jit("void(int64[:], int32, bool_)")
def flow(out, n, flag):
    total = 0
    for i in range(n - 1, -1, -2):
        if i % 3 == 0:
            continue
        elif i > 100 or not flag:
            break
        else:
            pass
        total += i
    else:
        total = -1
    k = 0
    while True:
        k += 1
        if k > 10: break
        for j in range(k):
            if j == 5:
                break
        else:
            continue
        total ^= j << 2
    else:
        total = ~total
    out[0] = total if 0 < total < 1 << 20 else (total and n) or -total
