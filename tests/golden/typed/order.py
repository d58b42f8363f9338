# Every operand is evaluated once, from left to right, and only if Python would: temporaries keep the order.
from lanewise import gpu


@gpu.jit("void(int32[::1], int32[::1], int)")
def k(x, c, i):
    if i < len(x) and 0 < x[i] < 5:
        x[i] = 1
    x[gpu.atomic.add(c, 0, 1)] += 5
    x[0] = gpu.atomic.add(c, 0, 1) - (0 < gpu.atomic.add(c, 1, 1) < 5)
    x[1] = x[i] ** 3 if i < len(x) else 7
    i, j = i + 1, i
    x[i], x[j] = x[j], x[i]
    y = i + (i := i * 2) * i
    x[2] = y
    while (j := j + 1) < 10 and 2 < x[j] < y:
        x[3] += 1
    a = b = x[4] // 3
    x[5], x[6] = divmod(a, b)

#= kernel k(x: int32[::1], c: int32[::1], i: int):
#=   .t.1: bool = lt(i, x.shape0)
#=   if .t.1:
#=     .t: int32 = x[i~]
#=     .t.1: bool = (lt(int32(0), .t) and lt(.t, int32(5)))
#=   if .t.1:
#=     x[i~] = int32(1)
#=   .t.2: int32[::1] = x
#=   .t.3: int = int(atomic_add(c[0], int32(1)))
#=   .t.2[.t.3~] = add(.t.2[.t.3~], int32(5))
#=   .t.5: int32 = atomic_add(c[0], int32(1))
#=   .t.4: int32 = atomic_add(c[1], int32(1))
#=   x[0] = sub(.t.5, int32((lt(int32(0), .t.4) and lt(.t.4, int32(5)))))
#=   if lt(i, x.shape0):
#=     .t.6: int32 = x[i~]
#=     .t.7: int32 = mul(.t.6, mul(.t.6, .t.6))
#=   else:
#=     .t.7: int32 = int32(7)
#=   x[1] = .t.7
#=   .t.8: int = add(i, 1)
#=   .t.9: int = i
#=   i: int = .t.8
#=   j: int = .t.9
#=   .t.10: int32 = x[j~]
#=   .t.11: int32 = x[i~]
#=   x[i~] = .t.10
#=   x[j~] = .t.11
#=   .t.12: int = i
#=   i: int = mul(i, 2)
#=   y: int = add(.t.12, mul(i, i))
#=   x[2] = int32(y)
#=   while:
#=       j: int = add(j, 1)
#=       .t.14: bool = lt(j, 10)
#=       if .t.14:
#=         .t.13: int32 = x[j~]
#=         .t.14: bool = (lt(int32(2), .t.13) and lt(int64(.t.13), y))
#=     test .t.14:
#=     .t.15: int32[::1] = x
#=     .t.15[3] = add(.t.15[3], int32(1))
#=   .t.16: int32 = floor_div(x[4], int32(3))
#=   a: int32 = .t.16
#=   b: int32 = .t.16
#=   x[5] = floor_div(a, b)
#=   x[6] = floor_mod(a, b)
