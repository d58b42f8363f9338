#: performance_notes
from lanewise import gpu


@gpu.jit("void(float32[::1], int64[::1], int32[::1])")
def k(x, wide, narrow):
    i = gpu.grid(1)
    at = wide[i]
    x[at] = x[narrow[i]]

#= wide_index.py:8:10: performance: `wide[i]` is an index of type int64 [wide-index]
#=     8 |     at = wide[i]
#=       |          ^~~~~~~
#= hint: an int32 array of indices takes half the memory traffic, and serves arrays of up to 2**31 elements
