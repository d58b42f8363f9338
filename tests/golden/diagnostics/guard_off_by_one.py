from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1])")
def k(x, a):
    i, j = gpu.grid(2)
    n = x.size
    if i <= n:
        x[i] = 0
    if i > len(x):
        return
    x[i] = 1
    if i < a.shape[0] and j <= a.shape[1]:
        a[i, j] = 2
    # The index is another one, or the bound of another array.
    if i <= n:
        x[i - 1] = 3
    if i <= a.shape[1]:
        a[i, 0] = 4


@gpu.jit("void(float32[::1])")
def good(x):
    i = gpu.grid(1)
    if i < x.size:
        x[i] = 1
    if i >= x.size:
        return
    x[i] = 2

#= guard_off_by_one.py:8:8: warning: `i <= n` lets `i` be one past the end of `x` [guard-off-by-one]
#=     8 |     if i <= n:
#=       |        ^~~~~~
#= guard_off_by_one.py:9:9: note: used as an index here
#=     9 |         x[i] = 0
#=       |         ^~~~
#= hint: valid indices end before the length: write `<`
#= guard_off_by_one.py:10:8: warning: `i > len(x)` lets `i` be one past the end of `x` [guard-off-by-one]
#=    10 |     if i > len(x):
#=       |        ^~~~~~~~~~
#= guard_off_by_one.py:12:5: note: used as an index here
#=    12 |     x[i] = 1
#=       |     ^~~~
#= hint: valid indices end before the length: write `>=`
#= guard_off_by_one.py:13:27: warning: `j <= a.shape[1]` lets `j` be one past the end of `a` [guard-off-by-one]
#=    13 |     if i < a.shape[0] and j <= a.shape[1]:
#=       |                           ^~~~~~~~~~~~~~~
#= guard_off_by_one.py:14:9: note: used as an index here
#=    14 |         a[i, j] = 2
#=       |         ^~~~~~~
#= hint: valid indices end before the length: write `<`
