# A shared array is .shared memory of the module, the barrier one instruction.
#: contains .shared .align 16 .b8
#: contains st.shared.b32
#: contains ld.shared.b32
#: count 1 bar.sync 0
#: lacks .extern
from lanewise import gpu
from lanewise.gpu import float32


@gpu.jit
def reverse(x: float32[::1], y: float32[::1]):
    tile = gpu.shared.array(128, float32)
    t = gpu.threadIdx.x
    i = gpu.grid(1)
    tile[t] = x[i]
    gpu.syncthreads()
    y[i] = tile[127 - t]
