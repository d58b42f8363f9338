from lanewise import gpu

N = 3
N = 3
M = N
if M: M = 4


@gpu.jit("void(float32[:], int32[:])")
def rebinding(x, n):
    v = 1
    v = 2.5
    v = x
    if n[0]:
        w = n[0]
        u = 1
    else:
        w = 0.5
    x[0] = w + v[0] + M
    for i in range(n[1]):
        t = t + i if i else 0
        del u
    x[1] += t
    global N
    nonlocal_ = N
