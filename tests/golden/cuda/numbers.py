# What C++ leaves undefined or does not have: functions of the preamble.
from lanewise import gpu

@gpu.jit("void(int32[::1], int32[::1], float32[::1], float16[::1], uint8[::1])")
def numbers(a, b, x, h, c):
    i = gpu.grid(1)
    s = a[i] * 31 + b[i]
    a[i] = s // b[i]
    b[i] = s << a[i]
    x[i] = x[i] // gpu.float32(s)
    h[i] = h[i] * h[i + 1] + gpu.float16(0.5)
    c[i] = gpu.uint8(x[i]) + c[i + 1]
    gpu.atomic.max(x, 0, x[i])

#= // numbers: CUDA C++ by Lanewise. Compile with -arch=compute_75
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
#= static __device__ int wrap_mul32(int a, int b) {
#=   return (int)((unsigned)a * (unsigned)b);
#= }
#=
#= static __device__ int wrap_add32(int a, int b) {
#=   return (int)((unsigned)a + (unsigned)b);
#= }
#=
#= // Rounded down, as Python's //; by zero it is 0, and the least number by -1 wraps.
#= static __device__ int floor_div32(int a, int b) {
#=   if (b == 0) return 0;
#=   if (b == -1) return (int)(0 - (unsigned)a);
#=   return a / b - (a % b != 0 && (a < 0) != (b < 0));
#= }
#=
#= // By any count, a negative one too.
#= static __device__ unsigned shift_left32(unsigned x, unsigned long long count) {
#=   return count < 32 ? x << count : 0;
#= }
#=
#= // Rounded down, as Python's //.
#= static __device__ float floor_div_float(float a, float b) {
#=   if (b == 0.0f) return a / b;
#=   float rest = fmodf(a, b), quotient = (a - rest) / b;
#=   if (rest != 0.0f && (b < 0.0f) != (rest < 0.0f)) quotient -= 1.0f;
#=   if (quotient == 0.0f) return copysignf(0.0f, a / b);
#=   float down = floorf(quotient);
#=   return quotient - down > 0.5f ? down + 1.0f : down;
#= }
#=
#= static __device__ float16 to_float16(float x) {
#=   float16 nearest;
#=   asm("cvt.rn.f16.f32 %0, %1;" : "=h"(nearest.bits) : "f"(x));
#=   return nearest;
#= }
#=
#= static __device__ float atomic_max_f32(float *at, float x) {
#=   unsigned *bits = (unsigned *)at, seen, there = *(volatile unsigned *)at;
#=   do {
#=     seen = there;
#=     float old = __uint_as_float(seen);
#=     float wanted = isnan(old) ? old : fmaxf(old, x);
#=     if (__float_as_uint(wanted) == seen) break;
#=     there = atomicCAS(bits, seen, __float_as_uint(wanted));
#=   } while (there != seen);
#=   return __uint_as_float(there);
#= }
#=
#= extern "C" __global__ void numbers(int *a, long long a_shape0, int *b, long long b_shape0, float *x,
#=                                    long long x_shape0, float16 *h, long long h_shape0, unsigned char *c,
#=                                    long long c_shape0) {
#=   const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#=   const int s = wrap_add32(wrap_mul32(a[i], 31), b[i]);
#=   a[i] = floor_div32(s, b[i]);
#=   b[i] = (int)shift_left32(s, a[i]);
#=   x[i] = floor_div_float(x[i], (float)s);
#=   const long long at = i + 1;
#=   h[i] = to_float16((float)to_float16((float)h[i] * (float)h[at]) + (float)float16{0x3800});
#=   c[i] = (unsigned char)((int)min(__float2uint_rz(x[i]), 255u) + c[at]);
#=   atomic_max_f32(&x[0], x[i]);
#= }
