# Python numbers beside typed ones (docs/language.md, Numbers): what is converted, and to what.
from lanewise import gpu


@gpu.jit("void(float32[::1], uint8[::1], int32, float64)")
def k(x, b, n, d):
    i = gpu.grid(1)
    if i < x.size:
        x[i] = 0.5 * x[i] + b[i]
        x[i] = n / 2
        s = 0
        s += b[i]
        x[i] += s * d

#= kernel k(x: float32[::1], b: uint8[::1], n: int32, d: float64):
#=   i: int = add(mul(int(block_id_x()), int(block_dim_x())), int(thread_id_x()))
#=   if lt(i, x.shape0):
#=     x[i] = add(mul(float32(0.5), x[i]), float32(b[i]))
#=     x[i] = float32(div(float64(n), float64(2.0)))
#=     s: int = 0
#=     s.1: int64 = add(s, int64(b[i]))
#=     x[i] = float32(add(float64(x[i]), mul(float64(s.1), d)))
