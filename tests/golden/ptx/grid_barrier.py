# oldest: sm_60
# One thread of the block adds to the counter, the hidden last parameter, and waits for its top bit.
#: sm 70
#: contains .param .u64 .ptr .global
#: contains atom.global.add.u32
#: contains ld.relaxed.gpu.global.b32
#: contains fence.sc.gpu
#: contains .red.or
#: lacks ld.global.nc
from lanewise import gpu


@gpu.jit("void(int32[::1], int32[::1])")
def exchange(a, b):
    i = gpu.grid(1)
    b[i] = a[i]
    gpu.cg.this_grid().sync()
    a[i] = b[b.size - 1 - i]
