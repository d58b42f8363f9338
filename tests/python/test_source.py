"""Where the text of a kernel comes from."""

import importlib.util
import linecache
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from lanewise import CompileError, LaunchError, gpu


def run(kernel, n=1):
    out = np.zeros(n)
    kernel[1, n](out)
    return out[0]


def load(path, name="loaded_kernels"):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def passes(function):
    return function


def test_stacked_decorators(target):
    @passes
    @gpu.jit(target=target)
    @passes
    def k(
        out,  # a comment ) in the header
    ):
        """A docstring
that is not indented."""
        # and comments
  # anywhere
        out[0] = len("""
x""") if False else 3

    assert run(k) == 3


def test_methods(target):
    class Kernels:
        @staticmethod
        @gpu.jit(target=target)
        def inner(out):
            __hidden = 2
            out[0] = __hidden

        @gpu.jit(target=target)
        @staticmethod
        def outer(out):
            out[0] = 5

        @gpu.jit(target=target)
        def bare(out):
            out[0] = 6

    assert (run(Kernels.inner), run(Kernels.outer), run(Kernels.bare), run(Kernels().bare)) == (2, 5, 6, 6)


def test_nested_factories(target):
    def outer(n):
        def middle():
            @gpu.jit(target=target)
            def k(out):
                out[0] = n

            return k

        return middle()

    assert run(outer(4)) == 4


def test_one_line_functions(target):
    @gpu.jit(target=target)
    def k(out): out[0] = 9  # fmt: skip

    assert run(k) == 9


def test_lambdas(target):
    two = [gpu.jit(lambda x: x + 1, device=True), gpu.jit(lambda x: x * 10, device=True)]
    first, second = two
    n = 7
    closed = gpu.jit(
        lambda x: (
            x - n
        ),
        device=True,
    )

    @gpu.jit(target=target)
    def k(out):
        out[0] = first(1) + second(2) + closed(0)

    assert run(k) == 2 + 20 - 7


def test_nested_lambdas_are_told_apart(target):
    outer = gpu.jit(lambda x: x + (lambda y: y * 2)(x), device=True)

    @gpu.jit(target=target)
    def k(out):
        out[0] = outer(3)

    try:
        assert run(k) == 9
    except CompileError as error:  # the inner call may not be in the language; the outer was found
        assert "lambda" in str(error)


def test_exec(target):
    space = {"gpu": gpu, "target": target}
    for n in (1, 2):  # the same file name, another text
        exec(
            f"@gpu.jit(target=target)\ndef made{n}(out):\n    out[0] = {n}\n",
            space,
        )
    assert (run(space["made1"]), run(space["made2"])) == (1, 2)


def test_exec_of_the_same_name_twice(target):
    kernels = []
    for n in (1, 2):
        space = {"gpu": gpu, "target": target}
        exec(f"@gpu.jit(target=target)\ndef k(out):\n    out[0] = {n}\n", space)
        kernels.append(space["k"])
    assert [run(k) for k in kernels] == [1, 2]


def test_exec_of_bytes():
    space = {"gpu": gpu}
    exec("# ü\n@gpu.jit(target='cpu')\ndef k(out):\n    out[0] = 8\n".encode(), space)
    exec("# -*- coding: latin-1 -*-\n# ü\ndef f(): pass\n".encode("latin-1"), space)
    assert run(space["k"]) == 8


def test_exec_and_then_much_else():
    space = {"gpu": gpu}
    exec("@gpu.jit(target='cpu')\ndef k(out):\n    out[0] = 8\n", space)
    for n in range(2000):
        exec(f"def other{n}(): pass", {})
    assert run(space["k"]) == 8


def test_no_text():
    code = compile("def k(out):\n    out[0] = 1\n", "/nowhere/file.py", "exec")
    space = {}
    exec(code, space)
    kernel = gpu.jit(space["k"], target="cpu")
    with pytest.raises(LaunchError, match=r'no source text of `k` \(/nowhere/file.py:1\).*gpu.jit\(source="..."\)'):
        run(kernel)


