from lanewise import gpu


@gpu.jit("void(float64[:])")
def long(x):
    x[0] = x[1] + x[2] - x[3] * x[4] / x[5] // x[6] % x[7] ** x[8] + (((((x[9]))))) - -+-+x[10] + ~int(x[11]) + (not not x[12])
    x[13] = x[14] < x[15] <= x[16] != x[17] == x[18] >= x[19] > x[20] and x[21] or x[22] and not x[23]
    x[24] = x[25] if x[26] else x[27] if x[28] else x[29] if x[30] else x[31]
    a = b = c = d = x[32]
    x[a, b][c](d).e[..., None, 1:2:3, :] @= x[33]
