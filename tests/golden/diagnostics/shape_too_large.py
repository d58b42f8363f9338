from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(out):
    tile = gpu.shared.array((1 << 20, 1 << 20), "float32")

#= shape_too_large.py:6:29: error: an array of shape (1048576, 1048576) is too large [shape-too-large]
#=     6 |     tile = gpu.shared.array((1 << 20, 1 << 20), "float32")
#=       |                             ^~~~~~~~~~~~~~~~~~
