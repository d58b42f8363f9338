from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(out):
    tile = gpu.shared.array((4, 8), "float32")
    tile[4, 0] = 1
    tile[-4, -9] = 1
    tile[3, 7] = 1
    t = (1, 2)
    out[0] = t[2]

#= index_range.py:7:10: error: index 4 is out of range for length 4 [index-range]
#=     7 |     tile[4, 0] = 1
#=       |          ^
#= index_range.py:8:14: error: index -9 is out of range for length 8 [index-range]
#=     8 |     tile[-4, -9] = 1
#=       |              ^~
#= index_range.py:11:16: error: index 2 is out of range for length 2 [index-range]
#=    11 |     out[0] = t[2]
#=       |                ^
