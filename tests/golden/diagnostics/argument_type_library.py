# Functions of frontend/library have no text that a user could be shown: the call is.
import math

from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(x):
    x[0] = gpu.fp16.hadd(x, 1)
    x[1] = gpu.random.philox_uniform_float32(math, 2)
    x[2] = gpu.fp16.hadd(1)
    x[3] = gpu.fp16.hadd(1, 2, 3)
    x[4] = gpu.fp16.hsim(1)
    x[5] = math.gamma(x)
    x[6] = math.polynomial(1)
    x[7] = gpu.random.philox_uniform_float32(1, 2, step=3)

#= argument_type_library.py:9:12: error: `gpu.fp16.hadd`: its arguments must be `hadd(a, b)`, not (float32[::1], int) [argument-type]
#=     9 |     x[0] = gpu.fp16.hadd(x, 1)
#=       |            ^~~~~~~~~~~~~~~~~~~
#= argument_type_library.py:10:12: error: `gpu.random.philox_uniform_float32`: its arguments must be `philox_uniform_float32(seed, index, draw=...)`, not (`math`, int) [argument-type]
#=    10 |     x[1] = gpu.random.philox_uniform_float32(math, 2)
#=       |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= argument_type_library.py:11:12: error: `gpu.fp16.hadd` is called without `b` [missing-argument]
#=    11 |     x[2] = gpu.fp16.hadd(1)
#=       |            ^~~~~~~~~~~~~~~~
#= argument_type_library.py:12:12: error: `gpu.fp16.hadd` wants 2 arguments, not 3 [argument-count]
#=    12 |     x[3] = gpu.fp16.hadd(1, 2, 3)
#=       |            ^~~~~~~~~~~~~~~~~~~~~~
#= argument_type_library.py:13:21: error: `gpu.fp16` has no attribute `hsim` [unknown-attribute]
#=    13 |     x[4] = gpu.fp16.hsim(1)
#=       |                     ^~~~
#= hint: did you mean `hsin`?
#= argument_type_library.py:14:23: error: not part of the kernel language: `math.gamma` of a whole array [not-in-language]
#=    14 |     x[5] = math.gamma(x)
#=       |                       ^
#= hint: call it for each element
#= argument_type_library.py:15:17: error: `math` has no attribute `polynomial` [unknown-attribute]
#=    15 |     x[6] = math.polynomial(1)
#=       |                 ^~~~~~~~~~
#= argument_type_library.py:16:57: error: `gpu.random.philox_uniform_float32` has no use for the keyword argument `step` [unknown-keyword]
#=    16 |     x[7] = gpu.random.philox_uniform_float32(1, 2, step=3)
#=       |                                                         ^
#= hint: did you mean `seed`?
