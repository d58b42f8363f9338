from lanewise import gpu


@gpu.jit(device=True)
def inner(x):
    return x & 1


@gpu.jit(device=True)
def outer(x, y):
    return inner(x) + y


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = outer(1, 2)
    out[1] = outer(out[0], 2)

#= inference_call_chain.py:6:14: error: `&` does not work on float32 and int [operand-types]
#=     6 |     return x & 1
#=       |              ^
#= inference_call_chain.py:5:11: note: `x` is float32: the type of this argument
#=     5 | def inner(x):
#=       |           ^
#= inference_call_chain.py:11:12: note: `inner` is called here
#=    11 |     return inner(x) + y
#=       |            ^~~~~
#= inference_call_chain.py:17:14: note: `outer` is called here
#=    17 |     out[1] = outer(out[0], 2)
#=       |              ^~~~~
#= hint: convert with `int(x)`, or a cast such as `np.uint32(x)`
