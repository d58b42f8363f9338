from lanewise import gpu

DIGITS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)


@gpu.jit("void(int64[::1])")
def k(out):
    for a in DIGITS:
        for b in DIGITS:
            for c in DIGITS:
                for d in DIGITS:
                    out[a] += b * c + d

#= too_much_work.py:12:35: error: the types of this function take too long to find [too-much-work]
#=    12 |                     out[a] += b * c + d
#=       |                                   ^
