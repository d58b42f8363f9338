from lanewise import gpu


@gpu.jit("void(float33[:], int64)")
def k(x, n):
    x[0] = n


@gpu.jit("void(float32[:], int64")
def l(x, n):
    x[0] = n

#= signature.py:5:5: error: the signature `void(float33[:], int64)` cannot be read: `float33` is no type [signature]
#=     5 | def k(x, n):
#=       |     ^
#= hint: did you mean `float32`?
#= signature.py:10:5: error: the signature `void(float32[:], int64` cannot be read: expected `,` or `)` at its end [signature]
#=    10 | def l(x, n):
#=       |     ^
