# break, continue, else of a loop, an early return, raise, print.
from lanewise import gpu

@gpu.jit("void(int64[::1], float64[:, :], int32)")
def misc(a, m, n):
    i = gpu.grid(1)
    s = 0
    while True:
        if i >= a.size: return
        for j in range(n):
            if a[j] == 3: break
            if a[j] == 4: continue
            s += a[j]
        else:
            s += 100
        if s > 10: break
        i += 1
    if s < 0: raise ValueError(f"bad {s}")
    print("s", s, m[i, -1])
    m[i, 0] = float(s) / n

#= // misc: CUDA C++ by Lanewise. Compile with -arch=compute_75
#=
#= static __device__ long long wrap_add64(long long a, long long b) {
#=   return (long long)((unsigned long long)a + (unsigned long long)b);
#= }
#=
#= extern "C" __global__ void misc(const long long *a, long long a_shape0, double *m, long long m_shape0,
#=                                 long long m_shape1, long long m_stride0, long long m_stride1, int n) {
#=   long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#=   long long s = 0;
#=   while (true) {
#=     if (i >= a_shape0) return;
#=     {
#=       for (int j = 0; j < n; ++j) {  // for j in range(n):
#=         if (a[j] == 3) goto done;
#=         if (a[j] == 4) continue;
#=         s = wrap_add64(s, a[j]);
#=       }
#=       s = wrap_add64(s, 100);
#=     }
#= done:;
#=     if (s > 10) break;
#=     i += 1;
#=   }
#=   if (s < 0) {
#=     // raise ValueError: bad {}
#=     return;
#=   }
#=   const long long at = i * m_stride0;
#=   const double printed = m[at + (m_shape1 - 1) * m_stride1];
#=   printf("s %lld %.15g%s\n", s, printed, trunc(printed) == printed && fabs(printed) < 1e15 ? ".0" : "");
#=   m[at] = (double)s / (double)n;
#= }
