# Shared, dynamic shared and local arrays, a barrier and atomics.
from lanewise import gpu
from lanewise.gpu import float32, int32


@gpu.jit("void(float32[::1], float32[::1], int32[::1])")
def memory(a, out, count):
    tile = gpu.shared.array((4, 8), float32)
    extra = gpu.shared.array(0, int32)
    mine = gpu.local.array(3, int32)
    t = gpu.threadIdx.x
    tile[1, t] = a[t]
    extra[t] = extra.size
    mine[2] = t
    gpu.syncthreads()
    out[t] = tile[1, 7 - t]
    gpu.atomic.add(count, 0, mine[2])
    gpu.atomic.cas(count, 1, 0, extra[t])

#= kernel @memory(%a: ptr<f32, global>, %a.shape0: i64, %out: ptr<f32, global>, %out.shape0: i64, %count: ptr<i32, global>, %count.shape0: i64) {
#=   %tile = shared_array 32 : ptr<f32, shared>
#=   %0 = const 4 : i64
#=   %1 = const 8 : i64
#=   %extra = dynamic_shared : ptr<i32, shared>
#=   %2 = dynamic_shared_bytes : i64
#=   %extra.shape0 = floor_div %2, %0 : i64
#=   %mine = local_array 3 : ptr<i32, local>
#=   %3 = const 3 : i64
#=   %4 = thread_id_x : i32
#=   %t = cast %4 : i64
#=   %5 = const 1 : i64
#=   %6 = const 0 : i64
#=   %7 = load %a, %t : f32
#=   %8 = add %1, %t : i64
#=   store %tile, %8, %7
#=   %9 = cast %extra.shape0 : i32
#=   store %extra, %t, %9
#=   %10 = cast %t : i32
#=   %11 = const 2 : i64
#=   store %mine, %11, %10
#=   barrier
#=   %12 = const 7 : i64
#=   %13 = sub %12, %t : i64
#=   %14 = lt %13, %6 : bool
#=   %15 = add %13, %1 : i64
#=   %16 = select %14, %15, %13 : i64
#=   %17 = add %1, %16 : i64
#=   %18 = load %tile, %17 : f32
#=   store %out, %t, %18
#=   %19 = load %mine, %11 : i32
#=   %20 = atomic_add %count, %6, %19 : i32
#=   %21 = const 0 : i32
#=   %22 = load %extra, %t : i32
#=   %23 = atomic_cas %count, %5, %21, %22 : i32
#=   return
#= }
