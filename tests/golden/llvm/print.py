# print on the CPU calls the launch's output function with the values in memory.
#: target host
#: contains call void %
from lanewise import gpu


@gpu.jit("void(float32[:])")
def k(a):
    print(a[0], gpu.threadIdx.x)
