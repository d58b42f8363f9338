from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1])")
def k(out, m):
    print(out)
    print(f'{out[0]:{3}}')
    gpu.cg.this_grid().sync()
