from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1])")
def k(out, m):
    print(out)
    print(f'{out[0]:{3}}')

#= not_yet.py:6:11: error: not supported yet: printing a whole array [not-yet]
#=     6 |     print(out)
#=       |           ^~~
#= not_yet.py:5:7: note: `out` is float32[::1]: the type of this argument
#=     5 | def k(out, m):
#=       |       ^~~
#= hint: print its elements: `print(a[0], a[1])`, or loop over them
#= not_yet.py:7:14: error: not supported yet: a format that holds values [not-yet]
#=     7 |     print(f'{out[0]:{3}}')
#=       |              ^~~~~~
#= hint: write the width and the precision as numbers
