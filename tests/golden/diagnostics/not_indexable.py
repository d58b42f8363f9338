from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    out[0] = n[0]
    x = out[1]
    out[1] = x[2]
    t = (1, 2)
    t[0] = 3
    t[1] += 3
    n[0] = 1

#= not_indexable.py:6:14: error: int64 has no elements to index [not-indexable]
#=     6 |     out[0] = n[0]
#=       |              ^
#= not_indexable.py:5:12: note: `n` is int64: the type of this argument
#=     5 | def k(out, n):
#=       |            ^
#= hint: this is one number; is an index too many, or `.shape` missing?
#= not_indexable.py:8:14: error: float32 has no elements to index [not-indexable]
#=     8 |     out[1] = x[2]
#=       |              ^
#= not_indexable.py:7:5: note: `x` became float32 here
#=     7 |     x = out[1]
#=       |     ^
#= hint: this is one number; is an index too many, or `.shape` missing?
#= not_indexable.py:10:5: error: (int, int) has no elements to index [not-indexable]
#=    10 |     t[0] = 3
#=       |     ^
#= not_indexable.py:9:5: note: `t` became (int, int) here
#=     9 |     t = (1, 2)
#=       |     ^
#= hint: tuples cannot be changed; `gpu.local.array(n, dtype)` can
#= not_indexable.py:11:5: error: (int, int) has no elements to index [not-indexable]
#=    11 |     t[1] += 3
#=       |     ^
#= not_indexable.py:9:5: note: `t` became (int, int) here
#=     9 |     t = (1, 2)
#=       |     ^
#= hint: tuples cannot be changed; `gpu.local.array(n, dtype)` can
#= not_indexable.py:12:5: error: int64 has no elements to index [not-indexable]
#=    12 |     n[0] = 1
#=       |     ^
#= not_indexable.py:5:12: note: `n` is int64: the type of this argument
#=     5 | def k(out, n):
#=       |            ^