def test_text_given_by_the_user(target):
    code = compile("def k(out):\n    out[0] = n\n", "/nowhere/file.py", "exec")
    space = {"n": 11}
    exec(code, space)
    kernel = gpu.jit(space["k"], target=target, source="    def k(out):\n        out[0] = n\n")
    assert run(kernel) == 11


def test_text_given_by_the_user_for_another_function():
    with pytest.raises(LaunchError, match="does not define it"):

        @gpu.jit(target="cpu", source="def other(out):\n    out[0] = 1\n")
        def k(out):
            out[0] = 1

        run(k)


KERNEL_FILE = """
from lanewise import gpu

@gpu.jit(target="cpu")
def k(out):
    out[0] = 1
"""


def test_a_file_edited_after_the_import(tmp_path):
    path = tmp_path / "edited.py"
    path.write_text(KERNEL_FILE)
    module = load(path)
    linecache.clearcache()
    path.write_text(KERNEL_FILE.replace("out[0] = 1", "out[0] = 2"))
    with pytest.raises(LaunchError, match="(?s)edited.py:4.*was the file edited"):
        run(module.k)


def test_a_file_with_lines_added_above(tmp_path):
    path = tmp_path / "moved.py"
    path.write_text(KERNEL_FILE)
    module = load(path)
    linecache.clearcache()
    other = KERNEL_FILE.replace("k(out)", "other(out)").replace("out[0] = 1", "out[0] = 2")
    path.write_text(other + KERNEL_FILE)
    with pytest.raises(LaunchError, match="was the file edited"):
        run(module.k)


def test_a_reloaded_file_gives_the_new_text(tmp_path):
    path = tmp_path / "reloaded.py"
    path.write_text(KERNEL_FILE)
    assert run(load(path).k) == 1
    path.write_text(KERNEL_FILE.replace("out[0] = 1", "out[0] = 2 + 0 * 10"))
    assert run(load(path).k) == 2


def test_tabs_and_crlf(tmp_path):
    path = tmp_path / "dos.py"
    text = "from lanewise import gpu\n\n@gpu.jit(target='cpu')\ndef k(out):\n\tif out.size:\n\t\tout[0] = 6\n"
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert run(load(path).k) == 6


def test_no_newline_at_the_end(tmp_path):
    path = tmp_path / "short.py"
    path.write_text(KERNEL_FILE.rstrip())
    assert run(load(path).k) == 1


def test_unicode(target):
    größe = 4

    @gpu.jit(target=target)
    def κ(out):
        λ = größe  # äöü
        out[0] = λ

    assert run(κ) == 4


def test_future_annotations(tmp_path):
    path = tmp_path / "future.py"
    path.write_text("from __future__ import annotations\n" + KERNEL_FILE.replace("(out)", "(out: NoSuchType)"))
    assert run(load(path).k) == 1


def test_the_interactive_prompt():
    # What `python -i` and Jupyter do: compile in a file named in angle brackets, one statement a time.
    space = {"gpu": gpu}
    text = "@gpu.jit(target='cpu')\ndef k(out):\n    out[0] = 12\n"
    exec(compile(text, "<stdin>", "single"), space)
    assert run(space["k"]) == 12


def test_python_c(tmp_path):
    import subprocess

    program = textwrap.dedent(
        """
        import numpy as np
        from lanewise import gpu
        exec('''
        @gpu.jit(target="cpu")
        def k(out):
            out[0] = 3
        ''')
        out = np.zeros(1)
        k[1, 1](out)
        print(out[0])
        """
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.strip() == "3.0", result.stderr


def test_asserts_that_pytest_rewrites():
    @gpu.jit(target="cpu")
    def k(out):
        assert out.size
        out[0] = 1

    try:
        run(k)
    except CompileError as error:  # the text was found; the language may not have `assert`
        assert "assert" in str(error)


def test_a_command_has_no_text():
    """Python before 3.13 keeps none of `python -c`."""
    program = "import numpy\nfrom lanewise import gpu\n@gpu.jit\ndef k(o):\n    o[0] = 1\nk[1, 1](numpy.zeros(1))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    if sys.version_info < (3, 13):
        assert "there is no source text of `k` (<string>:3)" in done.stderr, done.stderr
    assert "was the file edited" not in done.stderr
