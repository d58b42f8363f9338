import numpy as np

from lanewise import gpu


@gpu.jit("void(uint8[::1], int32[::1])")
def k(small, out):
    small[0] = 256
    small[1] = -1
    small[2] = 255
    out[0] = np.uint32(-1)
    out[1] = 3000000000
    out[2] = 5e9
    gpu.atomic.add(out, 0, 1 << 40)

#= constant_range.py:8:16: error: 256 does not fit uint8, an element of this array [constant-range]
#=     8 |     small[0] = 256
#=       |                ^~~
#= constant_range.py:9:16: error: -1 does not fit uint8, an element of this array [constant-range]
#=     9 |     small[1] = -1
#=       |                ^~
#= hint: `~np.uint8(0)` has all bits set; a cast of a variable wraps
#= constant_range.py:11:24: error: -1 does not fit uint32, the type of this cast [constant-range]
#=    11 |     out[0] = np.uint32(-1)
#=       |                        ^~
#= hint: `~np.uint32(0)` has all bits set; a cast of a variable wraps
#= constant_range.py:12:14: error: 3000000000 does not fit int32, an element of this array [constant-range]
#=    12 |     out[1] = 3000000000
#=       |              ^~~~~~~~~~
#= constant_range.py:13:14: error: 5e+09 does not fit int32, an element of this array [constant-range]
#=    13 |     out[2] = 5e9
#=       |              ^~~
#= constant_range.py:14:28: error: 1099511627776 does not fit int32, an element of this array [constant-range]
#=    14 |     gpu.atomic.add(out, 0, 1 << 40)
#=       |                            ^~~~~~~
