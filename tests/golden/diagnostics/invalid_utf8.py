from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = nÿ

#= invalid_utf8.py:6:13: error: the text is not valid UTF-8 [invalid-utf8]
#=     6 |     x[0] = nï¿½
#=       |             ^
