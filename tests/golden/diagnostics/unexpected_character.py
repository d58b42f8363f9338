# Characters that Python has no use for, one that C has, and one that stands for what cannot be decoded.
from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = $n
    x[1] = n ? 1 : 2
    x[2] = 1�

#= unexpected_character.py:7:12: error: unexpected character `$` [unexpected-character]
#=     7 |     x[0] = $n
#=       |            ^
#= unexpected_character.py:8:14: error: unexpected character `?` [unexpected-character]
#=     8 |     x[1] = n ? 1 : 2
#=       |              ^
#= unexpected_character.py:9:13: error: unexpected character `�` [unexpected-character]
#=     9 |     x[2] = 1�
#=       |             ^
