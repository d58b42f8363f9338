from lanewise import gpu

table = open("table.txt").read()
SETTINGS = {"a": 1}


@gpu.jit("void(float32[::1])")
def k(out):
    out[0] = len(table)
    out[1] = SETTINGS["a"]

#= unusable_name.py:9:18: error: kernels cannot use `table`: it is computed by host code [unusable-name]
#=     9 |     out[0] = len(table)
#=       |                  ^~~~~
#= unusable_name.py:3:9: note: assigned here, in host code
#=     3 | table = open("table.txt").read()
#=       |         ^~~~~~~~~~~~~~~~~
#= hint: give its value when compiling: -Dtable=VALUE, or Options::constants
#= unusable_name.py:10:14: error: kernels cannot use `SETTINGS`: it is a dict [unusable-name]
#=    10 |     out[1] = SETTINGS["a"]
#=       |              ^~~~~~~~
#= unusable_name.py:4:12: note: assigned here, in host code
#=     4 | SETTINGS = {"a": 1}
#=       |            ^~~~~~~~
#= hint: give its value when compiling: -DSETTINGS=VALUE, or Options::constants
