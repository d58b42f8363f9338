"""What kc says of kernels that are wrong, as text and JSON, and that nothing makes it crash."""

import json
import random
import re
import subprocess

import pytest
from kc_support import CONSTANT, KC, SAXPY, TWO, good, kc

# --- diagnostics


def test_several_errors_in_one_run(write):
    path = write(TWO.replace("= 1", "= one").replace("= 2", "= two"))
    done = kc(path, "-o", f"{path.parent}/out/")
    assert done.returncode == 1
    assert f"{path}:6:22: error: " in done.stderr and f"{path}:10:22: error: " in done.stderr
    assert "^" in done.stderr
    assert not list((path.parent / "out").glob("*")) if (path.parent / "out").exists() else True


def test_several_errors_in_one_kernel(write):
    done = kc(write(SAXPY.replace("y.size", "n").replace("x[i]", "z[i]")))
    assert done.returncode == 1
    assert "`n`" in done.stderr and "`z`" in done.stderr
    assert done.stderr.count(" error: ") == 2


def test_syntax_error(write):
    path = write(SAXPY.replace("if i < y.size:", "if i < y.size"))
    done = kc(path)
    assert done.returncode == 1 and re.search(rf"{re.escape(str(path))}:8:\d+: error: ", done.stderr)


def test_warnings_do_not_stop_and_can_be_turned_off(write):
    path = write(SAXPY.replace("        y[i] += a * x[i]", "        n = 1\n    y[0] = n"))
    done = kc(path)
    assert done.returncode == 0 and ".entry saxpy(" in done.stdout
    assert f"{path}:10:12: warning: " in done.stderr and "[maybe-unbound]" in done.stderr
    done = kc(path, "-w")
    assert done.returncode == 0 and done.stderr == ""


# --- nothing crashes


def test_mutated_files_end_in_status_0_or_1(write):
    rng = random.Random(7)
    words = [*"()[]{}:,;=+-*/%<>@.\"'#\\\n\t", "if ", "for ", "def ", "\n    ", "1e999", "0x", "gpu.", "lambda ", "ä"]
    for number in range(60):
        text = list(SAXPY + CONSTANT)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(text))
            if rng.random() < 0.5:
                text[at] = rng.choice(words)
            else:
                del text[at : at + rng.randint(1, 20)]
        path = write("".join(text), f"m{number}.py")
        done = kc(path, "-o", f"{path.parent}/out/", "--emit", rng.choice(["tokens", "ast", "ptx", "ir"]))
        assert done.returncode in (0, 1), (done.returncode, done.stderr, "".join(text))
        assert "internal error" not in done.stderr, (done.stderr, "".join(text))


@pytest.mark.parametrize(
    "statement",
    [
        "x[0] = " + "(" * 5000 + "1" + ")" * 5000,
        "x[0] = " + "-" * 20000 + "1",
        "x[0] = " + " + ".join(["x[0]"] * 20000),
        "x[0] = " + "x[" * 5000 + "0" + "]" * 5000,
        "x[0] = " + "1 if x[0] else " * 5000 + "2",
        "x[0] = " + " and ".join(["x[0]"] * 5000),
        "if x[0] == 0:\n        pass" + "".join(f"\n    elif x[0] == {i}:\n        x[0] = {i}" for i in range(5000)),
        "\n".join("    " * i + "if x[0]:" for i in range(1, 99)) + "\n" + "    " * 99 + "x[0] = 1",
        "x[0] = " + "(lambda: " * 3000 + "1" + ")()" * 3000,
        "x[0] = 1\n    " * 20000 + "pass",
    ],
    ids=["parentheses", "signs", "sum", "subscripts", "ternary", "and", "elif", "if", "lambda", "long"],
)
def test_deep_and_long_input(write, statement):
    path = write(TWO.replace("x[gpu.grid(1)] = 1", statement.lstrip()))
    done = kc(path, "--kernel", "first", "--emit", "ir")
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-2000:])
    assert "internal error" not in done.stderr, done.stderr[-2000:]


