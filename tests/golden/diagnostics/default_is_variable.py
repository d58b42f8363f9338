from lanewise import gpu


@gpu.jit("void(int64[::1], int64)")
def k(out, count):
    n = count * 2

    def g(x, m=n):
        return x + m

    out[0] = g(1)
    out[1] = g(1, 2)

#= default_is_variable.py:8:16: error: the default of `m` is not a constant that kernels can use [default-not-constant]
#=     8 |     def g(x, m=n):
#=       |                ^
#= default_is_variable.py:11:14: note: called here
#=    11 |     out[0] = g(1)
#=       |              ^~~~
#= hint: pass the argument, or make the default a constant
