# Source lines on request: directives only, so that ptxas optimises as without.
#: line_info
#: contains .loc 1 14
#: contains .file 1
#: lacks .debug_info
#: lacks .debug_line
from lanewise import gpu
from lanewise.gpu import float32


@gpu.jit
def k(x: float32[::1]):
    i = gpu.grid(1)
    x[i] = x[i] * 2 + 1
