from lanewise import gpu


@gpu.jit(device=True)
def forever(n):
    return forever(n)


@gpu.jit(device=True)
def grow(n):
    if n == 0:
        return (0,)
    return grow(n - 1) + (1,)


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = forever(3)
    out[1] = len(grow(3))

#= recursion.py:5:5: error: the result type of `forever`, which calls itself, does not settle [recursion]
#=     5 | def forever(n):
#=       |     ^~~~~~~
#= recursion.py:18:14: note: `forever` is called here
#=    18 |     out[0] = forever(3)
#=       |              ^~~~~~~
#= hint: at least one `return` must not depend on the call itself, and all must have one type
#= recursion.py:13:12: error: `grow` returns (int,) and (int, int), which have no common type [return-types]
#=    13 |     return grow(n - 1) + (1,)
#=       |            ^~~~~~~~~~~~~~~~~~
#= recursion.py:12:16: note: returns (int,) here
#=    12 |         return (0,)
#=       |                ^~~~
#= recursion.py:19:18: note: `grow` is called here
#=    19 |     out[1] = len(grow(3))
#=       |                  ^~~~
