"""Arrays, lists and classes of a kernel file are constants only as long as its host code leaves them as they are."""

import numpy as np
import pytest
from kc_support import kc

HEAD = """
import numpy as np
import helpers
from lanewise import gpu
"""

KERNEL = """
@gpu.jit("void(float64[::1])")
def k(out):
    out[0] = {}
"""

HELPERS = "import numpy as np\nTABLE = np.zeros(4)\nITEMS = [1, 2]\nCOUNT = 4\ndef work(x): x[0] = 1\n"


@pytest.fixture
def compile_file(tmp_path):
    def run(code, expression):
        (tmp_path / "helpers.py").write_text(HELPERS)
        path = tmp_path / "k.py"
        path.write_text(HEAD + code + KERNEL.format(expression))
        return kc("-I", tmp_path, "--emit", "ir", "-o", "-", path)

    return run


CHANGES = {
    "loop": ("T = np.zeros(4)\nfor i in range(4):\n    T[i] = i * i\n", "T[3]"),
    "element": ("T = np.zeros(4)\nT[0] = 5\n", "T[0]"),
    "method": ("T = np.zeros(4)\nT.fill(9)\n", "T[0]"),
    "out": ("T = np.zeros(4)\nnp.cumsum(T, out=T)\n", "T[0]"),
    "out of an assignment": ("T = np.zeros(4)\ns = np.cumsum(T, out=T)\n", "T[0]"),
    "out by place": ("T = np.zeros(4)\nU = np.ones(4)\nnp.sqrt(U, T)\n", "T[0]"),
    "alias": ("T = np.zeros(4)\nH = T\nH[0] = 77\n", "T[0]"),
    "by an alias": ("G = np.zeros(4)\nT = G\nG[0] = 77\n", "T[0]"),
    "view": ("T = np.zeros(4)\nH = T[1:]\nH[0] = 77\n", "T[1]"),
    "asarray": ("T = np.zeros(4)\nH = np.asarray(T)\nH += 1\n", "T[1]"),
    "array without a copy": ("T = np.zeros(4)\nH = np.array(T, copy=None)\nH += 1\n", "T[1]"),
    "cast without a copy": ("T = np.zeros(4)\nH = T.astype(np.float64, copy=False)\nH += 1\n", "T[1]"),
    "in a tuple": ("T = np.zeros(4)\nP = (T, 1)\nP[0][0] = 4\n", "T[0]"),
    "rows": ("T = np.zeros((2, 2))\nfor row in T:\n    row[0] = 1\n", "T[0, 0]"),
    "unpacking": ("T = np.zeros(4)\nT[0], x = 1, 2\n", "T[0]"),
    "delete": ("T = [1, 2]\ndel T[0]\n", "T[0]"),
    "launch": ("T = np.zeros(4)\nhelpers.k[1, 4](T)\n", "T[0]"),
    "unknown function": ("T = np.zeros(4)\nhelpers.work(T)\n", "T[0]"),
    "inside a function": ("T = np.zeros(4)\ndef init(n):\n    T[0] = n\ninit(3)\n", "T[0]"),
    "returned": ("T = np.zeros(4)\ndef table():\n    return T\ntable()[0] = 1\n", "T[0]"),
    "local alias": ("T = np.zeros(4)\ndef f():\n    x = T\n    x[0] = 1\nf()\n", "T[0]"),
    "f-string": ("T = [1, 2]\nprint(f'{T.pop()}')\n", "T[0]"),
    "class": ("class T:\n    N = 4\nT.N = 8\n", "T.N"),
    "setattr": ("class T:\n    N = 4\nsetattr(T, 'N', 8)\n", "T.N"),
    "class's list": ("class T:\n    L = [1, 2]\nT.L.append(3)\n", "T.L[0]"),
    "instance's list": ("class T:\n    L = [1, 2]\nc = T()\nc.L[0] = 3\n", "T.L[0]"),
    "append": ("T = [1, 2]\nT.append(4)\n", "len(T)"),
    "list item": ("T = [1, 2]\nT[0] = 9\n", "T[0]"),
    "inner list": ("T = [[1], [2]]\nH = T + []\nH[0][0] = 5\n", "T[0][0]"),
    "computed": ("T = np.zeros(4)\nU = T.astype(np.float32)\nT[0] = 1\n", "U[0]"),
    "size of a list": ("T = [1, 2]\nT.append(4)\nN = len(T)\n", "N"),
    "shape": ("T = np.zeros(4)\nT.shape = (2, 2)\nN = T.ndim\n", "N"),
    "global": ("T = 4\ndef f():\n    global T\n    T = 5\nf()\n", "T"),
    "module's array": ("helpers.TABLE[0] = 1\n", "helpers.TABLE[0]"),
    "module's number": ("helpers.COUNT = 8\n", "helpers.COUNT"),
    "star import": ("from helpers import *\nTABLE[0] = 3\n", "TABLE[0]"),
    "renamed module": ("import helpers as h\nh.ITEMS.append(3)\n", "helpers.ITEMS[0]"),
    "annotated": ("T = np.zeros(4)\nT[0]: float = 3\n", "T[0]"),
    "attribute's view": ("T = np.zeros(4)\nT.real[0] = 3\n", "T[0]"),
    "loop's target": ("T = np.zeros(4)\nfor T[0] in range(3): pass\n", "T[0]"),
    "in a try": ("T = np.zeros(4)\ntry:\n    T[1:] = 3\nfinally:\n    pass\n", "T[0]"),
    "in a nested function": ("T = [1]\ndef f():\n    def g():\n        T.append(3)\n    g()\n", "T[0]"),
    "unpacked argument": ("T = [[1], [2]]\nhelpers.f(*T)\n", "T[0][0]"),
    "thread": ("T = np.zeros(4)\nhelpers.Thread(target=helpers.f, args=(T,)).start()\n", "T[0]"),
    "imported list": ("from helpers import ITEMS\nITEMS[0] = 3\n", "helpers.ITEMS[0]"),
    "subclass": ("class T:\n    L = [1]\nclass D(T):\n    pass\nD.L[0] = 4\n", "T.L[0]"),
    "comprehension": ("T = [[1], [2]]\nx = [r.append(3) for r in T]\n", "T[0][0]"),
    "conditional": ("T = np.zeros(4)\nx = T if len(T) > 2 else None\nx[0] = 1\n", "T[0]"),
    "walrus": ("T = np.zeros(4)\nif (x := T) is not None:\n    x[0] = 1\n", "T[0]"),
    "with": ("T = np.zeros(4)\nwith helpers.open(T) as f:\n    pass\n", "T[0]"),
    "store in a dict": ("T = np.zeros(4)\nd = {}\nd['a'] = T\nd['a'][0] = 1\n", "T[0]"),
    "dict": ("T = np.zeros(4)\nd = {'a': T}\nd['a'][0] = 1\n", "T[0]"),
    "lambda": ("T = np.zeros(4)\nf = lambda: T\nf()[0] = 1\n", "T[0]"),
    "method's default": ("T = np.zeros(4)\ndef f(x=T):\n    x[0] = 1\n", "T[0]"),
    "slice of a slice's name": ("T = np.zeros(4)\ns = slice(1, 3)\nx = T[s]\nx[0] = 1\n", "T[1]"),
    "augmented alias": ("T = np.zeros(4)\nH = T\nH += 1\n", "T[0]"),
    "augmented": ("T = np.zeros(4)\ndef f():\n    T[1:] += 1\n", "T[0]"),
    "in brackets": ("T = np.zeros(4)\n(T)[0] = 1\n", "T[0]"),
    "one of several": ("T = np.zeros(4)\nfor t in (T, None):\n    t[0] = 1\n", "T[0]"),
    "item of a display": ("T = np.zeros(4)\n[T, 1][0][0] = 1\n", "T[0]"),
    "largest list": ("T = [[1], [2]]\nx = max(T)\nx[0] = 5\n", "T[1][0]"),
    "shallow copy": ("T = [[1], [2]]\nx = T.copy()\nx[0][0] = 5\n", "T[0][0]"),
    "decorated function": ("T = np.zeros(4)\n@helpers.cache\ndef f():\n    T[0] = 1\n", "T[0]"),
    "method of a class": ("T = np.zeros(4)\nclass A:\n    T = 1\n    def f(self):\n        T[0] = 1\n", "T[0]"),
    "class's method": ("class T:\n    N = 4\n    @classmethod\n    def copy(cls):\n        cls.N = 5\nT.copy()\n", "T.N"),
    "default": ("T = np.zeros(4)\n@gpu.jit(device=True)\ndef f(x, t=T):\n    return t[0] + x\nT[0] = 1\n", "f(1)"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_what_host_code_changes_is_no_constant(compile_file, case):
    code, expression = CHANGES[case]
    done = compile_file(code, expression)
    assert done.returncode == 1, done.stdout
    if case not in ("default", "in brackets", "item of a display", "loop's target"):  # these have another text
        assert "changed by host code" in done.stderr and "may be changed here" in done.stderr
        assert "pass it to the kernel as an argument" in done.stderr


READS = {
    "print": ("T = np.arange(4.0)\nprint(T, T[1:], f'{T} {T[0]:.2f} {T.sum()}')\n", "T[3]"),
    "numbers of it": ("T = np.arange(4.0)\nx = T.sum() + T[0] * 2\ny = float(T[1])\nn = len(T) + T.shape[0]\n", "T[3]"),
    "testing": ("T = np.arange(4.0)\nout = np.zeros(4)\nk[1, 4](out)\nnp.testing.assert_allclose(out, T * 2)\n", "T[3]"),
    "copy on the device": ("T = np.arange(4.0)\nd = gpu.to_device(T)\nk[1, 4](d)\n", "T[3]"),
    "copies": ("T = np.arange(4.0)\nC = np.array(T)\nD = T.copy()\nC[0] = D[0] = 5\n", "T[3]"),
    "loops": ("T = np.arange(4.0)\nfor i, x in enumerate(T):\n    print(i, x)\nfor i in range(4):\n    y = T[i]\n", "T[3]"),
    "rows": ("M = np.array([[1, 2], [3, 4]])\nT = np.arange(4.0)\nfor row in M:\n    print(row.sum())\n", "M[1, 0]"),
    "reference": (
        "T = np.arange(4.0)\ndef reference(x):\n    out = np.zeros_like(x)\n    for i in range(len(x)):\n"
        "        out[i] = x[i] * T[i]\n    return out\nassert reference(np.ones(4))[3] == 3\n",
        "T[3]",
    ),
    "a local of the same name": ("T = np.arange(4.0)\ndef f(T):\n    T[0] = 1\n", "T[3]"),
    "what only the host has": ("T = np.arange(4.0)\nx = np.zeros(4)\nx[0] = 1\nk[1, 4](x)\n", "T[3]"),
    "size of an argument": ("x = np.zeros(4)\nN = x.size\nM = x.shape[0] + len(x)\nk[1, N](x)\n", "N + M"),
    "tuples and numbers": ("T = (1, 2, 3)\nN = 3\nhelpers.work(T, N)\nx = N\nx += 1\n", "T[N - 1]"),
    "tuple of a list": ("T = tuple([i * i for i in range(4)])\nhelpers.work(T)\n", "T[3]"),
    "class": ("class T:\n    N = 3\nx = np.zeros(T.N)\nk[T.N, 4](x)\nhelpers.work(T.N)\n", "T.N"),
    "base": ("class T:\n    N = 3\nclass D(T):\n    pass\nD.N = 4\n", "T.N"),
    "instance": ("class T:\n    N = 3\n    def __init__(self):\n        self.x = self.N\nt = T()\nt.x = 4\n", "T.N"),
    "enum": ("import enum\nclass T(enum.IntEnum):\n    A = 3\nhelpers.work(T.A, T)\n", "T.A"),
    "list": ("T = [1, 2, 3]\nfor n in T:\n    helpers.work(n)\nx = [2 * n for n in T]\nassert max(T) == 3\n", "T[2]"),
    "main": ("T = np.arange(4.0)\nif __name__ == '__main__':\n    out = np.zeros(4)\n    k[1, 4](out)\n"
             "    assert np.allclose(out, T), out\n", "T[3]"),
}


@pytest.mark.parametrize("case", READS)
def test_what_host_code_reads_stays_a_constant(compile_file, case):
    code, expression = READS[case]
    done = compile_file(code, expression)
    assert done.returncode == 0, done.stderr


RAMPS = [
    "np.linspace(-1, 1, 4, dtype=np.int64)", "np.linspace(5, -5, 4, dtype=np.int32)", "np.linspace(0, 1, 7)",
    "np.linspace(2, 2, 3, dtype=np.int8)", "np.linspace(0.1, 0.9, 5, dtype=np.float32)", "np.linspace(3, 4, 1)",
    "np.arange(0.5, 5, 1.5, dtype=np.int64)", "np.arange(0, -3, -0.5, dtype=np.int64)",
    "np.arange(-2.5, 3, 1.2, dtype=np.int32)", "np.arange(2.7, 9, 3, dtype=np.uint8)",
    "np.arange(0.1, 1, 0.1, dtype=np.float32)", "np.arange(0.1, 1, 0.1)", "np.arange(0, 1, 0.13, dtype=np.float16)",
    "np.arange(16777217, 16777223, dtype=np.float32)", "np.arange(250, 260, 4, dtype=np.int16)", "np.arange(5, 2)",
    "np.arange(7, -3, -4, dtype=np.int8)", "np.arange(2.5, dtype=np.int64)",
]  # fmt: skip


@pytest.mark.parametrize("ramp", RAMPS)
def test_ramps_are_numpys(compile_file, ramp):
    values = eval(ramp, {"np": np})
    done = compile_file(f"T = {ramp}\nN = T.size\n", "T[out.size]" if values.size else "N")
    assert done.returncode == 0, done.stderr
    if values.size:
        assert values.tobytes().hex() in "".join(done.stdout.split()), done.stdout
