from lanewise import gpu


@gpu.jit("void(float32[:, ::1], int64, int64)")
def k(m, i, j):
    row = m[i]
    m[j, 1:] = row[1:]
    m[j, 1:] = row[:-1]

#= may_overlap.py:7:5: warning: `row[1:]` may overlap what is assigned to, but is not read first as a whole [may-overlap]
#=     7 |     m[j, 1:] = row[1:]
#=       |     ^~~~~~~~
#= hint: elements are read and written one after the other, in index order
#= may_overlap.py:8:5: warning: `row[:-1]` may overlap what is assigned to, but is not read first as a whole [may-overlap]
#=     8 |     m[j, 1:] = row[:-1]
#=       |     ^~~~~~~~
#= hint: elements are read and written one after the other, in index order
