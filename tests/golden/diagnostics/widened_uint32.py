import numpy as np

from lanewise import gpu


@gpu.jit("void(uint32[::1], int64)")
def k(h, n):
    i = gpu.grid(1)
    x = h[0]
    h[0] = x ^ i
    h[1] = x ^ 3
    h[2] = x ^ np.uint32(i)

#= widened_uint32.py:10:12: warning: a uint32 becomes int64 here, because the other operand is a Python int [widened-uint32]
#=    10 |     h[0] = x ^ i
#=       |            ^~~~~
#= widened_uint32.py:8:5: note: `i` became int here
#=     8 |     i = gpu.grid(1)
#=       |     ^
#= hint: `np.uint32(x)` keeps the arithmetic in 32 bits
#= widened_uint32.py:7:10: warning: parameter `n` is never used [unused-parameter]
#=     7 | def k(h, n):
#=       |          ^
#= hint: leave it out, or call it `_n` to say that it is meant so
