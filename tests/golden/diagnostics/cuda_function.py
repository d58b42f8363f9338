#: cuda_functions off
from lanewise import gpu

SOURCE = """
__device__ float square(float x) { return x * x; }
"""


@gpu.jit(device=True)
def in_python(x):
    return x * x


square = gpu.cuda_function(SOURCE, "square", "float32(float32)")
either = gpu.cuda_function(SOURCE, "square", "float32(float32)", fallback=in_python)


@gpu.jit("void(float32[::1])")
def k(x):
    x[0] = either(x[1])
    x[1] = square(x[0])

#= cuda_function.py:21:12: error: `square` is written in CUDA C++, which only the CUDA target has [cuda-function]
#=    21 |     x[1] = square(x[0])
#=       |            ^~~~~~
#= hint: give it a function in Python for other targets, `gpu.cuda_function(..., fallback=f)`, or compile for CUDA
