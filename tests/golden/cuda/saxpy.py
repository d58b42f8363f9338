# The entry has the name and the parameters of the PTX; nothing is written for the check of the bounds.
from lanewise import gpu

@gpu.jit("void(float32, float32[::1], float32[::1])")
def saxpy(a, x, y):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]

#= // saxpy: CUDA C++ by Lanewise. Compile with -arch=compute_75
#=
#= extern "C" __global__ void saxpy(float a, const float *x, long long x_shape0, float *y, long long y_shape0) {
#=   const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#=   if (i < y_shape0) {
#=     y[i] += a * x[i];
#=   }
#= }
