# Inline PTX as asm statements, functions in CUDA C++ as declarations, a barrier for the grid with its counter.
#: sm 80
from lanewise import gpu
import numpy as np

twice = gpu.cuda_function("__device__ float twice(float x) { return x + x; }", "twice", "float32(float32)")


@gpu.jit("void(uint32[::1], float16[::1], float32[::1])")
def mixed(a, h, f):
    t = gpu.threadIdx.x
    a[t] = gpu.inline_ptx("lop3.b32 %0, %1, %2, %1, 0x96;", gpu.uint32, a[t], gpu.uint32(7), pure=True)
    low, high = gpu.inline_ptx("mov.b64 {%0, %1}, %2;", (gpu.uint32, gpu.uint32), np.int64(t))
    h[t] = gpu.inline_ptx("{ .reg .b16 x; mov.b16 x, %1; add.f16 %0, x, %1; }", gpu.float16, h[t], sm=53)
    gpu.inline_ptx("red.global.add.u32 [%0], %1;", None, a[t:], low + high)
    gpu.cg.this_grid().sync()
    f[t] = twice(f[t])

#= // mixed: CUDA C++ by Lanewise. Compile with -arch=compute_80
#=
#= // A float16 by its bits, as __half; computed with in float.
#= struct float16 {
#=   unsigned short bits;
#=   __device__ operator float() const {
#=     float x;
#=     asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
#=     return x;
#=   }
#= };
#=
#= // Whether this thread speaks for its block: the first one that has not returned. A barrier.
#= static __device__ bool is_first_thread() {
#=   unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
#=   bool first = thread == 0;
#=   if (__syncthreads_or(first)) return first;
#=   first = true;
#=   for (unsigned bit = 512; bit != 0; bit >>= 1) {
#=     bool clear = (thread & bit) == 0;
#=     if (__syncthreads_or(first && clear)) first = first && clear;
#=   }
#=   return first;
#= }
#=
#= // A barrier for all blocks of a cooperative launch. The counter is a number in global memory, 0 before the first
#= // launch that has it; each barrier turns its top bit.
#= static __device__ void grid_barrier(unsigned *counter) {
#=   if (is_first_thread()) {
#=     unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
#=     bool is_first_block = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
#=     __threadfence();
#=     unsigned old = atomicAdd(counter, is_first_block ? 0x80000001u - blocks : 1u);
#=     while (((old ^ *(volatile unsigned *)counter) & 0x80000000u) == 0) {
#=     }
#=     __threadfence();
#=   }
#=   __syncthreads();
#= }
#=
#= extern "C" __device__ float lanewise_call_twice_c56d0d33(float);  // of written_by_others.py
#=
#= extern "C" __global__ void mixed(unsigned *a, long long a_shape0, float16 *h, long long h_shape0, float *f,
#=                                  long long f_shape0, unsigned *grid_counter) {
#=   const long long t = threadIdx.x;
#=   unsigned ptx_result;
#=   asm("lop3.b32 %0, %1, %2, %1, 0x96;" : "=r"(ptx_result) : "r"(a[t]), "r"(7u));
#=   unsigned t_2 = ptx_result;
#=   a[t] = t_2;
#=   unsigned ptx_result_2;
#=   unsigned ptx_result_3;
#=   asm volatile("mov.b64 {%0, %1}, %2;" : "=r"(ptx_result_2), "=r"(ptx_result_3) : "l"((unsigned long long)t)
#=       : "memory");
#=   t_2 = ptx_result_2;
#=   const unsigned t_3 = ptx_result_3;
#=   unsigned short ptx_result_4;
#=   asm volatile("{ .reg .b16 x; mov.b16 x, %1; add.f16 %0, x, %1; }" : "=h"(ptx_result_4) : "h"(h[t].bits)
#=       : "memory");
#=   const float16 t_4 = float16{ptx_result_4};
#=   h[t] = t_4;
#=   asm volatile("red.global.add.u32 [%0], %1;" : : "l"((unsigned long long)__cvta_generic_to_global(a
#=       + (int)min(t, a_shape0))), "r"(t_2 + t_3) : "memory");
#=   grid_barrier(grid_counter);
#=   const float tmp = lanewise_call_twice_c56d0d33(f[t]);
#=   f[t] = tmp;
#= }
