#: performance_notes
from lanewise import gpu


@gpu.jit("void(uint64[::1], int64[::1])")
def k(u, i):
    u[0] = u[0] + i[0]
    u[1] = 1 if u[0] < i[0] else 0

#= mixed_signs.py:7:12: performance: uint64 and int64 make uint64; negative numbers wrap [mixed-signs]
#=     7 |     u[0] = u[0] + i[0]
#=       |            ^~~~~~~~~~~
#= hint: cast one side: `np.int64(x)` or `np.uint64(x)`
