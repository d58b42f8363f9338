# Parameters: pointer, shape, and strides only where the layout is not contiguous; bools are bytes.
#: contains .param .u64 .ptr .global .align 4 k_param_0
#: contains .param .u64 k_param_1
#: contains .param .u64 k_param_4
#: contains .param .u8 k_param_5
#: contains .param .f64 k_param_6
#: lacks k_param_7
from lanewise import gpu
from lanewise.gpu import boolean, float32, float64


@gpu.jit
def k(x: float32[:, :], flag: boolean, f: float64):
    i, j = gpu.grid(2)
    if i < x.shape[0] and j < x.shape[1] and flag:
        x[i, j] += float32(f)
