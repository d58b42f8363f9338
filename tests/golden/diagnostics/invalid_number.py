from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = 012
    x[1] = 0x
    x[2] = 1__0
    x[3] = 3in
    x[4] = 0b12

#= invalid_number.py:6:12: error: `012` is not a number: a decimal number does not begin with 0; octal numbers begin with 0o [invalid-number]
#=     6 |     x[0] = 012
#=       |            ^~~
#= invalid_number.py:7:12: error: `0x` is not a number: it has no digits [invalid-number]
#=     7 |     x[1] = 0x
#=       |            ^~
#= invalid_number.py:8:12: error: `1__0` is not a number: a `_` must stand between digits [invalid-number]
#=     8 |     x[2] = 1__0
#=       |            ^~~~
#= invalid_number.py:10:12: error: `0b12` is not a number: binary digits are 0 and 1 [invalid-number]
#=    10 |     x[4] = 0b12
#=       |            ^~~~
#= invalid_number.py:9:15: error: expected an expression, found the end of the line [syntax]
#=     9 |     x[3] = 3in
#=       |               ^
