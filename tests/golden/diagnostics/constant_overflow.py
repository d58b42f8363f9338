from lanewise import gpu

BIG = 2**62


@gpu.jit("void(int64[::1])")
def k(out):
    out[0] = BIG * 8
    out[1] = 123456789012345678901234567890
    out[2] = -BIG * 2
    out[3] = -(BIG * 2) - 1

#= constant_overflow.py:8:14: error: the value of `BIG * 8` does not fit 64 bits [constant-overflow]
#=     8 |     out[0] = BIG * 8
#=       |              ^~~~~~~
#= constant_overflow.py:9:14: error: the value of `123456789012345678901234567890` does not fit 64 bits [constant-overflow]
#=     9 |     out[1] = 123456789012345678901234567890
#=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= constant_overflow.py:11:14: error: the value of `-(BIG * 2) - 1` does not fit 64 bits [constant-overflow]
#=    11 |     out[3] = -(BIG * 2) - 1
#=       |              ^~~~~~~~~~~~~~
