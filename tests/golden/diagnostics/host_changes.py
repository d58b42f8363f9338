# Arrays, lists and classes that host code may change are no constants; what it only reads is.
import numpy as np
from lanewise import gpu

TABLE = np.zeros(4)
for i in range(4):
    TABLE[i] = i * i

SAME = OTHER = np.ones(2)
OTHER[0] = 77

SIZES = [1, 2]
COUNT = len(SIZES)
SIZES.append(4)


class Config:
    WIDTH = 4


Config.WIDTH = 8

WEIGHTS = np.array([1.0, 2.0])
print(WEIGHTS, WEIGHTS.sum(), len(WEIGHTS), WEIGHTS[0] * 2)


@gpu.jit("void(float64[::1])")
def k(out):
    out[0] = WEIGHTS[1]
    out[1] = TABLE[3]
    out[2] = SAME[0]
    out[3] = COUNT
    out[4] = Config.WIDTH

#= host_changes.py:30:14: error: kernels cannot use `TABLE`: it is changed by host code [unusable-name]
#=    30 |     out[1] = TABLE[3]
#=       |              ^~~~~
#= host_changes.py:7:5: note: may be changed here
#=     7 |     TABLE[i] = i * i
#=       |     ^~~~~~~~
#= hint: pass it to the kernel as an argument, or build it in one expression and leave it as it is
#= host_changes.py:31:14: error: kernels cannot use `SAME`: it is made of or shared with `OTHER`, which is changed by host code [unusable-name]
#=    31 |     out[2] = SAME[0]
#=       |              ^~~~
#= host_changes.py:10:1: note: may be changed here
#=    10 | OTHER[0] = 77
#=       | ^~~~~~~~
#= hint: pass it to the kernel as an argument, or build it in one expression and leave it as it is
#= host_changes.py:32:14: error: kernels cannot use `COUNT`: it is made of or shared with `SIZES`, which is changed by host code [unusable-name]
#=    32 |     out[3] = COUNT
#=       |              ^~~~~
#= host_changes.py:14:1: note: may be changed here
#=    14 | SIZES.append(4)
#=       | ^~~~~~~~~~~~
#= hint: pass it to the kernel as an argument, or build it in one expression and leave it as it is
#= host_changes.py:33:14: error: kernels cannot use `Config`: it is changed by host code [unusable-name]
#=    33 |     out[4] = Config.WIDTH
#=       |              ^~~~~~
#= host_changes.py:21:1: note: may be changed here
#=    21 | Config.WIDTH = 8
#=       | ^~~~~~~~~~~~
#= hint: pass it to the kernel as an argument, or build it in one expression and leave it as it is
