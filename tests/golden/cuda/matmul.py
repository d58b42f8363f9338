# A tiled product: shared arrays, barriers, conditional loads as expressions.
from lanewise import gpu

TILE = 16

@gpu.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def matmul(a, b, c):
    ta = gpu.shared.array((TILE, TILE), gpu.float32)
    tb = gpu.shared.array((TILE, TILE), gpu.float32)
    x, y = gpu.grid(2)
    tx = gpu.threadIdx.x
    ty = gpu.threadIdx.y
    acc = gpu.float32(0)
    for t in range((a.shape[1] + TILE - 1) // TILE):
        k = t * TILE + tx
        ta[ty, tx] = a[y, k] if y < a.shape[0] and k < a.shape[1] else 0
        k = t * TILE + ty
        tb[ty, tx] = b[k, x] if k < b.shape[0] and x < b.shape[1] else 0
        gpu.syncthreads()
        for k in range(TILE):
            acc += ta[ty, k] * tb[k, tx]
        gpu.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = acc

#= // matmul: CUDA C++ by Lanewise. Compile with -arch=compute_75
#=
#= extern "C" __global__ void matmul(const float *a, long long a_shape0, long long a_shape1, const float *b,
#=                                   long long b_shape0, long long b_shape1, float *c, long long c_shape0,
#=                                   long long c_shape1) {
#=   __shared__ float ta[256];
#=   __shared__ float tb[256];
#=   const long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#=   const int y = blockIdx.y * blockDim.y + threadIdx.y;
#=   float acc = 0.0f;
#=   for (long long t = 0; t < (a_shape1 + 16 - 1) >> 4; ++t) {
#=     const long long tmp = t * 16;
#=     long long k = tmp + threadIdx.x;
#=     const int at = threadIdx.y * 16;
#=     const int at_2 = at + (int)threadIdx.x;
#=     ta[at_2] = y < a_shape0 && k < a_shape1 ? a[y * a_shape1 + k] : 0.0f;
#=     k = tmp + threadIdx.y;
#=     tb[at_2] = k < b_shape0 && x < b_shape1 ? b[k * b_shape1 + x] : 0.0f;
#=     __syncthreads();
#=     for (int k_2 = 0; k_2 < 16; ++k_2) {  // for k in range(TILE):
#=       acc += ta[at + k_2] * tb[k_2 * 16 + (int)threadIdx.x];
#=     }
#=     __syncthreads();
#=   }
#=   if (y < c_shape0 && x < c_shape1) {
#=     c[y * c_shape1 + x] = acc;
#=   }
#= }
