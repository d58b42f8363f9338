from lanewise import gpu

NAME = 'it''s'
PATH = rb'\x' b"\xff"
TEXT = f'{NAME!r:^{10}}{{literal}}{NAME + f"{1 + 1}"}' 'tail'
LONG = """one
two \
three""" '\N{BULLET}\u2022\U0001F600\101\x41'


@gpu.jit("void(int32[:])")
def strings(x):
    if NAME == "its":
        print(f"x = {x[0]:5d}, {x[1]=}", 'and', x[0])
    assert x[0] > 0, 'positive'
    raise ValueError("no")
