from lanewise import gpu


@gpu.jit("void(int64[::1], int64)")
def k(out, n):
    if n > 1:
        g = lambda x: x + 1
    else:
        g = lambda x: x + 2
    out[0] = g(1)

#= join_functions.py:10:14: error: `g` is one function or type on one path and a different one on another [join-types]
#=    10 |     out[0] = g(1)
#=       |              ^
#= join_functions.py:7:9: note: one of the two here
#=     7 |         g = lambda x: x + 1
#=       |         ^
#= join_functions.py:9:9: note: the other one here
#=     9 |         g = lambda x: x + 2
#=       |         ^
#= hint: a function must be the same on all paths: call each where it is chosen
