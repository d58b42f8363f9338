import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(x):
    tile = gpu.shared.array(32, np.float32)
    count = gpu.shared.array(1, np.int32)
    t = gpu.threadIdx.x
    gpu.atomic.add(count, 0, 1)
    tile[t] = x[t]
    x[t] = tile[31 - t]


@gpu.jit("void(float32[::1])")
def good(x):
    tile = gpu.shared.array(32, np.float32)
    t = gpu.threadIdx.x
    tile[t] = x[t]
    gpu.syncthreads()
    x[t] = tile[31 - t]

#= missing_barrier.py:13:12: warning: the shared array `tile` is written and read without a barrier [missing-barrier]
#=    13 |     x[t] = tile[31 - t]
#=       |            ^~~~~~~~~~~~
#= missing_barrier.py:12:5: note: written here
#=    12 |     tile[t] = x[t]
#=       |     ^~~~~~~
#= hint: `gpu.syncthreads()` between the two makes what other threads wrote visible
