from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[::1, :], float32[:])")
def k(c, f, s):
    c[0].reshape(2, 2)
    c[:, 1:].reshape(-1)
    f.reshape(-1)
    f.ravel(order="F")
    s.ravel()

#= not_contiguous.py:7:5: error: float32[:, :] cannot be reshaped without a copy: its elements do not lie in C order [not-contiguous]
#=     7 |     c[:, 1:].reshape(-1)
#=       |     ^~~~~~~~~~~~~~~~~~~~
#= hint: index the dimensions it has
#= not_contiguous.py:8:5: error: float32[::1, :] cannot be reshaped without a copy: its elements do not lie in C order [not-contiguous]
#=     8 |     f.reshape(-1)
#=       |     ^~~~~~~~~~~~~
#= not_contiguous.py:5:10: note: `f` is float32[::1, :]: the type of this argument
#=     5 | def k(c, f, s):
#=       |          ^
#= hint: `order="F"` reshapes it; or index the dimensions it has
#= not_contiguous.py:10:5: error: float32[:] cannot be reshaped without a copy: its elements do not lie in C order [not-contiguous]
#=    10 |     s.ravel()
#=       |     ^~~~~~~~~
#= not_contiguous.py:5:13: note: `s` is float32[:]: the type of this argument
#=     5 | def k(c, f, s):
#=       |             ^
#= hint: index the dimensions it has
