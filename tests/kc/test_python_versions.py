"""Syntax of Python 3.9 to 3.14 in kernel files, whatever Python runs the tests: understood where it means something to a
kernel, skipped in host code, a diagnostic elsewhere."""

import os
import subprocess

import pytest

KC = os.environ["KC"]
KERNEL = """
@gpu.jit("void(int32[::1])")
def kernel(x):
    x[0] = 1
"""


def compiled(tmp_path, text):
    file = tmp_path / "kernel.py"
    file.write_text("from lanewise import gpu\n" + text, encoding="utf-8")
    done = subprocess.run([KC, file, "--emit", "ir"], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


HOST = {
    "type aliases": "type Number = int | float\ntype Pair[T, *Ts, **P] = tuple[T, *Ts]\ntype = 3\n",
    "classes with type parameters": "class A[T: int = bool]:\n    def f[U](self) -> U: pass\n",
    "except without parentheses": "try: pass\nexcept ValueError, TypeError: pass\n",
    "exception groups": "try: pass\nexcept* ValueError: pass\nfinally: pass\n",
    "with in parentheses": 'with (open("a") as f, open("b") as g,):\n    pass\n',
    "template strings": 'A = t"hello {1 + 1!r:>{3}}"\nB = rt"x{A}" tR\'y\'\n',
    "nested f-strings": "C = f\"{f'{f\"{1}\"}'} {'\\n'.join([\"a\"])}\"\n",
    "match": "match C:\n    case {'a': [1, *rest], **more} | str() as s if s: pass\n    case -1+2j | A.b(x=3): pass\n",
    "star in subscripts": "D = [0][*(0,)]\ndef f(*args: *tuple[int]): return args[*args]\n",
    "names that are keywords elsewhere": "match = case = type = _ = 1\nprint(match, case, type)\nmatch[0]\nmatch(1)\n",
    "async": "async def f():\n    async with (a as b): [x async for x in y]\n    return await z\n",
    "positional only, walrus": "def f(a, /, b=(c := 3), *, d): return [e := 1, e**2]\n",
    "decorators are expressions": "@(lambda f: f)\ndef f(): pass\n@[print][0]\ndef g(): pass\n",
}


@pytest.mark.parametrize("name", HOST)
def test_host_code_is_skipped(tmp_path, name):
    status, ir, errors = compiled(tmp_path, HOST[name] + KERNEL)
    assert (status, errors) == (0, "") and "store" in ir


KERNELS = {
    "type parameters": "def helper[T: (int, float) = int, *Ts, **P](x: T) -> T:\n    return x + 1",
    "nested f-strings": "def helper(x):\n    print(f\"{f\"{x}\"} {\"a\"} {'b' f\"{x:>{5 if True else 6}}\"}\")\n    return x",
    "match with sequences": "def helper(x):\n    match x, 2:\n        case (1 | 3), y: return y\n        case 5, _ if x > 1: return 2\n        case _: return x",
    "soft keywords": "def helper(x):\n    match = case = type = _ = x\n    return match + case + type + _",
    "positional only": "def helper(x, /, y=2, *, z=3):\n    return x + y + z",
    "annotations that mean nothing": 'def helper(x: "forward.Reference", y: list[Undefined] | None = 1) -> 5 @ 3:\n    return x',
}


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_may_have_it(tmp_path, name):
    helper = "@gpu.jit(device=True)\n" + KERNELS[name].replace("{x:>{5 if True else 6}}", "{x:>5}")
    status, ir, errors = compiled(tmp_path, helper + KERNEL.replace("= 1", "= helper(x[1])"))
    assert (status, errors) == (0, "") and "store" in ir


REFUSED = {
    'print(t"{x[0]}")': "template strings",
    'y = t"a"': "template strings",
    "type N = int": "type aliases",
    "x[*(0,)] = 1": "`*` here",
    "try: pass\n    except ValueError, TypeError: pass": "`try`",
    "with (x as y): pass": "`with`",
    "async with x: pass": "`async`",
    "match x:\n        case {'a': 1}: pass": "not part of the kernel language",
}


@pytest.mark.parametrize("line", REFUSED)
def test_kernels_may_not(tmp_path, line):
    status, _, errors = compiled(tmp_path, KERNEL.replace("x[0] = 1", line))
    assert status == 1 and REFUSED[line] in errors and "not-in-language" in errors
