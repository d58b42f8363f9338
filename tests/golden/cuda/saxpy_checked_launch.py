# Indices of 32 bits, restrict and const where a launch is checked; __launch_bounds__ comes from kc.
#: checked_launch
#: sm 80
from lanewise import gpu

@gpu.jit("void(float32, float32[::1], float32[::1])")
def saxpy(a, x, y):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]

#= // saxpy: CUDA C++ by Lanewise. Compile with -arch=compute_80
#=
#= extern "C" __global__ void saxpy(float a, const float *__restrict__ x, long long x_shape0,
#=                                  float *__restrict__ y, long long y_shape0) {
#=   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#=   if (i < (int)y_shape0) {
#=     y[i] += a * x[i];
#=   }
#= }
