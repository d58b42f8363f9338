from lanewise import gpu

TABLE = (1, (2, 3), 4)


@gpu.jit("void(int64[::1], int64)")
def k(out, i):
    out[0] = TABLE[i]

#= tuple_run_time_index.py:8:14: error: not part of the kernel language: a run-time index into a tuple whose items have no common type: int and (int, int) [not-in-language]
#=     8 |     out[0] = TABLE[i]
#=       |              ^~~~~~~~
#= hint: the index must be a constant, or the items must have one type; a loop over the tuple takes each item with its own type
