# Addresses in every layout, negative indices, views and slices.
from lanewise import gpu


@gpu.jit("void(float32[:, :, ::1], float32[::1, :], float32[:, :], int64)")
def layouts(c, f, s, i):
    c[i, 1, -1] = f[i, 2]
    s[-2, i] = f[-1, i]


@gpu.jit(device=True)
def total(v):
    t = 0.0
    for i in range(v.size):
        t += v[i]
    return t


@gpu.jit("void(float32[:, ::1], float32[::1])")
def rows(a, out):
    out[0] = total(a[1])
    out[1] = total(a[:, 0])
    out[2] = total(out[1:-1])
    out[3] = total(out[::-2])

#= kernel @layouts(%c: ptr<f32, global>, %c.shape0: i64, %c.shape1: i64, %c.shape2: i64, %f: ptr<f32, global>, %f.shape0: i64, %f.shape1: i64, %s: ptr<f32, global>, %s.shape0: i64, %s.shape1: i64, %s.stride0: i64, %s.stride1: i64, %i: i64) {
#=   %0 = const 1 : i64
#=   %1 = const 0 : i64
#=   %2 = lt %i, %1 : bool
#=   %3 = add %i, %f.shape0 : i64
#=   %4 = select %2, %3, %i : i64
#=   %5 = const 2 : i64
#=   %6 = mul %5, %f.shape0 : i64
#=   %7 = add %4, %6 : i64
#=   %8 = load %f, %7 : f32
#=   %9 = mul %c.shape2, %c.shape1 : i64
#=   %10 = lt %i, %1 : bool
#=   %11 = add %i, %c.shape0 : i64
#=   %12 = select %10, %11, %i : i64
#=   %13 = mul %12, %9 : i64
#=   %14 = add %13, %c.shape2 : i64
#=   %15 = const -1 : i64
#=   %16 = add %15, %c.shape2 : i64
#=   %17 = add %14, %16 : i64
#=   store %c, %17, %8
#=   %18 = add %15, %f.shape0 : i64
#=   %19 = lt %i, %1 : bool
#=   %20 = add %i, %f.shape1 : i64
#=   %21 = select %19, %20, %i : i64
#=   %22 = mul %21, %f.shape0 : i64
#=   %23 = add %18, %22 : i64
#=   %24 = load %f, %23 : f32
#=   %25 = const -2 : i64
#=   %26 = add %25, %s.shape0 : i64
#=   %27 = mul %26, %s.stride0 : i64
#=   %28 = lt %i, %1 : bool
#=   %29 = add %i, %s.shape1 : i64
#=   %30 = select %28, %29, %i : i64
#=   %31 = mul %30, %s.stride1 : i64
#=   %32 = add %27, %31 : i64
#=   store %s, %32, %24
#=   return
#= }
#=
#= kernel @rows(%a: ptr<f32, global>, %a.shape0: i64, %a.shape1: i64, %out: ptr<f32, global>, %out.shape0: i64) {
#=   %0 = const 1 : i64
#=   %1 = const 0 : i64
#=   %2 = offset %a, %a.shape1 : ptr<f32, global>
#=   %3 = call @total %2, %a.shape1 : f32
#=   store %out, %1, %3
#=   %4 = call @total.1 %a, %a.shape0, %a.shape1 : f32
#=   store %out, %0, %4
#=   %5 = const -1 : i64
#=   %6 = min %0, %out.shape0 : i64
#=   %7 = add %5, %out.shape0 : i64
#=   %8 = max %7, %1 : i64
#=   %9 = min %8, %out.shape0 : i64
#=   %10 = sub %9, %6 : i64
#=   %11 = max %10, %1 : i64
#=   %12 = offset %out, %6 : ptr<f32, global>
#=   %13 = call @total %12, %11 : f32
#=   %14 = const 2 : i64
#=   store %out, %14, %13
#=   %15 = const -2 : i64
#=   %16 = add %out.shape0, %5 : i64
#=   %17 = sub %5, %16 : i64
#=   %18 = add %17, %0 : i64
#=   %19 = floor_div %18, %15 : i64
#=   %20 = lt %17, %1 : bool
#=   %21 = gt %17, %1 : bool
#=   %22 = add %19, %0 : i64
#=   %23 = select %20, %22, %1 : i64
#=   %24 = offset %out, %16 : ptr<f32, global>
#=   %25 = call @total.1 %24, %23, %15 : f32
#=   %26 = const 3 : i64
#=   store %out, %26, %25
#=   return
#= }
#=
#= function @total(%v: ptr<f32, global>, %v.shape0: i64) -> f32 {
#=   %t = var : var<f32>
#=   %t.1 = const 0.0 : f64
#=   %0 = const 0.0 : f32
#=   set %t, %0
#=   %1 = const 0 : i64
#=   %2 = const 1 : i64
#=   for %1, %v.shape0, %2 do(%i: i64) {
#=     %3 = get %t : f32
#=     %4 = load %v, %i : f32
#=     %5 = add %3, %4 : f32
#=     set %t, %5
#=     yield
#=   }
#=   %6 = get %t : f32
#=   return %6
#= }
#=
#= function @total.1(%v: ptr<f32, global>, %v.shape0: i64, %v.stride0: i64) -> f32 {
#=   %t = var : var<f32>
#=   %t.1 = const 0.0 : f64
#=   %0 = const 0.0 : f32
#=   set %t, %0
#=   %1 = const 0 : i64
#=   %2 = const 1 : i64
#=   for %1, %v.shape0, %2 do(%i: i64) {
#=     %3 = get %t : f32
#=     %4 = mul %i, %v.stride0 : i64
#=     %5 = load %v, %4 : f32
#=     %6 = add %3, %5 : f32
#=     set %t, %6
#=     yield
#=   }
#=   %7 = get %t : f32
#=   return %7
#= }
