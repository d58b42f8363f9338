# Where threads order memory or wait for it, arrays are not said to be apart: loads stay plain. One that is written is
# not, either, where threads meet.
#: sm 80
#: checked_launch
#: lacks .nc
#: count 3 ld.global.b32
from lanewise import gpu


@gpu.jit("void(int32[::1], int32[::1])")
def fenced(flags, data):
    t = gpu.threadIdx.x
    data[t] = t
    gpu.threadfence()
    data[t + 1] = flags[t]


@gpu.jit("void(int32[::1])")
def met(data):
    t = gpu.threadIdx.x
    a = data[t + 1]
    gpu.syncthreads()
    data[t] = a
    gpu.syncthreads()
    data[t + 2] = a + data[t + 1]
