from lanewise import gpu


@gpu.jit("float32(float32[:], int64)")
def k(x, n):
    x[0] = n

#= signature_result.py:5:5: error: kernel `k` cannot have a result; the signature says float32 [signature-result]
#=     5 | def k(x, n):
#=       |     ^
#= hint: kernels return nothing: write void(...)
