# Said of the first turn; the others, ten thousand of them, are not looked at.
from lanewise import gpu

DIGITS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)


@gpu.jit("void(int64[::1])")
def k(x):
    for a in DIGITS:
        for b in DIGITS:
            for c in DIGITS:
                for d in DIGITS:
                    y[a] += b * c + d
    for a in DIGITS:
        if a > 5:
            break
        x[a] = z
    x[b] = w

#= mistake_in_unrolled_loops.py:13:21: error: name `y` is not defined [unknown-name]
#=    13 |                     y[a] += b * c + d
#=       |                     ^
#= mistake_in_unrolled_loops.py:17:16: error: name `z` is not defined [unknown-name]
#=    17 |         x[a] = z
#=       |                ^
#= mistake_in_unrolled_loops.py:18:12: error: name `w` is not defined [unknown-name]
#=    18 |     x[b] = w
#=       |            ^
