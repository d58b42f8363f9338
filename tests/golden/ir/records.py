import numpy as np

from lanewise import gpu


@gpu.jit("void(record(x: float32, m: int32[2, 3])[:], packed record(b: int8, v: float64)[::1])")
def k(p, q):
    i = gpu.grid(1)
    p[i].x += q[i].v
    p[i].m[1, 2] = p["m"][i, 0, 0]
    q[i] = q[0]

#= kernel @k(%p: ptr<u8, global>, %p.shape0: i64, %p.stride0: i64, %q: ptr<u8, global>, %q.shape0: i64) {
#=   %0 = block_id_x : i32
#=   %1 = cast %0 : i64
#=   %2 = block_dim_x : i32
#=   %3 = cast %2 : i64
#=   %4 = mul %1, %3 : i64
#=   %5 = thread_id_x : i32
#=   %6 = cast %5 : i64
#=   %i = add %4, %6 : i64
#=   %7 = const 0 : i64
#=   %8 = mul %i, %p.stride0 : i64
#=   %9 = offset %p, %8 : ptr<u8, global>
#=   %10 = const 28 : i64
#=   %t = ptr_cast %9 : ptr<f32, global>
#=   %11 = const 1 : i64
#=   %12 = load %t, %7 : f32
#=   %13 = cast %12 : f64
#=   %14 = const 9 : i64
#=   %15 = mul %i, %14 : i64
#=   %16 = offset %q, %15 : ptr<u8, global>
#=   %17 = offset %16, %11 : ptr<u8, global>
#=   %18 = load %17, %7 : u8
#=   %19 = cast %18 : u64
#=   %20 = load %17, %11 : u8
#=   %21 = cast %20 : u64
#=   %22 = const 8 : i64
#=   %23 = shl %21, %22 : u64
#=   %24 = or %19, %23 : u64
#=   %25 = const 2 : i64
#=   %26 = load %17, %25 : u8
#=   %27 = cast %26 : u64
#=   %28 = const 16 : i64
#=   %29 = shl %27, %28 : u64
#=   %30 = or %24, %29 : u64
#=   %31 = const 3 : i64
#=   %32 = load %17, %31 : u8
#=   %33 = cast %32 : u64
#=   %34 = const 24 : i64
#=   %35 = shl %33, %34 : u64
#=   %36 = or %30, %35 : u64
#=   %37 = const 4 : i64
#=   %38 = load %17, %37 : u8
#=   %39 = cast %38 : u64
#=   %40 = const 32 : i64
#=   %41 = shl %39, %40 : u64
#=   %42 = or %36, %41 : u64
#=   %43 = const 5 : i64
#=   %44 = load %17, %43 : u8
#=   %45 = cast %44 : u64
#=   %46 = const 40 : i64
#=   %47 = shl %45, %46 : u64
#=   %48 = or %42, %47 : u64
#=   %49 = const 6 : i64
#=   %50 = load %17, %49 : u8
#=   %51 = cast %50 : u64
#=   %52 = const 48 : i64
#=   %53 = shl %51, %52 : u64
#=   %54 = or %48, %53 : u64
#=   %55 = const 7 : i64
#=   %56 = load %17, %55 : u8
#=   %57 = cast %56 : u64
#=   %58 = const 56 : i64
#=   %59 = shl %57, %58 : u64
#=   %60 = or %54, %59 : u64
#=   %61 = bitcast %60 : f64
#=   %62 = add %13, %61 : f64
#=   %63 = cast %62 : f32
#=   store %t, %7, %63
#=   %64 = offset %p, %37 : ptr<u8, global>
#=   %65 = const 12 : i64
#=   %66 = mul %i, %p.stride0 : i64
#=   %67 = offset %64, %66 : ptr<u8, global>
#=   %68 = ptr_cast %67 : ptr<i32, global>
#=   %69 = load %68, %7 : i32
#=   %70 = mul %i, %p.stride0 : i64
#=   %71 = offset %p, %70 : ptr<u8, global>
#=   %72 = offset %71, %37 : ptr<u8, global>
#=   %73 = ptr_cast %72 : ptr<i32, global>
#=   store %73, %43, %69
#=   %74 = mul %i, %14 : i64
#=   %75 = offset %q, %74 : ptr<u8, global>
#=   %76 = load %q, %7 : u8
#=   %77 = load %q, %11 : u8
#=   %78 = load %q, %25 : u8
#=   %79 = load %q, %31 : u8
#=   %80 = load %q, %37 : u8
#=   %81 = load %q, %43 : u8
#=   %82 = load %q, %49 : u8
#=   %83 = load %q, %55 : u8
#=   %84 = load %q, %22 : u8
#=   store %75, %7, %76
#=   store %75, %11, %77
#=   store %75, %25, %78
#=   store %75, %31, %79
#=   store %75, %37, %80
#=   store %75, %43, %81
#=   store %75, %49, %82
#=   store %75, %55, %83
#=   store %75, %22, %84
#=   return
#= }
