# A sum of a block by shuffles: loops with carried values, an atomic.
from lanewise import gpu

@gpu.jit("void(float32[::1], float32[::1])")
def block_sum(x, out):
    partial = gpu.shared.array(32, gpu.float32)
    i = gpu.grid(1)
    total = gpu.float32(0)
    while i < x.size:
        total += x[i]
        i += gpu.gridsize(1)
    offset = 16
    while offset > 0:
        total += gpu.shfl_down_sync(0xffffffff, total, offset)
        offset //= 2
    lane = gpu.threadIdx.x % 32
    if lane == 0:
        partial[gpu.threadIdx.x // 32] = total
    gpu.syncthreads()
    if gpu.threadIdx.x < 32:
        total = partial[lane] if lane < gpu.blockDim.x // 32 else gpu.float32(0)
        for k in range(5):
            total += gpu.shfl_down_sync(0xffffffff, total, 16 >> k)
        if lane == 0:
            gpu.atomic.add(out, 0, total)

#= // block_sum: CUDA C++ by Lanewise. Compile with -arch=compute_75
#=
#= extern "C" __global__ void block_sum(const float *x, long long x_shape0, float *out, long long out_shape0) {
#=   __shared__ float partial[32];
#=   long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#=   float total = 0.0f;
#=   while (i < x_shape0) {
#=     total += x[i];
#=     i += (long long)gridDim.x * blockDim.x;
#=   }
#=   int offset = 16;
#=   while (offset > 0) {
#=     total += __shfl_down_sync(0xffffffffu, total, offset);
#=     offset >>= 1;
#=   }
#=   const int lane = threadIdx.x & 31;
#=   const bool test = lane == 0;
#=   if (test) {
#=     partial[threadIdx.x >> 5] = total;
#=   }
#=   __syncthreads();
#=   if (threadIdx.x < 32) {
#=     total = lane < (int)(blockDim.x >> 5) ? partial[lane] : 0.0f;
#=     for (int k = 0; k < 5; ++k) {  // for k in range(5):
#=       total += __shfl_down_sync(0xffffffffu, total, (int)(16ll >> k));
#=     }
#=     if (test) {
#=       atomicAdd(&out[0], total);
#=     }
#=   }
#= }
