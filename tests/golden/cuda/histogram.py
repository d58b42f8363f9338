# Strided loops, atomics on shared and global memory.
from lanewise import gpu

@gpu.jit("void(uint8[::1], int32[::1])")
def histogram(data, bins):
    local = gpu.shared.array(256, gpu.int32)
    for k in range(gpu.threadIdx.x, 256, gpu.blockDim.x):
        local[k] = 0
    gpu.syncthreads()
    for i in range(gpu.grid(1), data.size, gpu.gridsize(1)):
        gpu.atomic.add(local, data[i], 1)
    gpu.syncthreads()
    for k in range(gpu.threadIdx.x, 256, gpu.blockDim.x):
        if local[k] != 0:
            gpu.atomic.add(bins, k, local[k])

#= // histogram: CUDA C++ by Lanewise. Compile with -arch=compute_75
#=
#= extern "C" __global__ void histogram(const unsigned char *data, long long data_shape0, int *bins,
#=                                      long long bins_shape0) {
#=   __shared__ int local[256];
#=   for (int k = threadIdx.x; k < 256; k += blockDim.x) {
#=     local[k] = 0;
#=   }
#=   __syncthreads();
#=   for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < data_shape0;
#=       i += (long long)gridDim.x * blockDim.x) {
#=     atomicAdd(&local[data[i]], 1);
#=   }
#=   __syncthreads();
#=   for (int k = threadIdx.x; k < 256; k += blockDim.x) {
#=     if (local[k] != 0) {
#=       atomicAdd(&bins[k], local[k]);
#=     }
#=   }
#= }
