# Clusters of blocks are CUDA's; golden files of diagnostics have no target unless they say so.
#: cuda_functions off
from lanewise import gpu


@gpu.jit
def k(out: gpu.int32[::1]):
    gpu.cg.this_cluster().sync()

#= cluster_elsewhere.py:8:5: error: gpu.cg.this_cluster() runs on CUDA only, and this is compiled for another target [cuda-only]
#=     8 |     gpu.cg.this_cluster().sync()
#=       |     ^~~~~~~~~~~~~~~~~~~~~
#= hint: compile for CUDA (`target="cuda"`), and write another kernel for the CPU
