# The whole pipeline on a kernel: no variables, no calls, no wrap of an index that is not negative.
from lanewise import gpu


@gpu.jit(device=True)
def line(a, x, b):
    return a * x + b


@gpu.jit("void(float32, float32[::1], float32[::1])")
def saxpy(a, x, y):
    i = gpu.grid(1)
    if i < y.size:
        y[i] = line(a, x[i], y[i])

#= kernel @saxpy(%a: f32, %x: ptr<f32, global>, %x.shape0: i64, %y: ptr<f32, global>, %y.shape0: i64) {
#=   %0 = block_id_x : i32
#=   %1 = cast %0 : i64
#=   %2 = block_dim_x : i32
#=   %3 = cast %2 : i64
#=   %4 = mul %1, %3 : i64
#=   %5 = thread_id_x : i32
#=   %6 = cast %5 : i64
#=   %i = add %4, %6 : i64
#=   %7 = lt %i, %y.shape0 : bool
#=   if %7 then {
#=     %8 = load %x, %i : f32
#=     %9 = load %y, %i : f32
#=     %10 = mul %a, %8 : f32
#=     %11 = add %10, %9 : f32
#=     store %y, %i, %11
#=     yield
#=   } else {
#=     yield
#=   }
#=   return
#= }
