from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(out):
    view = out[::0]
    view[0] = 1

#= zero_step.py:6:18: error: the step of a slice is 0 [zero-step]
#=     6 |     view = out[::0]
#=       |                  ^
