# Calls with several results, tuples flattened, a local that needs a slot beside locals that do not.
from lanewise import gpu


@gpu.jit(device=True)
def divide(a, b, extra=(1, 2)):
    return a // b, (a % b, extra[1])


@gpu.jit("void(int32[::1])")
def call(x):
    q, rest = divide(x[0], x[1])
    last = q
    if q > 3:
        last = rest[0]
    q, last = last, q
    x[2] = last + q + rest[1]

#= kernel @call(%x: ptr<i32, global>, %x.shape0: i64) {
#=   %q = var : var<i32>
#=   %last = var : var<i32>
#=   %0 = const 1 : i64
#=   %1 = const 0 : i64
#=   %2 = load %x, %1 : i32
#=   %3 = load %x, %0 : i32
#=   %4 = const 2 : i64
#=   %t.0, %t.1.0, %t.1.1 = call @divide %2, %3, %0, %4 : i32, i32, i64
#=   set %q, %t.0
#=   %5 = get %q : i32
#=   set %last, %5
#=   %6 = get %q : i32
#=   %7 = const 3 : i32
#=   %8 = gt %6, %7 : bool
#=   if %8 then {
#=     set %last, %t.1.0
#=     yield
#=   } else {
#=     yield
#=   }
#=   %t = get %last : i32
#=   %t.1 = get %q : i32
#=   set %q, %t
#=   set %last, %t.1
#=   %9 = get %last : i32
#=   %10 = get %q : i32
#=   %11 = add %9, %10 : i32
#=   %12 = cast %11 : i64
#=   %13 = add %12, %t.1.1 : i64
#=   %14 = cast %13 : i32
#=   store %x, %4, %14
#=   return
#= }
#=
#= function @divide(%a: i32, %b: i32, %extra.0: i64, %extra.1: i64) -> i32, i32, i64 {
#=   %0 = floor_div %a, %b : i32
#=   %1 = floor_mod %a, %b : i32
#=   return %0, %1, %extra.1
#= }
