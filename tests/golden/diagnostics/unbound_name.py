from lanewise import gpu

LIMIT = 3


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = total
    total = 1.0
    if LIMIT > 2:
        LIMIT = 4
    del total
    out[1] = total

#= unbound_name.py:8:14: error: `total` is used before it is assigned [unbound-name]
#=     8 |     out[0] = total
#=       |              ^~~~~
#= unbound_name.py:10:8: error: `LIMIT` is used before it is assigned [unbound-name]
#=    10 |     if LIMIT > 2:
#=       |        ^~~~~
#= hint: the function assigns `LIMIT`, which makes it a variable of its own everywhere in it
#= unbound_name.py:13:14: error: `total` is used before it is assigned [unbound-name]
#=    13 |     out[1] = total
#=       |              ^~~~~
