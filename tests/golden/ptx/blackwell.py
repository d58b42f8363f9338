# A new architecture still gets the lowest PTX version that has it, so that older drivers take the code.
#: sm 120
#: contains .version 8.7
#: contains .target sm_120
from lanewise import gpu
from lanewise.gpu import int32


@gpu.jit
def double(x: int32[::1]):
    x[gpu.grid(1)] *= 2
