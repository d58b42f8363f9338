from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    if n > 0:
    x[0] = 1

#= expected_block.py:7:5: error: expected an indented block after `if` [expected-block]
#=     7 |     x[0] = 1
#=       |     ^
