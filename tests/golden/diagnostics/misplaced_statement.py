from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    break
    if n:
        continue

#= misplaced_statement.py:6:5: error: `break` outside a loop [misplaced-statement]
#=     6 |     break
#=       |     ^~~~~
#= misplaced_statement.py:8:9: error: `continue` outside a loop [misplaced-statement]
#=     8 |         continue
#=       |         ^~~~~~~~
