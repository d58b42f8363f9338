# Loops with an else part and the ways out of them; a while whose condition is recomputed each turn.
from lanewise import gpu


@gpu.jit("void(int32[::1], int64)")
def find(a, wanted):
    where = -1
    for i in range(a.size):
        if a[i] == wanted:
            where = i
            break
    else:
        where = -2
    a[0] = where


@gpu.jit("void(int32[::1])")
def countdown(a):
    n = 10
    while n > 0:
        n -= 3
        if n == 4:
            continue
        a[n] = n


@gpu.jit("void(int32[::1])")
def early(a):
    i = gpu.grid(1)
    if i >= a.size:
        return
    a[i] = i

#= kernel @find(%a: ptr<i32, global>, %a.shape0: i64, %wanted: i64) {
#=   %where = var : var<i64>
#=   %0 = const -1 : i64
#=   set %where, %0
#=   %1 = const 0 : i64
#=   %2 = const 1 : i64
#=   %3 = const -2 : i64
#=   scope body {
#=     for %1, %a.shape0, %2 do(%i: i64) {
#=       %4 = load %a, %i : i32
#=       %5 = cast %4 : i64
#=       %6 = eq %5, %wanted : bool
#=       if %6 then {
#=         set %where, %i
#=         leave 0
#=       } else {
#=         yield
#=       }
#=       yield
#=     }
#=     set %where, %3
#=     yield
#=   }
#=   %7 = get %where : i64
#=   %8 = cast %7 : i32
#=   store %a, %1, %8
#=   return
#= }
#=
#= kernel @countdown(%a: ptr<i32, global>, %a.shape0: i64) {
#=   %n = var : var<i64>
#=   %0 = const 10 : i64
#=   set %n, %0
#=   %1 = const 0 : i64
#=   %2 = const 3 : i64
#=   %3 = const 4 : i64
#=   %4 = const 1 : i64
#=   while cond {
#=     %5 = get %n : i64
#=     %6 = gt %5, %1 : bool
#=     yield %6
#=   } do {
#=     %7 = get %n : i64
#=     %8 = sub %7, %2 : i64
#=     set %n, %8
#=     %9 = get %n : i64
#=     %10 = eq %9, %3 : bool
#=     if %10 then {
#=       continue
#=     } else {
#=       yield
#=     }
#=     %11 = get %n : i64
#=     %12 = cast %11 : i32
#=     %13 = get %n : i64
#=     %14 = lt %13, %1 : bool
#=     %15 = add %13, %a.shape0 : i64
#=     %16 = select %14, %15, %13 : i64
#=     store %a, %16, %12
#=     yield
#=   }
#=   return
#= }
#=
#= kernel @early(%a: ptr<i32, global>, %a.shape0: i64) {
#=   %0 = block_id_x : i32
#=   %1 = cast %0 : i64
#=   %2 = block_dim_x : i32
#=   %3 = cast %2 : i64
#=   %4 = mul %1, %3 : i64
#=   %5 = thread_id_x : i32
#=   %6 = cast %5 : i64
#=   %i = add %4, %6 : i64
#=   %7 = const 1 : i64
#=   %8 = ge %i, %a.shape0 : bool
#=   if %8 then {
#=     return
#=   } else {
#=     yield
#=   }
#=   %9 = cast %i : i32
#=   %10 = const 0 : i64
#=   store %a, %i, %9
#=   return
#= }
