from lanewise import gpu

put = gpu.cuda_function("__device__ void put(float* p, int n, bool b) { *p = n; }", "put", "void(float32[::1], int32, bool)")
look = gpu.cuda_function("__device__ int look(const int* p) { return *p; }", "look", "int32(read-only int32[:])")
wrong = gpu.cuda_function("", "f", "float32(flot32)")
tuples = gpu.cuda_function("", "f", "float32((int32, int32))")
arrays = gpu.cuda_function("", "f", "float32[:](int32)")
nothing = gpu.cuda_function("", "f", "(int32)")
name = gpu.cuda_function("", "no name", "void(int32)")
linked = gpu.declare_device("f", "void(int32)", link="f.cu")


@gpu.jit("void(float32[:], float32[::1], read-only float32[::1], int32[:])")
def k(strided, x, fixed, i):
    put(strided, 1, True)
    put(fixed, 1, True)
    put(x, 1.5, True)
    put(x, 2**40, True)
    put(x, 1)
    put(x, 1, b=True)
    put(i, 1, True)
    i[0] = look(i)
    wrong(1)
    tuples(1)
    arrays(1)
    nothing(1)
    name(1)
    linked(1)

#= cuda_function_arguments.py:15:9: error: `put`: argument 1 must be float32[::1], not float32[:] [argument-type]
#=    15 |     put(strided, 1, True)
#=       |         ^~~~~~~
#= cuda_function_arguments.py:14:7: note: `strided` is float32[:]: the type of this argument
#=    14 | def k(strided, x, fixed, i):
#=       |       ^~~~~~~
#= hint: the C++ function gets the address of the first element; declare the array with `:` instead of `::1` if it need not be contiguous
#= cuda_function_arguments.py:16:9: error: `put`: argument 1 must be float32[::1], not read-only float32[::1] [argument-type]
#=    16 |     put(fixed, 1, True)
#=       |         ^~~~~
#= cuda_function_arguments.py:14:19: note: `fixed` is read-only float32[::1]: the type of this argument
#=    14 | def k(strided, x, fixed, i):
#=       |                   ^~~~~
#= hint: declare it as "read-only float32[::1]" if the function only reads it
#= cuda_function_arguments.py:17:12: error: `put`: argument 2 must be int32, not float [argument-type]
#=    17 |     put(x, 1.5, True)
#=       |            ^~~
#= hint: convert it: `int(x)`
#= cuda_function_arguments.py:18:12: error: 1099511627776 does not fit int32, the type that the function takes [constant-range]
#=    18 |     put(x, 2**40, True)
#=       |            ^~~~~
#= cuda_function_arguments.py:19:5: error: `put` wants 3 arguments, not 2 [argument-count]
#=    19 |     put(x, 1)
#=       |     ^~~~~~~~~
#= cuda_function_arguments.py:20:17: error: `put` has no use for the keyword argument `b` [unknown-keyword]
#=    20 |     put(x, 1, b=True)
#=       |                 ^~~~
#= hint: the parameters of a C++ function have no names here
#= cuda_function_arguments.py:21:9: error: `put`: argument 1 must be float32[::1], not int32[:] [argument-type]
#=    21 |     put(i, 1, True)
#=       |         ^
#= cuda_function_arguments.py:14:26: note: `i` is int32[:]: the type of this argument
#=    14 | def k(strided, x, fixed, i):
#=       |                          ^
#= cuda_function_arguments.py:23:5: error: kernels cannot use `wrong`: it is a CUDA function that cannot be: the signature `float32(flot32)` cannot be read: `flot32` is no type (did you mean `float32`?) [unusable-name]
#=    23 |     wrong(1)
#=       |     ^~~~~
#= cuda_function_arguments.py:5:9: note: assigned here, in host code
#=     5 | wrong = gpu.cuda_function("", "f", "float32(flot32)")
#=       |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= hint: give its value when compiling: -Dwrong=VALUE, or Options::constants
#= cuda_function_arguments.py:24:5: error: kernels cannot use `tuples`: it is a CUDA function that cannot be: argument 1 of `f` cannot be (int32, int32): hand over the items one by one [unusable-name]
#=    24 |     tuples(1)
#=       |     ^~~~~~
#= cuda_function_arguments.py:6:10: note: assigned here, in host code
#=     6 | tuples = gpu.cuda_function("", "f", "float32((int32, int32))")
#=       |          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= hint: give its value when compiling: -Dtuples=VALUE, or Options::constants
#= cuda_function_arguments.py:25:5: error: kernels cannot use `arrays`: it is a CUDA function that cannot be: the result of `f` cannot be float32[:]: functions in CUDA C++ return a number, a vector, a tuple of numbers, or nothing [unusable-name]
#=    25 |     arrays(1)
#=       |     ^~~~~~
#= cuda_function_arguments.py:7:10: note: assigned here, in host code
#=     7 | arrays = gpu.cuda_function("", "f", "float32[:](int32)")
#=       |          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= hint: give its value when compiling: -Darrays=VALUE, or Options::constants
#= cuda_function_arguments.py:26:5: error: kernels cannot use `nothing`: it is a CUDA function that cannot be: the signature `(int32)` does not say what `f` returns: write "void(...)" or the type of the result [unusable-name]
#=    26 |     nothing(1)
#=       |     ^~~~~~~
#= cuda_function_arguments.py:8:11: note: assigned here, in host code
#=     8 | nothing = gpu.cuda_function("", "f", "(int32)")
#=       |           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= hint: give its value when compiling: -Dnothing=VALUE, or Options::constants
#= cuda_function_arguments.py:27:5: error: kernels cannot use `name`: it is a CUDA function that cannot be: `no name` is not the name of a C++ function [unusable-name]
#=    27 |     name(1)
#=       |     ^~~~
#= cuda_function_arguments.py:9:8: note: assigned here, in host code
#=     9 | name = gpu.cuda_function("", "no name", "void(int32)")
#=       |        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= hint: give its value when compiling: -Dname=VALUE, or Options::constants
#= cuda_function_arguments.py:28:5: error: kernels cannot use `linked`: it is a CUDA function that cannot be: what it is linked with is named outside the file: kc --link FILE [unusable-name]
#=    28 |     linked(1)
#=       |     ^~~~~~
#= cuda_function_arguments.py:10:10: note: assigned here, in host code
#=    10 | linked = gpu.declare_device("f", "void(int32)", link="f.cu")
#=       |          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= hint: give its value when compiling: -Dlinked=VALUE, or Options::constants
