"""Random kernels on Python's own numbers, against Python itself.

Where all numbers are Python's, a kernel means exactly what the same text means to Python: the control flow, the
order of evaluation, integer and float arithmetic. Every text here is run by both. Values stay small, since Python's
integers do not wrap.
"""

import importlib.util
import random

import numpy as np
import pytest
from lanewise import gpu

INTS = ["i0", "i1", "i2", "i3"]
FLOATS = ["f0", "f1", "f2"]
SEQUENCES = ["range(4)", "range(n % 5)", "range(5, 0, -2)", "range(i0 % 4, 6)", "(1, 5, i1)", "reversed(range(1, 4))",
             "range(0, 7, 1 + n % 3)"]
PAIRS = ["enumerate((4, 5, n))", "zip(range(3), range(9, 0, -2))", "zip((1, i0), (m, 2))", "enumerate(range(2, 5), 3)"]


class Writer:
    """Writes one kernel and its helper; `number` makes their names unique in the file."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}/{number}")
        self.number = number
        self.loops = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def integer(self, depth):
        if depth <= 0:
            return self.pick(*INTS, "n", "m", str(self.random.randrange(-5, 20)))
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"(({a} % 100) * ({b} % 50))", f"({a} // {self.pick('3', '-4', '7', '1')})",
            f"({a} % {self.pick('3', '-4', '7')})", f"({a} {self.pick('&', '|', '^')} {b})", f"(({a} % 64) << 3)",
            f"({a} >> 2)", f"({a} if {self.truth(depth - 1)} else {b})", f"{self.pick('min', 'max')}({a}, {b})",
            f"abs({a})", f"-{a}", f"(~{a})", f"({self.pick(*INTS)} := {a} % 1000)", f"({a} {self.pick('and', 'or')} {b})",
            f"int({self.real(depth - 1)} % 50.0)", f"helper{self.number}({a}, {b})", f"(({a} % 9) ** 3)")

    def real(self, depth):
        if depth <= 0:
            return self.pick(*FLOATS, "x", "0.5", "-1.25", "3.0", "10.0")
        a, b = self.real(depth - 1), self.real(depth - 1)
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"(({a} % 8.0) * 1.5)", f"({a} / {self.pick('4.0', '-2.0', '8')})",
            f"({a} if {self.truth(depth - 1)} else {b})", f"({self.integer(depth - 1)} / 4)",
            f"({self.integer(depth - 1)} % 1000 + {a})", f"({a} // 2.0)", f"abs({a})",
            f"{self.pick('min', 'max')}({a}, {b})")

    def truth(self, depth):
        if depth <= 0:
            return self.pick("n > 3", "m < 0", "i0 > i1", "f0 < x", "i2", "True")
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return self.pick(
            f"({a} {self.pick('<', '<=', '==', '!=', '>', '>=')} {b})", f"({self.real(depth - 1)} < {self.real(depth - 1)})",
            f"({a} < {b} {self.pick('<', '!=', '>=')} {self.integer(depth - 1)})", f"({a} == 0 or {b})",
            f"({self.truth(depth - 1)} {self.pick('and', 'or')} {self.truth(depth - 1)})", f"(not {self.truth(depth - 1)})",
            f"({a} {self.pick('in', 'not in')} {self.pick('(1, 2, 3)', 'range(10)', 'range(20, 0, -3)', 'range(n)')})")

    def block(self, depth, in_loop):
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            lines += self.statement(depth, in_loop)
        return ["    " + line for line in lines]

    def loop_with_else(self, head, depth, in_loop, first=()):
        lines = [*head, *first, *self.block(depth, True)]
        return lines + ["else:", *self.block(depth, in_loop)] if self.random.random() < 0.4 else lines

    def statement(self, depth, in_loop):
        kind = self.random.randrange(18 if depth > 0 else 6)
        a, b = self.random.sample(INTS, 2)
        if kind < 2:
            return [f"{a} = {self.integer(2)} % 10007"]
        if kind == 2:
            return [f"{self.pick(*FLOATS)} = {self.real(2)} % 1000.0"]
        if kind == 3:
            return [f"out[{self.random.randrange(8)}] {self.pick('=', '+=', '-=')} {self.pick(self.integer, self.real)(2)}"]
        if kind == 4:
            return [f"{a}, {b} = {self.integer(1)} % 10007, {self.integer(1)} % 10007"]
        if kind == 5:
            return [f"{a} = {b} = {self.integer(2)} % 10007"]
        if kind < 9:
            lines = [f"if {self.truth(2)}:", *self.block(depth - 1, in_loop)]
            return lines + ["else:", *self.block(depth - 1, in_loop)] if self.random.random() < 0.6 else lines
        if kind == 9:
            self.loops += 1
            turn = f"turn{self.loops}"
            head = [f"{turn} = 0", f"while {turn} < {self.random.randrange(1, 6)} and {self.truth(1)}:"]
            return self.loop_with_else(head, depth - 1, in_loop, [f"    {turn} += 1"])
        if kind < 13:
            return self.loop_with_else([f"for {a} in {self.pick(*SEQUENCES)}:"], depth - 1, in_loop)
        if kind == 13:
            return self.loop_with_else([f"for {a}, {b} in {self.pick(*PAIRS)}:"], depth - 1, in_loop)
        if kind < 16 and in_loop:
            return [f"if {self.truth(1)}:", f"    {self.pick('break', 'continue')}"]
        if kind == 16:
            return [f"if {self.truth(1)} and i3 % 3 == 0:", "    return"]
        return [f"{self.pick(*FLOATS)} = {self.integer(1)} % 10007"]

    def text(self):
        n = self.number
        early = self.pick("if u > v:\n        return u - 3", "u %= 100")
        body = [line for _ in range(4) for line in self.block(3, False)]
        results = [f"    out[{8 + i}] = {name}" for i, name in enumerate(INTS + FLOATS)]
        return "\n".join([
            "@device", f"def helper{n}(u, v):", f"    {early}", "    for q in range(3):", "        if q == v:",
            "            return q", "        u += q", "    return u % 1000 if v else v", "",
            "@kernel", f"def kernel{n}(n, m, x, out):", "    i0 = 1", "    i1 = 2", "    i2 = n", "    i3 = m",
            "    f0 = 0.5", "    f1 = x", "    f2 = -1.0", *body, *results, ""])


def load(path, name, decorators):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(decorators)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(3))
def test_as_python_does(seed, tmp_path):
    count = 16
    path = tmp_path / f"random_kernels_{seed}.py"
    path.write_text("\n".join(Writer(seed, number).text() for number in range(count)))
    same = {"kernel": lambda f: f, "device": lambda f: f}
    ours = {"kernel": gpu.jit(fma=False), "device": gpu.jit(device=True)}
    python, compiled = load(path, "as_python", same), load(path, "compiled", ours)
    for number in range(count):
        wanted, got = [0.0] * 16, np.zeros(16)
        getattr(python, f"kernel{number}")(7, -3, 2.5, wanted)
        getattr(compiled, f"kernel{number}")[1, 1](7, -3, 2.5, got)
        np.testing.assert_array_equal(got, wanted, f"kernel{number} of {path}")
