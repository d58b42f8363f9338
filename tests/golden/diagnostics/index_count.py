from lanewise import gpu


@gpu.jit("void(float32[:, ::1], int64)")
def k(out, n):
    out[n, n, n] = 1
    out[0][0][0] = 1
    gpu.atomic.add(out, n, 1)

#= index_count.py:6:5: error: float32[:, ::1] has 2 dimensions, but is indexed with 3 [index-count]
#=     6 |     out[n, n, n] = 1
#=       |     ^~~~~~~~~~~~
#= index_count.py:5:7: note: `out` is float32[:, ::1]: the type of this argument
#=     5 | def k(out, n):
#=       |       ^~~
#= index_count.py:7:5: error: float32 has no elements to index [not-indexable]
#=     7 |     out[0][0][0] = 1
#=       |     ^~~~~~~~~
#= index_count.py:8:25: error: float32[:, ::1] has 2 dimensions, but is indexed with 1 [index-count]
#=     8 |     gpu.atomic.add(out, n, 1)
#=       |                         ^
#= index_count.py:5:7: note: `out` is float32[:, ::1]: the type of this argument
#=     5 | def k(out, n):
#=       |       ^~~
