from lanewise import (
    gpu,  # the module
)
import math; import operator


@gpu.jit(
    "void(float32[:], "
    "float32[:])",
    fma=False,
)
def layout(
    a,
    b,
):
	i = (gpu.
	     grid(1))
	if (i
	    < a.size): a[i] = \
	  b[i] + 1; b[i] = -1

	# a comment

	for _ in range(3):
		pass
	return
