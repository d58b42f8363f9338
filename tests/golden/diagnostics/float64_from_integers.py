#: performance_notes
import math

import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[::1], int32[::1])")
def k(x, n):
    i = gpu.grid(1)
    x[i] = n[i] / 3
    x[i] = math.sqrt(n[i])
    x[i] = n[i] / n[0] + x[i]
    x[i] = np.float32(n[i]) / 3

#= float64_from_integers.py:12:12: performance: `n[i] / 3` is float64, because no operand is a float [float64-from-integers]
#=    12 |     x[i] = n[i] / 3
#=       |            ^~~~~~~~
#= hint: `np.float32(x)` of an operand gives float32
#= float64_from_integers.py:13:12: performance: `math.sqrt(n[i])` is float64, because no operand is a float [float64-from-integers]
#=    13 |     x[i] = math.sqrt(n[i])
#=       |            ^~~~~~~~~~~~~~~
#= hint: `np.float32(x)` of an operand gives float32
#= float64_from_integers.py:14:12: performance: `n[i] / n[0]` is float64, because no operand is a float [float64-from-integers]
#=    14 |     x[i] = n[i] / n[0] + x[i]
#=       |            ^~~~~~~~~~~
#= hint: `np.float32(x)` of an operand gives float32