def test_diagnostics_as_json(write):
    path = write("""
from lanewise import gpu

@gpu.jit(device=True)
def inner(x):
    return x & 1

@gpu.jit("void(float32[::1])")
def k(x):
    x[0] = inner(x[1])
""")
    done = kc(path, "--diagnostics=json")
    assert done.returncode == 1 and done.stdout == ""
    (error,) = json.loads(done.stderr)
    place = {"file": str(path), "line": 6, "column": 14, "end_line": 6, "end_column": 15}
    assert error["id"] == "operand-types" and error["severity"] == "error"
    assert error["message"] == "`&` does not work on float32 and int"
    assert error["hint"].startswith("convert with")
    assert {key: error[key] for key in place} == place
    assert error["labels"][0]["text"].startswith("`x` is float32") and error["labels"][0]["line"] == 5
    assert error["call_chain"][0]["text"] == "`inner` is called here" and error["call_chain"][0]["line"] == 10
    assert error["rendered"].startswith(f"{path}:6:14: error: ")


def test_json_is_one_document_whatever_happens(write, tmp_path):
    assert json.loads(kc(write(SAXPY), "--diagnostics", "json").stderr) == []
    (failure,) = json.loads(kc(tmp_path / "none.py", "--diagnostics", "json").stderr)
    assert "cannot read" in failure["message"] and failure["severity"] == "error"
    latin = tmp_path / "latin.py"
    latin.write_bytes(b"x = '\xe9'\n")
    assert json.loads(kc(latin, "--diagnostics", "json").stderr)[0]["id"] == "invalid-utf8"
    assert kc(write(SAXPY), "--diagnostics", "xml").returncode == 2


def test_performance_notes_are_off_by_default(write):
    path = write("""
from lanewise import gpu

@gpu.jit("void(float32[:, ::1])")
def k(a):
    i, j = gpu.grid(2)
    a[i, j] = 1
""")
    assert kc(path).stderr == ""
    done = kc(path, "--performance-notes")
    assert done.returncode == 0 and "performance: " in done.stderr and "[uncoalesced-access]" in done.stderr


BAD_TEXTS = {
    "latin-1": (SAXPY + "# \u00fc\n").encode("latin-1"),
    "declared latin-1": ("# -*- coding: latin-1 -*-\n" + SAXPY + "# \u00fc\n").encode("latin-1"),
    "utf-16": SAXPY.encode("utf-16"),
    "nul": (SAXPY + "\0").encode(),
    "brackets": (SAXPY + "    y[0] = " + "(" * 10_000 + "1" + ")" * 10_000 + "\n").encode(),
    "open brackets": (SAXPY + "    y[0] = " + "[" * 10_000 + "\n").encode(),
    "and": (SAXPY + "    y[0] = " + " and ".join(["a"] * 20_000) + "\n").encode(),
    "compare": (SAXPY + "    y[0] = " + " < ".join(["a"] * 20_000) + "\n").encode(),
    "arguments": (SAXPY + "    y[0] = max(" + ", ".join(["a"] * 20_000) + ")\n").encode(),
    "patterns": (SAXPY + "    match y.size:\n        case " + "|".join(map(str, range(20_000))) + ": pass\n").encode(),
    "blocks": (SAXPY + "".join("    " * (n + 1) + "if a:\n" for n in range(2000))).encode(),
    "tabs": (SAXPY + "    if a:\n\ty[0] = 1\n        y[0] = 2\n").encode(),
    "f-strings": (SAXPY + "    print(" + "f'{" * 300 + "1" + "}'" * 300 + ")\n").encode(),
}


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_texts_that_are_no_good_end_soon(tmp_path, name):
    path = tmp_path / "bad.py"
    path.write_bytes(BAD_TEXTS[name])
    done = subprocess.run([KC, path, "--emit", "ptx"], capture_output=True, timeout=60)
    assert done.returncode == 1, done.stderr[-500:]
    assert b"bad.py:" in done.stderr and b"error:" in done.stderr


def test_a_large_file(write):
    host = "".join(f"x{i} = {{'a': [{i}, (2, 3)], 'b': f'{{{i}}}'}}\n" for i in range(30_000))
    assert ".entry saxpy(" in good(write(host + SAXPY), "--emit", "ptx")
