#: performance_notes
from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[::1, :], float32[::1], int32)")
def k(c, f, v, width):
    i, j = gpu.grid(2)
    c[i, j] = f[i, j]
    f[j, i] = c[j, i]
    v[2 * i] = v[i + 1]
    v[i * width + j] = v[j * width + i]
    v[j] = c[0, i]

#= uncoalesced_access.py:8:5: performance: neighbouring threads access elements of `c[i, j]` that are not neighbours in memory [uncoalesced-access]
#=     8 |     c[i, j] = f[i, j]
#=       |     ^~~~~~~
#= hint: let threadIdx.x count along the contiguous dimension: `j, i = gpu.grid(2)`
#= uncoalesced_access.py:9:5: performance: neighbouring threads access elements of `f[j, i]` that are not neighbours in memory [uncoalesced-access]
#=     9 |     f[j, i] = c[j, i]
#=       |     ^~~~~~~
#= hint: let threadIdx.x count along the contiguous dimension: `j, i = gpu.grid(2)`
#= uncoalesced_access.py:10:5: performance: neighbouring threads access elements of `v[2 * i]` that are not neighbours in memory [uncoalesced-access]
#=    10 |     v[2 * i] = v[i + 1]
#=       |     ^~~~~~~~
#= hint: let the last index be threadIdx.x plus what is the same for all threads
#= uncoalesced_access.py:11:5: performance: neighbouring threads access elements of `v[i * width + j]` that are not neighbours in memory [uncoalesced-access]
#=    11 |     v[i * width + j] = v[j * width + i]
#=       |     ^~~~~~~~~~~~~~~~
#= hint: let the last index be threadIdx.x plus what is the same for all threads
