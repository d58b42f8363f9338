from lanewise import gpu


def abs(x):
    return x if x > 0 else -x


class Settings:
    SIZE = 3


@gpu.jit("void(int64[::1])")
def k(out):
    out[0] = abs(out[1])
    out[1] = Settings

#= unusable_function.py:14:14: error: kernels cannot use `abs`: it is a plain Python function, not decorated with @gpu.jit(device=True) [unusable-name]
#=    14 |     out[0] = abs(out[1])
#=       |              ^~~
#= unusable_function.py:4:5: note: defined here
#=     4 | def abs(x):
#=       |     ^~~
#= hint: decorate it with `@gpu.jit(device=True)`
#= unusable_function.py:15:14: error: a module or object cannot be stored in an element of type int64 [store-type]
#=    15 |     out[1] = Settings
#=       |              ^~~~~~~~
