from lanewise import gpu


@gpu.jit("void(float32[::1], float32)")
def k(out, x):
    out[0] = ~x
    out[1] = -(1, 2)

#= operand_type.py:6:14: error: `~` does not work on float32 [operand-type]
#=     6 |     out[0] = ~x
#=       |              ^~
#= operand_type.py:5:12: note: `x` is float32: the type of this argument
#=     5 | def k(out, x):
#=       |            ^
#= operand_type.py:7:14: error: `-` does not work on (int, int) [operand-type]
#=     7 |     out[1] = -(1, 2)
#=       |              ^~~~~~~
