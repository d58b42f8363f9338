from lanewise import gpu

BIG = 2**62


@gpu.jit("void(int64[::1])")
def k(out):
    out[0] = BIG * 8
    out[1] = 123456789012345678901234567890
    out[2] = -BIG * 2
    out[3] = -(BIG * 2) - 1
    out[4] = 1 << 70
    width = 64
    out[5] = (1 << width) - 1
    out[6] = pow(2, 64)
    out[7] = abs(-2 * BIG)
    out[8] = 0 << 70

#= constant_overflow.py:8:14: error: the value of `BIG * 8` does not fit 64 bits [constant-overflow]
#=     8 |     out[0] = BIG * 8
#=       |              ^~~~~~~
#= constant_overflow.py:9:14: error: the value of `123456789012345678901234567890` does not fit 64 bits [constant-overflow]
#=     9 |     out[1] = 123456789012345678901234567890
#=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= constant_overflow.py:11:14: error: the value of `-(BIG * 2) - 1` does not fit 64 bits [constant-overflow]
#=    11 |     out[3] = -(BIG * 2) - 1
#=       |              ^~~~~~~~~~~~~~
#= constant_overflow.py:12:14: error: the value of `1 << 70` does not fit 64 bits [constant-overflow]
#=    12 |     out[4] = 1 << 70
#=       |              ^~~~~~~
#= constant_overflow.py:14:14: error: the value of `(1 << width)` does not fit 64 bits [constant-overflow]
#=    14 |     out[5] = (1 << width) - 1
#=       |              ^~~~~~~~~~~~
#= constant_overflow.py:15:14: error: the value of `pow(2, 64)` does not fit 64 bits [constant-overflow]
#=    15 |     out[6] = pow(2, 64)
#=       |              ^~~~~~~~~~
#= constant_overflow.py:16:14: error: 9223372036854775808 does not fit int64, an element of this array [constant-range]
#=    16 |     out[7] = abs(-2 * BIG)
#=       |              ^~~~~~~~~~~~~
