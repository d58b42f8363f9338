import math

from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1])")
def k(out, m):
    out[0] = m.sum()
    out[1] = math.factorial(5)
    z = 1.5j
    assert out[0] > 0
    print(out[0])
    total = m + m
    m += 1
    raise ValueError

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
#= not_yet.py:11:5: error: not supported yet: `assert` [not-yet]
#=    11 |     assert out[0] > 0
#=       |     ^~~~~~~~~~~~~~~~~
#= hint: test on the host, or write a flag into an array
#= not_yet.py:12:5: error: not supported yet: `print()` [not-yet]
#=    12 |     print(out[0])
#=       |     ^~~~~~~~~~~~~
#= hint: write the value into an array and print it on the host
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
#= not_yet.py:15:5: error: not supported yet: `raise` [not-yet]
#=    15 |     raise ValueError
#=       |     ^~~~~~~~~~~~~~~~
#= hint: write a code into an array and raise on the host
