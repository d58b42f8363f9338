# Eight spaces, then a tab: the same indentation only where tabs are eight wide.
from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    if n:
        x[0] = 1
	x[1] = 2

#= inconsistent_tabs.py:9:1: error: tabs and spaces are mixed so that the indentation depends on the tab width [inconsistent-tabs]
#=     9 |         x[1] = 2
#=       | ^~~~~~~~
