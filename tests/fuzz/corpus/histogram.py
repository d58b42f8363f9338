import lanewise.gpu as g

BINS: int = 256


@g.jit("void(uint8[::1], int32[::1])")
def histogram(data, bins):
    local = g.shared.array(BINS, g.int32)
    t = g.threadIdx.x
    while t < BINS:
        local[t] = 0
        t += g.blockDim.x
    g.syncthreads()
    for i in range(g.grid(1), data.size, g.gridsize(1)):
        g.atomic.add(local, data[i], 1)
    g.syncthreads()
    t = g.threadIdx.x
    while t < BINS:
        if local[t] != 0: g.atomic.add(bins, t, local[t])
        t += g.blockDim.x
