# A string ends with its line; one in triple quotes may go on to the end of the file.
from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = "abc
    x[1] = 1
    x[2] = """abc

#= unterminated_string.py:7:12: error: this string is never closed [unterminated-string]
#=     7 |     x[0] = "abc
#=       |            ^
#= unterminated_string.py:9:12: error: this triple-quoted string is never closed [unterminated-string]
#=     9 |     x[2] = """abc
#=       |            ^~~
