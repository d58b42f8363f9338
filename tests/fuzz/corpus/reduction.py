from numba import cuda, float64


@cuda.jit("(f8[:], f8[:])")
def block_sum(x, out):
    s = cuda.shared.array(128, dtype=float64)
    i = cuda.grid(1); t = cuda.threadIdx.x
    s[t] = x[i] if i < len(x) else 0.0
    cuda.syncthreads()
    step = 64
    while step:
        if t < step:
            s[t] += s[t + step]
        cuda.syncthreads()
        step >>= 1
    if not t:
        out[cuda.blockIdx.x] = s[-128]
