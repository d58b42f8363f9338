from lanewise import gpu


@gpu.jit("void(float32[::1], int64[::1])")
def k(out, whole):
    out[0] = 10**30
    whole[0] = 10**30
    out[1] = 123456789012345678901234567890

#= constant_overflow_float.py:6:14: error: the value of `10**30` does not fit 64 bits [constant-overflow]
#=     6 |     out[0] = 10**30
#=       |              ^~~~~~
#= hint: an integer has 64 bits at most; write a float, such as 1e30
#= constant_overflow_float.py:7:16: error: the value of `10**30` does not fit 64 bits [constant-overflow]
#=     7 |     whole[0] = 10**30
#=       |                ^~~~~~
#= constant_overflow_float.py:8:14: error: the value of `123456789012345678901234567890` does not fit 64 bits [constant-overflow]
#=     8 |     out[1] = 123456789012345678901234567890
#=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= hint: an integer has 64 bits at most; write a float, such as 1e30
