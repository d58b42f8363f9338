from lanewise import gpu


@gpu.jit("void(float32[:, ::1])")
def k(out):
    a, b, c = out.shape
    x, y = gpu.grid(3)
    (p, q), r = (1, 2), 3

#= unpack_count.py:6:15: error: 2 values are unpacked into 3 names [unpack-count]
#=     6 |     a, b, c = out.shape
#=       |               ^~~~~~~~~
#= unpack_count.py:6:5: note: these names
#=     6 |     a, b, c = out.shape
#=       |     ^~~~~~~
#= unpack_count.py:7:12: error: 3 values are unpacked into 2 names [unpack-count]
#=     7 |     x, y = gpu.grid(3)
#=       |            ^~~~~~~~~~~
#= unpack_count.py:7:5: note: these names
#=     7 |     x, y = gpu.grid(3)
#=       |     ^~~~
#= hint: its argument says how many: `gpu.grid(2)`
