from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    if n:
        x[0] = 1
      x[1] = 2

#= inconsistent_unindent.py:8:1: error: this line's indentation matches no outer level [inconsistent-unindent]
#=     8 |       x[1] = 2
#=       | ^~~~~~
