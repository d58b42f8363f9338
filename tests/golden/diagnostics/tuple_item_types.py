from lanewise import gpu

TABLE = (1, (2, 3), 4)


@gpu.jit("void(int64[::1], int64)")
def k(out, i):
    out[0] = TABLE[i]

#= tuple_item_types.py:8:14: error: a run-time index into a tuple needs items of one type, not int and (int, int) [tuple-item-types]
#=     8 |     out[0] = TABLE[i]
#=       |              ^~~~~~~~
#= hint: the index must be a constant, or the items must have one type; a loop over the tuple takes each item with its own type
