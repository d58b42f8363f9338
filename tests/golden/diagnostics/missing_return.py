from lanewise import gpu


@gpu.jit(device=True)
def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return -1


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = sign(out[0])

#= missing_return.py:5:5: error: `sign` returns a value on some paths only: int or None [missing-return]
#=     5 | def sign(x):
#=       |     ^~~~
#= missing_return.py:7:16: note: returns int here
#=     7 |         return 1
#=       |                ^
#= missing_return.py:14:14: note: `sign` is called here
#=    14 |     out[0] = sign(out[0])
#=       |              ^~~~
#= hint: end the function with a `return` of that type
