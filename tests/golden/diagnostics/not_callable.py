from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    out[0] = out(0)
    out[1] = n(3)

#= not_callable.py:6:14: error: float32[::1] cannot be called [not-callable]
#=     6 |     out[0] = out(0)
#=       |              ^~~
#= not_callable.py:5:7: note: `out` is float32[::1]: the type of this argument
#=     5 | def k(out, n):
#=       |       ^~~
#= hint: elements are read with `[]`
#= not_callable.py:7:14: error: int64 cannot be called [not-callable]
#=     7 |     out[1] = n(3)
#=       |              ^
#= not_callable.py:5:12: note: `n` is int64: the type of this argument
#=     5 | def k(out, n):
#=       |            ^
