# Cheap guards are one condition; what must not be evaluated stays in a region.
from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[:, ::1])")
def inner(a, b):
    x, y = gpu.grid(2)
    if 0 < x < a.shape[1] - 1 and 0 < y < a.shape[0] - 1:
        b[y, x] = a[y, x]


@gpu.jit("void(int32[::1], int64)")
def guarded(a, i):
    if i < a.size and a[i] > 0:
        a[i] = 0
    a[0] = a[i] if i < a.size else i

#= kernel @inner(%a: ptr<f32, global>, %a.shape0: i64, %a.shape1: i64, %b: ptr<f32, global>, %b.shape0: i64, %b.shape1: i64) {
#=   %0 = block_id_x : i32
#=   %1 = cast %0 : i64
#=   %2 = block_dim_x : i32
#=   %3 = cast %2 : i64
#=   %4 = mul %1, %3 : i64
#=   %5 = thread_id_x : i32
#=   %6 = cast %5 : i64
#=   %x = add %4, %6 : i64
#=   %7 = block_id_y : i32
#=   %8 = cast %7 : i64
#=   %9 = block_dim_y : i32
#=   %10 = cast %9 : i64
#=   %11 = mul %8, %10 : i64
#=   %12 = thread_id_y : i32
#=   %13 = cast %12 : i64
#=   %y = add %11, %13 : i64
#=   %14 = const 0 : i64
#=   %15 = lt %14, %x : bool
#=   %16 = const 1 : i64
#=   %17 = sub %a.shape1, %16 : i64
#=   %18 = lt %x, %17 : bool
#=   %19 = and %15, %18 : bool
#=   %20 = lt %14, %y : bool
#=   %21 = sub %a.shape0, %16 : i64
#=   %22 = lt %y, %21 : bool
#=   %23 = and %20, %22 : bool
#=   %24 = and %19, %23 : bool
#=   if %24 then {
#=     %25 = mul %y, %a.shape1 : i64
#=     %26 = add %25, %x : i64
#=     %27 = load %a, %26 : f32
#=     %28 = mul %y, %b.shape1 : i64
#=     %29 = add %28, %x : i64
#=     store %b, %29, %27
#=     yield
#=   } else {
#=     yield
#=   }
#=   return
#= }
#=
#= kernel @guarded(%a: ptr<i32, global>, %a.shape0: i64, %i: i64) {
#=   %0 = const 1 : i64
#=   %1 = lt %i, %a.shape0 : bool
#=   %2 = const 0 : i64
#=   %3 = if %1 : bool then {
#=     %4 = lt %i, %2 : bool
#=     %5 = add %i, %a.shape0 : i64
#=     %6 = select %4, %5, %i : i64
#=     %7 = load %a, %6 : i32
#=     %8 = const 0 : i32
#=     %9 = gt %7, %8 : bool
#=     yield %9
#=   } else {
#=     yield %1
#=   }
#=   if %3 then {
#=     %10 = const 0 : i32
#=     %11 = lt %i, %2 : bool
#=     %12 = add %i, %a.shape0 : i64
#=     %13 = select %11, %12, %i : i64
#=     store %a, %13, %10
#=     yield
#=   } else {
#=     yield
#=   }
#=   %14 = lt %i, %a.shape0 : bool
#=   %15 = if %14 : i64 then {
#=     %16 = lt %i, %2 : bool
#=     %17 = add %i, %a.shape0 : i64
#=     %18 = select %16, %17, %i : i64
#=     %19 = load %a, %18 : i32
#=     %20 = cast %19 : i64
#=     yield %20
#=   } else {
#=     yield %i
#=   }
#=   %21 = cast %15 : i32
#=   store %a, %2, %21
#=   return
#= }
