#: performance_notes
import math

from lanewise import gpu


@gpu.jit("void(float32[::1], float64[::1])")
def k(x, wide):
    i = gpu.grid(1)
    x[i] = math.sin(i * 0.1)
    x[i] += x[i] * 0.1
    wide[i] = math.sin(i * 0.1)

#= float64_arithmetic.py:10:12: performance: `math.sin(i * 0.1)` is computed in float64, then rounded to float32 [float64-arithmetic]
#=    10 |     x[i] = math.sin(i * 0.1)
#=       |            ^~~~~~~~~~~~~~~~~
#= hint: make one operand a `np.float32`, or hold Python floats in 32 bits with `gpu.jit(python_float="float32")`
