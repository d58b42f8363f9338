from lanewise import gpu


@gpu.jit("void(float32[::1], float32)")
def k(out, größe):
    ﬁ = größe
    µ = ﬁ
    out[0] = ｘ
    out.ﬂag = λ = 1
    out[1] = f(ª=1)

#= compatibility_letter.py:6:5: error: unexpected character `ﬁ` [unexpected-character]
#=     6 |     ﬁ = größe
#=       |     ^
#= hint: Python reads it as other letters in a name: write the plain ones
#= compatibility_letter.py:7:5: error: unexpected character `µ` [unexpected-character]
#=     7 |     µ = ﬁ
#=       |     ^
#= hint: Python reads it as other letters in a name: write the plain ones
#= compatibility_letter.py:8:14: error: unexpected character `ｘ` [unexpected-character]
#=     8 |     out[0] = ｘ
#=       |              ^~
#= hint: Python reads it as other letters in a name: write the plain ones
#= compatibility_letter.py:9:9: error: unexpected character `ﬂ` [unexpected-character]
#=     9 |     out.ﬂag = λ = 1
#=       |         ^
#= hint: Python reads it as other letters in a name: write the plain ones
#= compatibility_letter.py:10:16: error: unexpected character `ª` [unexpected-character]
#=    10 |     out[1] = f(ª=1)
#=       |                ^
#= hint: Python reads it as other letters in a name: write the plain ones
