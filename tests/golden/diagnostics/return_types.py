from lanewise import gpu


@gpu.jit(device=True)
def pick(a, n):
    if n > 0:
        return a
    return a[0]


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    out[0] = pick(out, n)

#= return_types.py:8:12: error: `pick` returns float32[::1] and float32, which have no common type [return-types]
#=     8 |     return a[0]
#=       |            ^~~~
#= return_types.py:7:16: note: returns float32[::1] here
#=     7 |         return a
#=       |                ^
#= return_types.py:13:14: note: `pick` is called here
#=    13 |     out[0] = pick(out, n)
#=       |              ^~~~
