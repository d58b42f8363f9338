# Arrays are handed over as addresses, results of several values are several results.
from lanewise import gpu

rotate = gpu.cuda_function(
    """
__device__ float2 rotate(float2 z) { return make_float2(-z.y, z.x); }
""",
    "rotate",
    "complex64(complex64)",
    options=["-DN=3"],
)
total = gpu.declare_device("total", "float64(float64[::1], int32)", abi="c")


@gpu.jit("void(complex64[::1], float64[::1])")
def k(z, x):
    z[0] = rotate(z[1])
    x[0] = total(x[1:], x.size - 1)

#= external 0 @lanewise_call_rotate_827f0cb7 line 5
#=   file cuda_functions.py
#=   source "\x0a__device__ float2 rotate(float2 z) { return make_float2(-z.y, z.x); }\x0a"
#=   bridge "extern \"C\" __device__ const unsigned lanewise_wanted_rotate_827f0cb7[] = {1800, 1800};\x0aextern \"C\" __device__ const lanewise_bridge::types<decltype(&rotate)> lanewise_types_rotate_827f0cb7 = {};\x0a#ifndef LANEWISE_TYPES_ONLY\x0astruct lanewise_result_rotate_827f0cb7 { float v0; float v1; };\x0aextern \"C\" __device__ lanewise_result_rotate_827f0cb7 lanewise_call_rotate_827f0cb7(float a0_0, float a0_1) {\x0a  using types = lanewise_bridge::types<decltype(&rotate)>;\x0a  float a0[2] = {a0_0, a0_1};\x0a  return lanewise_bridge::as<lanewise_result_rotate_827f0cb7>(rotate(lanewise_bridge::as<types::parameter<0>>(a0)));\x0a}\x0a#endif\x0a"
#=   option "-DN=3"
#=
#= external 1 @total line 1
#=
#= kernel @k(%z: ptr<f32, global>, %z.shape0: i64, %x: ptr<f64, global>, %x.shape0: i64) {
#=   %0 = const 1 : i64
#=   %1 = const 0 : i64
#=   %2 = const 2 : i64
#=   %3 = load %z, %2 : f32
#=   %4 = const 3 : i64
#=   %5 = load %z, %4 : f32
#=   %6, %7 = call_external 0 %3, %5 : f32, f32
#=   store %z, %1, %6
#=   store %z, %0, %7
#=   %8 = const -1 : i64
#=   %9 = min %0, %x.shape0 : i64
#=   %10 = sub %x.shape0, %9 : i64
#=   %11 = max %10, %1 : i64
#=   %12 = offset %x, %9 : ptr<f64, global>
#=   %13 = sub %x.shape0, %0 : i64
#=   %14 = cast %13 : i32
#=   %15 = call_external 1 %12, %14 : f64
#=   store %x, %1, %15
#=   return
#= }
