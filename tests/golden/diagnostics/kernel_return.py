from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(out):
    if out.size == 0:
        return None
    return out[0]

#= kernel_return.py:8:5: error: a kernel returns nothing, but this is float32 [kernel-return]
#=     8 |     return out[0]
#=       |     ^~~~~~~~~~~~~
#= hint: write the result into an array argument
