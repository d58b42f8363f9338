from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1], int64)")
def rows(out, a, b, y):
    if y >= 0:
        out[y, :] = 0.5 * (a[y, :] + b[y, :])


@gpu.jit("void(float32[::1], float32[::1])")
def total(x, out):
    out[0] = (x * x).sum()
    x[1:] = x[:-1]


@gpu.jit("void(float32[:, :, ::1], float32[::1])")
def views(x, out):
    out[0] = x.reshape(6, -1)[1, 2]
    out[1] = x.transpose(2, 0, 1)[1, 2, 0]
    out[2] = x[None, :, 1][0, 1, 2]

#= message 0 @ValueError : "`out[y, :]`: extents {} and {} do not go together"
#=
#= kernel @rows(%out: ptr<f32, global>, %out.shape0: i64, %out.shape1: i64, %a: ptr<f32, global>, %a.shape0: i64, %a.shape1: i64, %b: ptr<f32, global>, %b.shape0: i64, %b.shape1: i64, %y: i64) {
#=   %0 = const 0 : i64
#=   %1 = ge %y, %0 : bool
#=   %2 = const 1 : i64
#=   if %1 then {
#=     %3 = lt %y, %0 : bool
#=     %4 = add %y, %a.shape0 : i64
#=     %5 = select %3, %4, %y : i64
#=     %6 = mul %5, %a.shape1 : i64
#=     %t = offset %a, %6 : ptr<f32, global>
#=     %7 = lt %y, %0 : bool
#=     %8 = add %y, %b.shape0 : i64
#=     %9 = select %7, %8, %y : i64
#=     %10 = mul %9, %b.shape1 : i64
#=     %t.1 = offset %b, %10 : ptr<f32, global>
#=     %11 = lt %y, %0 : bool
#=     %12 = add %y, %out.shape0 : i64
#=     %13 = select %11, %12, %y : i64
#=     %14 = mul %13, %out.shape1 : i64
#=     %t.2 = offset %out, %14 : ptr<f32, global>
#=     %15 = eq %a.shape1, %b.shape1 : bool
#=     %16 = eq %a.shape1, %out.shape1 : bool
#=     %17 = and %15, %16 : bool
#=     if %17 then {
#=       for %0, %out.shape1, %2 do(%t.3: i64) {
#=         %18 = const 0.5 : f32
#=         %19 = load %t, %t.3 : f32
#=         %20 = load %t.1, %t.3 : f32
#=         %21 = add %19, %20 : f32
#=         %22 = mul %18, %21 : f32
#=         store %t.2, %t.3, %22
#=         yield
#=       }
#=       yield
#=     } else {
#=       %23 = ne %a.shape1, %b.shape1 : bool
#=       if %23 then {
#=         report 0 %a.shape1, %b.shape1
#=         yield
#=       } else {
#=         yield
#=       }
#=       %24 = ne %a.shape1, %out.shape1 : bool
#=       if %24 then {
#=         report 0 %a.shape1, %out.shape1
#=         yield
#=       } else {
#=         yield
#=       }
#=       yield
#=     }
#=     yield
#=   } else {
#=     yield
#=   }
#=   return
#= }
#=
#= kernel @total(%x: ptr<f32, global>, %x.shape0: i64, %out: ptr<f32, global>, %out.shape0: i64) {
#=   %t = var : var<f32>
#=   %0 = const 1 : i64
#=   %1 = const 0.0 : f32
#=   set %t, %1
#=   %2 = const 0 : i64
#=   for %2, %x.shape0, %0 do(%t.1: i64) {
#=     %3 = get %t : f32
#=     %4 = load %x, %t.1 : f32
#=     %5 = load %x, %t.1 : f32
#=     %6 = mul %4, %5 : f32
#=     %7 = add %3, %6 : f32
#=     set %t, %7
#=     yield
#=   }
#=   %8 = get %t : f32
#=   store %out, %2, %8
#=   %9 = const -1 : i64
#=   %10 = min %0, %x.shape0 : i64
#=   %11 = sub %x.shape0, %10 : i64
#=   %t.shape0 = max %11, %2 : i64
#=   %t.2 = offset %x, %10 : ptr<f32, global>
#=   %12 = add %9, %x.shape0 : i64
#=   %13 = max %12, %2 : i64
#=   %t.shape0.1 = min %13, %x.shape0 : i64
#=   %14 = sub %t.shape0, %0 : i64
#=   for %14, %9, %9 do(%t.3: i64) {
#=     %15 = load %x, %t.3 : f32
#=     store %t.2, %t.3, %15
#=     yield
#=   }
#=   return
#= }
#=
#= kernel @views(%x: ptr<f32, global>, %x.shape0: i64, %x.shape1: i64, %x.shape2: i64, %out: ptr<f32, global>, %out.shape0: i64) {
#=   %0 = const 1 : i64
#=   %1 = mul %x.shape2, %x.shape1 : i64
#=   %2 = mul %0, %x.shape0 : i64
#=   %3 = mul %x.shape2, %x.shape1 : i64
#=   %4 = mul %2, %x.shape1 : i64
#=   %5 = mul %x.shape2, %x.shape1 : i64
#=   %6 = mul %4, %x.shape2 : i64
#=   %7 = const 6 : i64
#=   %t = floor_div %6, %7 : i64
#=   %8 = mul %x.shape2, %x.shape1 : i64
#=   %9 = const 0 : i64
#=   %10 = const 2 : i64
#=   %11 = add %t, %10 : i64
#=   %12 = load %x, %11 : f32
#=   store %out, %9, %12
#=   %13 = mul %x.shape2, %x.shape1 : i64
#=   %14 = mul %10, %13 : i64
#=   %15 = add %0, %14 : i64
#=   %16 = load %x, %15 : f32
#=   store %out, %0, %16
#=   %17 = mul %x.shape2, %x.shape1 : i64
#=   %18 = offset %x, %x.shape2 : ptr<f32, global>
#=   %19 = add %17, %10 : i64
#=   %20 = load %18, %19 : f32
#=   store %out, %10, %20
#=   return
#= }
