#: signature add(float32[:], int64)
from lanewise import gpu


@gpu.jit
def k(x, n):
    x[0] = n

#= <signature>:1:1: error: the signature is for `add`, the kernel is called `k` [signature-name]
#=     1 | add(float32[:], int64)
#=       | ^~~~~~~~~~~~~~~~~~~~~~
