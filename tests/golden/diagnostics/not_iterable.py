from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    for i in n:
        out[i] = 1
    for c in "abc":
        out[0] = 1

#= not_iterable.py:6:14: error: a loop cannot go over int64 [not-iterable]
#=     6 |     for i in n:
#=       |              ^
#= not_iterable.py:5:12: note: `n` is int64: the type of this argument
#=     5 | def k(out, n):
#=       |            ^
#= hint: did you mean `range(n)`?
#= not_iterable.py:8:14: error: a loop cannot go over a string [not-iterable]
#=     8 |     for c in "abc":
#=       |              ^~~~~
