from lanewise import gpu


@gpu.jit(device=True)
def nest(x):
    return nest((x,))


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = nest(1)

#= too_deep.py:6:12: error: the program is nested too deeply here [too-deep]
#=     6 |     return nest((x,))
#=       |            ^~~~~~~~~~
#= too_deep.py:6:12: note: `nest` is called here
#=     6 |     return nest((x,))
#=       |            ^~~~
#= too_deep.py:11:14: note: `nest` is called here
#=    11 |     out[0] = nest(1)
#=       |              ^~~~
