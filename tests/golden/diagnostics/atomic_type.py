from lanewise import gpu


@gpu.jit("void(float32[::1], uint8[::1])")
def k(out, bytes):
    gpu.atomic.add(bytes, 0, 1)
    gpu.atomic.and_(out, 0, 1)
    mine = gpu.local.array(4, "int32")
    gpu.atomic.add(mine, 0, 1)

#= atomic_type.py:6:20: error: `gpu.atomic.add` does not work on uint8[::1] [atomic-type]
#=     6 |     gpu.atomic.add(bytes, 0, 1)
#=       |                    ^~~~~
#= atomic_type.py:5:12: note: `bytes` is uint8[::1]: the type of this argument
#=     5 | def k(out, bytes):
#=       |            ^~~~~
#= hint: integers of fewer than 32 bits have no atomics: collect in an int32 array
#= atomic_type.py:7:21: error: `gpu.atomic.and_` does not work on float32[::1] [atomic-type]
#=     7 |     gpu.atomic.and_(out, 0, 1)
#=       |                     ^~~
#= atomic_type.py:5:7: note: `out` is float32[::1]: the type of this argument
#=     5 | def k(out, bytes):
#=       |       ^~~
#= hint: it works on 32- and 64-bit integers
