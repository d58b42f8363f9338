import math

from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1])")
def k(out, m):
    out[0] = m.sum()
    out[1] = math.factorial(5)
    z = 1.5j
    print(out)
    print(f'{out[0]:{3}}')
    total = m + m
    m += 1

#= not_yet.py:8:16: error: not supported yet: the array method `sum` [not-yet]
#=     8 |     out[0] = m.sum()
#=       |                ^~~
#= hint: write the loop over the elements
#= not_yet.py:9:14: error: not supported yet: `math.factorial()` [not-yet]
#=     9 |     out[1] = math.factorial(5)
#=       |              ^~~~~~~~~~~~~~~~~
#= not_yet.py:10:9: error: not supported yet: complex numbers [not-yet]
#=    10 |     z = 1.5j
#=       |         ^~~~
#= hint: keep the real and the imaginary part in two variables
#= not_yet.py:11:11: error: not supported yet: printing a whole array [not-yet]
#=    11 |     print(out)
#=       |           ^~~
#= not_yet.py:7:7: note: `out` is float32[::1]: the type of this argument
#=     7 | def k(out, m):
#=       |       ^~~
#= hint: print its elements: `print(a[0], a[1])`, or loop over them
#= not_yet.py:12:14: error: not supported yet: a format that holds values [not-yet]
#=    12 |     print(f'{out[0]:{3}}')
#=       |              ^~~~~~
#= hint: write the width and the precision as numbers
#= not_yet.py:13:15: error: not supported yet: arithmetic on whole arrays [not-yet]
#=    13 |     total = m + m
#=       |               ^
#= not_yet.py:13:13: note: this is float32[:, ::1]
#=    13 |     total = m + m
#=       |             ^
#= not_yet.py:7:12: note: `m` is float32[:, ::1]: the type of this argument
#=     7 | def k(out, m):
#=       |            ^
#= hint: loop over the elements: `out[i] = a[i] + b[i]`
#= not_yet.py:14:5: error: not supported yet: arithmetic on whole arrays [not-yet]
#=    14 |     m += 1
#=       |     ^~~~~~
#= not_yet.py:14:5: note: this is float32[:, ::1]
#=    14 |     m += 1
#=       |     ^
#= not_yet.py:7:12: note: `m` is float32[:, ::1]: the type of this argument
#=     7 | def k(out, m):
#=       |            ^
#= hint: loop over the elements: `out[i] = a[i] + b[i]`
