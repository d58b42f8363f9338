from lanewise import gpu


@gpu.jit
def k(x, n):
    x[0] = n

#= no_argument_types.py:5:5: error: kernel `k` has no argument types [no-argument-types]
#=     5 | def k(x, n):
#=       |     ^
#= hint: give its parameters annotations
