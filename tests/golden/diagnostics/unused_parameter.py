from lanewise import gpu


@gpu.jit(device=True)
def twice(x, unused_here_is_fine):
    return 2 * x


@gpu.jit("void(float32[::1], int32, int32, float32)")
def k(x, n, _kept, scale):
    x[0] = twice(x[1], 0)
    scale = 1

#= unused_parameter.py:10:10: warning: parameter `n` is never used [unused-parameter]
#=    10 | def k(x, n, _kept, scale):
#=       |          ^
#= hint: leave it out, or call it `_n` to say that it is meant so
