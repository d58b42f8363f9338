"""Kernels from where no file is: prompts, notebooks, factories, other decorators, other compilers' functions."""

import functools
import linecache
import os
import sys
import textwrap
import types

import numpy as np
import pytest
from lanewise import CompileError, LaunchError, gpu


def run(kernel, n=1):
    out = np.zeros(n)
    kernel[1, n](out)
    return out[0]


# --- the prompt


def talk_to_python(lines, arguments=("-i", "-q")):
    """What `python` prints on a terminal when the lines are typed into it."""
    pty = pytest.importorskip("pty")
    import select
    import subprocess

    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "PYTHON_BASIC_REPL": "1", "PYTHONSTARTUP": ""}
    child = subprocess.Popen([sys.executable, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    os.write(master, "".join(line + "\n" for line in [*lines, "exit()"]).encode())
    text = b""
    while select.select([master], [], [], 60)[0]:
        try:
            more = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        text += more
    os.close(master)
    assert child.wait(30) == 0, text.decode()
    return text.decode()


def test_typed_at_the_prompt():
    pytest.importorskip("readline")  # the prompt keeps what was typed for it
    shown = talk_to_python(
        [
            "import numpy as np",
            "from lanewise import gpu",
            "@gpu.jit(target='cpu')",
            "def first(out):",
            "    out[0] = 41",
            "",
            "@gpu.jit(target='cpu')",
            "def second(out):",
            "    if out.size:",
            "        out[0] = add(out[0])",
            "",
            "two = (gpu.jit(lambda x: x + 1, device=True),",
            "    gpu.jit(lambda x: x + 2, device=True))",
            "add = two[0]",
            "out = np.zeros(1)",
            "first[1, 1](out); second[1, 1](out)",
            "print('the result is', out[0])",
        ]
    )
    assert "the result is 42.0" in shown, shown


@pytest.mark.parametrize("name", ["<stdin>", "<stdin-0>", "<python-input-7>", "<console>", "<string>"])
def test_names_that_prompts_give_their_texts(name):
    # One statement a time; Python 3.13 and newer number them and put them into linecache.
    text = "@gpu.jit(target='cpu')\ndef k(out):\n    out[0] = 12\n"
    space = {"gpu": gpu}
    exec(compile(text, name, "single"), space)
    later = "def k(out):\n    out[0] = 13\n"
    exec(compile(later, name, "single"), {})
    assert run(space["k"]) == 12


def test_code_module():
    import code

    console = code.InteractiveConsole({"gpu": gpu, "run": run})
    for line in ["@gpu.jit(target='cpu')", "def k(out):", "    out[0] = 14", "", "result = run(k)"]:
        console.push(line)
    assert console.locals["result"] == 14


# --- notebooks


def run_cell(text, name, space):
    """As ipykernel does: the cell's text is in linecache under a name of its own, then it is compiled."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), space)


def test_notebook_cells(target):
    space = {"gpu": gpu, "target": target}
    cell = "@gpu.jit(target=target)\ndef k(out):\n    out[0] = VALUE + {}\n"
    run_cell("VALUE = 1", "/tmp/ipykernel_4711/1000.py", space)
    run_cell(cell.format(10), "/tmp/ipykernel_4711/1001.py", space)
    first = space["k"]
    run_cell(cell.format(20), "/tmp/ipykernel_4711/1002.py", space)  # the cell edited and run again
    run_cell("VALUE = 2", "/tmp/ipykernel_4711/1003.py", space)
    linecache.checkcache()  # IPython keeps such entries: no file can have changed
    linecache.cache["/tmp/ipykernel_4711/1001.py"] = (1, None, cell.format(10).splitlines(True), "")
    assert (run(first), run(space["k"])) == (12, 22)


def test_ipython_names():
    space = {"gpu": gpu}
    run_cell("@gpu.jit(target='cpu')\ndef k(out):\n    out[0] = 5\n", "<ipython-input-3-0123456789ab>", space)
    assert run(space["k"]) == 5


# --- factories, closures, rebinding


def test_a_closure_variable_that_is_assigned_later(target):
    def factory():
        @gpu.jit(target=target)
        def k(out):
            out[0] = later

        with pytest.raises(CompileError, match="later"):
            run(k)
        later = 4
        results = [run(k)]
        later = 5
        return [*results, run(k)]

    assert factory() == [4, 5]


def test_a_helper_that_is_defined_later_and_then_again(target):
    space = {"gpu": gpu, "target": target}
    exec("@gpu.jit(target=target)\ndef k(out):\n    out[0] = helper(1)\n", space)
    exec("@gpu.jit(device=True)\ndef helper(x):\n    return x + 1\n", space)
    assert run(space["k"]) == 2
    exec("@gpu.jit(device=True)\ndef helper(x):\n    return x + 10\n", space)
    assert run(space["k"]) == 11


def test_methods_of_a_factory(target):
    class Maker:
        scale = 3

        def make(self, offset):
            scale = self.scale

            @gpu.jit(target=target)
            def k(out):
                out[0] = scale * 10 + offset

            return k

    maker = Maker()
    first = maker.make(1)
    maker.scale = 4
    assert (run(first), run(maker.make(2))) == (31, 42)


def test_static_methods(target):
    class Kernels:
        @staticmethod
        def k(out):
            out[0] = Kernels.value()

        @staticmethod
        @gpu.jit(device=True)
        def value():
            return 6

    for function in (Kernels.k, Kernels.k, Kernels.__dict__["k"], Kernels().k):
        assert run(gpu.jit(function, target=target)) == 6


# --- other decorators, other compilers


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def marked(function):
    function.mark = True
    return function


def test_decorators_above_and_below(target):
    calls = []

    def counted(kernel):
        class Counted:
            def __getitem__(self, configuration):
                calls.append(configuration)
                return kernel[configuration]

        return Counted()

    @counted
    @marked
    @gpu.jit(target=target)
    @marked
    def k(out):
        out[0] = 8

    assert run(k) == 8
    assert calls == [(1, 1)]


def test_a_wrapper_above_a_device_function(target):
    @logged
    @gpu.jit(device=True)
    def helper(x):
        return x + 1

    @gpu.jit(target=target)
    def k(out):
        out[0] = helper(6)

    assert run(k) == 7


def test_a_wrapper_below():
    with pytest.raises(TypeError, match="`k` is wrapped by another decorator.*directly above the `def`"):

        @gpu.jit
        @logged
        def k(out):
            out[0] = 1


def test_functions_of_other_compilers(target):
    def k(out):
        out[0] = 9

    dispatcher = types.SimpleNamespace(py_func=k, targetoptions={})
    assert run(gpu.jit(dispatcher, target=target)) == 9


@pytest.mark.parametrize(
    "thing, message",
    [
        (functools.partial(logged, 1), "pass its values as arguments"),
        (test_ipython_names.__call__.__self__.__get__(1), "make it a static method"),
        (len, "decorate a function written with"),
        (int, "decorate a function written with"),
        (np.sin, "decorate a function written with"),
    ],
)
def test_what_is_no_function_names_the_way_out(thing, message):
    with pytest.raises(TypeError, match=message):
        gpu.jit(thing)


def test_functions_without_a_text():
    code = compile("def k(out):\n    out[0] = 1\n", "<made by hand>", "exec").co_consts[0]
    for replaced in (code.replace(co_filename="<nowhere>"), code.replace(co_filename="/no/such/file.py", co_firstlineno=9)):
        kernel = gpu.jit(types.FunctionType(replaced, {}, "k"), target="cpu")
        with pytest.raises(LaunchError, match=r'no source text of `k`.*gpu.jit\(source="..."\)'):
            run(kernel)


# --- texts that are no good


def test_texts_that_python_refuses():
    def k(out):
        out[0] = 1

    broken = {
        "(" * 10_000: "brackets",
        "def k(out):\n    out[0] = " + "(" * 10_000 + "1" + ")" * 10_000 + "\n": "brackets are nested",
        "def k(out):\n    out[0] = " + "-" * 100_000 + "1\n": "nested more than",
        "def k(out):\n    out[0] = " + " and ".join(["out[0]"] * 20_000) + "\n": "nested more than",
        "def k(out):\n    out[0] = " + " < ".join(["out[0]"] * 20_000) + "\n": "nested more than",
        "def k(out):\n    out[0] = max(" + ", ".join(["out[0]"] * 20_000) + ")\n": "1024 arguments",
        "def k(out):\n    if out.size:\n\tout[0] = 1\n        out[0] = 2\n": "tabs and spaces",
        "def k(out):\n    out[0] = 1\0\n": "NUL",
        "def k(out):\n    out[0] = \ud800\n": "half a character",
        "def k(out):\n" + "".join("    " * (i + 1) + "if out.size:\n" for i in range(500)): "levels of indentation",
    }
    for text, message in broken.items():
        with pytest.raises((CompileError, LaunchError, UnicodeError)) as caught:
            run(gpu.jit(k, target="cpu", source=text))
        assert message in str(caught.value), text[:80]


def test_a_large_text():
    def k(out):
        out[0] = 1

    lines = ["def k(out):", *(f"    # line {i} of many, which say nothing at all about the kernel" for i in range(16_000))]
    assert run(gpu.jit(k, target="cpu", source="\n".join([*lines, "    out[0] = 3", ""]))) == 3


def test_new_syntax_is_read_or_refused():
    def k(out):
        out[0] = 1

    statements = """
        match out[0]:
            case [a, *rest] if a: pass
            case {"k": v, **more}: pass
            case Point(x=1) as p: pass
        try: pass
        except* ValueError as e: pass
        type X[T: int, *Ts, **P] = list[T]
        class A[T](B): pass
        async with a as b: pass
        with (open(a) as b, open(c) as d): pass
        print(f"{f"{out[0]!r:>{5}}"}")
        x = yield
        global q
        await z
        {**a, 1: 2}
        lambda x, /, y=1, *a, z, **k: (yield)
        print(t"{out[0]}")
    """
    text = "def k(out):\n" + textwrap.indent(textwrap.dedent(statements), "    ")
    with pytest.raises(CompileError) as caught:
        run(gpu.jit(k, target="cpu", source=text))
    assert len(caught.value.diagnostics) >= 8


def test_new_syntax_that_kernels_have(target):
    def k(out):
        out[0] = 1

    text = textwrap.dedent(
        """
        def k(out):
            def add[T: (int, float)](x: T, /, y, *, z=1) -> T:
                return x + y + z
            if (n := add(1, 2)) > 3:
                match n:
                    case 4 | 5 if n == 4:
                        out[0] = n * 10
        """
    )
    assert run(gpu.jit(k, target=target, source=text)) == 40
