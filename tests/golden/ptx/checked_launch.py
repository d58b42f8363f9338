# What launches get after their arguments were checked: indices of 32 bits, constants in addresses, memory that is only
# read through the cache for it; a shared array at a 32-bit address; a loop over the grid without a second counter.
#: sm 80
#: checked_launch
#: count 5 ld.global.nc.b32
#: contains +-4]
#: contains +4]
#: lacks setp.lt.s64
#: lacks setp.ge.s64
#: lacks mul.lo.s64
#: contains ld.global.nc.b8
#: contains atom.shared.add.u32 	%r
#: lacks abs.s32
#: lacks .local
from lanewise import gpu
import numpy as np


@gpu.jit("void(float32[:, ::1], float32[:, ::1])")
def stencil(out, a):
    x, y = gpu.grid(2)
    h, w = a.shape
    if x < w and y < h:
        c = a[y, x]
        if 0 < x < w - 1 and 0 < y < h - 1:
            c = np.float32(0.25) * (a[y, x - 1] + a[y, x + 1] + a[y - 1, x] + a[y + 1, x])
        out[y, x] = c


@gpu.jit("void(int32[::1], uint8[::1])")
def histogram(h, x):
    s = gpu.shared.array(256, np.int32)
    t = gpu.threadIdx.x
    s[t] = 0
    gpu.syncthreads()
    for i in range(gpu.grid(1), x.size, gpu.gridsize(1)):
        gpu.atomic.add(s, x[i], 1)
    gpu.syncthreads()
    gpu.atomic.add(h, t, s[t])
