from lanewise import gpu


@gpu.jit("void(float32[:, ::1], int32, int32)")
def k(a, h, w):
    i, j = gpu.grid(2)
    if i < h or j < w:
        a[i, j] = 1
    if i >= h and j >= w:
        return
    a[i, j] = 2


@gpu.jit("void(float32[:, ::1], float32[::1], int32, int32)")
def good(a, row, h, w):
    i, j = gpu.grid(2)
    if i >= h and j >= w:
        return
    if i < h:
        row[i] = 0
    if i >= h or j >= w:
        return
    if i < h and j < w:
        row[j] = a[0, i]

#= guard_and_or.py:7:8: warning: `i < h or j < w` does not keep every index inside its array [guard-and-or]
#=     7 |     if i < h or j < w:
#=       |        ^~~~~~~~~~~~~~
#= guard_and_or.py:8:9: note: all of them are indices here
#=     8 |         a[i, j] = 1
#=       |         ^~~~~~~
#= hint: an element is outside if one index is: write `and`
#= guard_and_or.py:9:8: warning: `i >= h and j >= w` does not keep every index inside its array [guard-and-or]
#=     9 |     if i >= h and j >= w:
#=       |        ^~~~~~~~~~~~~~~~~
#= guard_and_or.py:11:5: note: all of them are indices here
#=    11 |     a[i, j] = 2
#=       |     ^~~~~~~
#= hint: an element is outside if one index is: write `or`
