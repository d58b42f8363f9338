"""A kernel of 36 arguments and 450 lines, with 3 KB of local arrays for each of 1,024 threads and 96 KB of
shared memory, beside NumPy's steps for all threads at once."""

import random

import numpy as np
from lanewise import gpu

THREADS, LOCAL, ROWS, ARRAYS, NUMBERS = 1024, 384, 24, 30, 5


class Program:
    """The kernel's text, and what its steps do with all threads' values."""

    def __init__(self, seed, lines):
        self.random = random.Random(seed)
        self.count = 0
        self.text = ["def kernel("]
        self.text += [f"    a{k}," for k in range(ARRAYS)] + [f"    c{k}," for k in range(NUMBERS)] + ["    turns,", "):"]
        self.text += [
            "    t = gpu.threadIdx.x",
            f"    one = gpu.local.array({LOCAL}, gpu.int32)",
            f"    two = gpu.local.array({LOCAL}, gpu.int32)",
            "    shared = gpu.shared.array(0, gpu.int32)",
            f"    for q in range({LOCAL}):",
            "        one[q] = gpu.int32(a0[t] * q)",
            "        two[q] = gpu.int32(a1[t] + q)",
            f"    for q in range({ROWS}):",
            f"        shared[q * {THREADS} + t] = gpu.int32(a2[t] + q)",
            "    gpu.syncthreads()",
        ]
        rng = np.random.default_rng(seed)
        self.arrays = [rng.integers(-1000, 1000, THREADS).astype(np.int32) for _ in range(ARRAYS)]
        self.numbers = [np.int32(n) for n in rng.integers(-50, 50, NUMBERS)]
        self.turns = np.int32(3)
        self.t = np.arange(THREADS)
        wide = [array.astype(np.int64) for array in self.arrays]
        self.one = self.wrapped(wide[0][:, None] * np.arange(LOCAL))
        self.two = self.wrapped(wide[1][:, None] + np.arange(LOCAL))
        self.shared = self.wrapped(wide[2][None, :] + np.arange(ROWS)[:, None])
        self.values = []
        self.step("a3[t]", wide[3])
        self.step("a4[t]", wide[4])
        for k in range(5, ARRAYS):
            self.step(f"a{k}[t] - {self.name(1)} * c{k % NUMBERS}", wide[k] - self.values[-1] * int(self.numbers[k % NUMBERS]))
        while len(self.text) < lines:
            self.random.choice([self.product, self.local, self.row, self.arm, self.loop, self.uniform])()
        self.text += ["    a29[t] = " + " ^ ".join(self.name(k) for k in range(1, 4))]
        self.expected = self.values[-1] ^ self.values[-2] ^ self.values[-3]

    @staticmethod
    def wrapped(values):
        return values.astype(np.int32).astype(np.int64)

    def name(self, back):
        return f"v{self.count - back}"

    def pick(self):
        back = self.random.randint(1, min(6, self.count))
        return self.name(back), self.values[-back]

    def step(self, text, values):
        self.text += [f"    v{self.count} = gpu.int32({text})"]
        self.push(values)

    def push(self, values):
        self.count += 1
        self.values.append(self.wrapped(values))

    def product(self):
        (a, of_a), c, k = self.pick(), self.random.randrange(NUMBERS), self.random.randrange(ARRAYS)
        self.step(f"{a} * c{c} + a{k}[t]", of_a * int(self.numbers[c]) + self.arrays[k])

    def uniform(self):
        (a, of_a), (b, of_b), c = self.pick(), self.pick(), self.random.randrange(NUMBERS)
        self.step(f"({a} ^ {b}) - c{c}", (of_a ^ of_b) - int(self.numbers[c]))

    def local(self):
        (a, of_a), k = self.pick(), self.random.randrange(LOCAL)
        self.step(f"one[(t + {k}) % {LOCAL}] + {a}", self.one[self.t, (self.t + k) % LOCAL] + of_a)

    def row(self):
        (a, of_a), k = self.pick(), self.random.randrange(ROWS)
        self.text += [f"    shared[{k * THREADS} + t] = {a}", "    gpu.syncthreads()"]
        self.shared[k] = of_a
        self.step(f"shared[{(k + 1) * THREADS - 1} - t]", self.shared[k, ::-1])
        self.text += ["    gpu.syncthreads()"]

    def arm(self):
        (a, of_a), (b, of_b) = self.pick(), self.pick()
        k, at = self.random.randrange(ARRAYS), (self.t + self.random.randrange(LOCAL)) % LOCAL
        new = f"v{self.count}"
        self.text += [f"    {new} = gpu.int32({a} - {b})", f"    if {new} > {a}:"]
        self.text += [f"        {new} = gpu.int32(a{k}[t] * {a})", f"        two[(t + {at[0]}) % {LOCAL}] = {new}"]
        difference = self.wrapped(of_a - of_b)
        taken = difference > of_a
        self.push(np.where(taken, self.arrays[k] * of_a, difference))
        self.two[self.t[taken], at[taken]] = self.values[-1][taken]

    def loop(self):
        a, value = self.pick()
        new = f"v{self.count}"
        self.text += [f"    {new} = {a}", "    for q in range(turns):"]
        self.text += [f"        {new} = gpu.int32({new} * c1 + two[(q * 7 + t) % {LOCAL}])"]
        for q in range(int(self.turns)):
            value = self.wrapped(value * int(self.numbers[1]) + self.two[self.t, (q * 7 + self.t) % LOCAL])
        self.push(value)


def test_long_kernel():
    program = Program(1, 490)
    source = "\n".join(program.text) + "\n"
    assert len(program.text) >= 490 and source.count("syncthreads") > 10
    names = {"gpu": gpu}
    exec(source, names)
    kernel = gpu.jit(names["kernel"], source=source)
    arrays = [array.copy() for array in program.arrays]
    kernel[1, THREADS, 0, ROWS * THREADS * 4](*arrays, *program.numbers, program.turns)
    assert np.array_equal(arrays[29], program.expected)
    assert all(np.array_equal(a, b) for a, b in zip(arrays[:29], program.arrays[:29], strict=True))


def test_many_gathers_and_scatters():
    """Beyond some number, CPUs without such instructions read and write for all lanes."""
    arms = 90
    text = ["def kernel(x, at, out, rows):", "    t = gpu.threadIdx.x", "    s = x[t]"]
    rng = np.random.default_rng(3)
    x, at = rng.integers(-1000, 1000, 64).astype(np.int32), rng.integers(0, 64, 64).astype(np.int32)
    s, t = x.astype(np.int64), np.arange(64)
    expected = np.zeros((arms, 64), np.int32)
    for k in range(arms):
        text += [f"    if (s ^ {k}) & 3 != 0:", f"        s = gpu.int32(s * 3 + x[at[(t * 5 + {k}) & 63]])"]
        text += [f"        rows[{k}, (t * 7 + {k}) & 63] = s"]
        taken = (s ^ k) & 3 != 0
        s = np.where(taken, (s * 3 + x[at[(t * 5 + k) & 63]]).astype(np.int32), s)
        expected[k, ((t * 7 + k) & 63)[taken]] = s[taken]
    text += ["    out[t] = s"]
    names = {"gpu": gpu}
    source = "\n".join(text) + "\n"
    exec(source, names)
    out, rows = np.zeros(64, np.int32), np.zeros((arms, 64), np.int32)
    gpu.jit(names["kernel"], source=source)[1, 64](x, at, out, rows)
    assert np.array_equal(out, s) and np.array_equal(rows, expected)
