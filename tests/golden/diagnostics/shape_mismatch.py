from lanewise import gpu


@gpu.jit("void(float32[:, ::1])")
def k(out):
    a = gpu.local.array(3, "float32")
    b = gpu.local.array((2, 4), "float32")
    out[0] = a + b
    a[:] = b[0, 1:]
    a[:2] = 1, 2, 3
    b.reshape(3, -1)
    out[0] = a @ b

#= shape_mismatch.py:8:14: error: arrays of shapes (3,) and (2, 4) do not go together [shape-mismatch]
#=     8 |     out[0] = a + b
#=       |              ^~~~~
#= shape_mismatch.py:10:5: error: arrays of shapes (2,) and (3,) do not go together [shape-mismatch]
#=    10 |     a[:2] = 1, 2, 3
#=       |     ^~~~~
#= shape_mismatch.py:11:5: error: arrays of shapes (2, 4) and (3, 2) do not go together [shape-mismatch]
#=    11 |     b.reshape(3, -1)
#=       |     ^~~~~~~~~~~~~~~~
#= shape_mismatch.py:12:14: error: arrays of shapes (3,) and (2,) do not go together [shape-mismatch]
#=    12 |     out[0] = a @ b
#=       |              ^~~~~
