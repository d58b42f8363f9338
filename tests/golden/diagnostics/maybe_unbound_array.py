from lanewise import gpu


@gpu.jit("void(float32[::1], float32[::1], int64)")
def k(out, x, n):
    if n > 3:
        src = x
    out[0] = src[0]

#= maybe_unbound_array.py:8:14: error: `src` (float32[::1]) is assigned on some paths only [maybe-unbound-array]
#=     8 |     out[0] = src[0]
#=       |              ^~~
#= maybe_unbound_array.py:7:9: note: assigned here
#=     7 |         src = x
#=       |         ^~~
#= hint: assign `src` on every path
