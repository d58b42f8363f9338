from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = "\x1"
    x[1] = "\u12"
    x[2] = b"a" "b"

#= invalid_escape.py:6:13: error: `\x1` needs 2 hexadecimal digits [invalid-escape]
#=     6 |     x[0] = "\x1"
#=       |             ^~~
#= invalid_escape.py:7:13: error: `\u12` needs 4 hexadecimal digits [invalid-escape]
#=     7 |     x[1] = "\u12"
#=       |             ^~~~
#= invalid_escape.py:8:17: error: bytes and text literals cannot be joined [invalid-escape]
#=     8 |     x[2] = b"a" "b"
#=       |                 ^~~
