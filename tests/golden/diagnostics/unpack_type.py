from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    a, b = n
    out[0] = max(*n)

#= unpack_type.py:6:12: error: int64 cannot be unpacked [unpack-type]
#=     6 |     a, b = n
#=       |            ^
#= unpack_type.py:5:12: note: `n` is int64: the type of this argument
#=     5 | def k(out, n):
#=       |            ^
#= unpack_type.py:7:19: error: int64 cannot be unpacked [unpack-type]
#=     7 |     out[0] = max(*n)
#=       |                   ^
