"""With LANEWISE_COVERAGE_FILE set, a run notes in that file which IR operations its kernels consist of and which of the
language's functions their texts name. tests/conformance/coverage.py says what is missing."""

import ast
import builtins
import json
import os
import re

import lanewise
import pytest
from lanewise import _source, gpu

_MNEMONIC = re.compile(r"^\s*(?:%\S+(?:, %\S+)* = )?([a-z][a-z0-9_]*)")
_PREFIXES = {"lanewise.gpu": "gpu", "math": "math", "cmath": "cmath", "numpy": "numpy", "operator": "operator"}
# What their functions make has methods, which the library's files define under these names.
_GROUPS = {"gpu.cg.this_grid": "gpu.cg.grid_group", "gpu.cg.this_thread_block": "gpu.cg.thread_block"}
_kernels = []


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call():
    """What CUDA C++ cannot be written for (LANEWISE_CUDA_VIA=nvrtc) is a skip, whatever the test is about: some atomics
    of system scope."""
    outcome = yield
    if os.environ.get("LANEWISE_CUDA_VIA") and outcome.excinfo:
        text = str(outcome.excinfo[1])
        if "CUDA C++ cannot be written for the op" in text:
            pytest.skip(text.splitlines()[0])


def pytest_configure():
    if not os.environ.get("LANEWISE_COVERAGE_FILE"):
        return
    kernel_class = type(gpu.jit(device=True)(lambda x: x))
    plain = kernel_class.__init__

    def noting(self, *arguments, **named):
        plain(self, *arguments, **named)
        _kernels.append(self)

    kernel_class.__init__ = noting


def _operations(kernel):
    try:
        texts = kernel.inspect_ir()
    except (ValueError, lanewise.Error):
        return set()  # never compiled
    texts = texts.values() if isinstance(texts, dict) else [texts]
    return {m.group(1) for text in texts for line in text.splitlines() if (m := _MNEMONIC.match(line))}


def _canonical(thing):
    """The dotted name of a module or of one of its functions; None of anything else."""
    if type(thing).__name__ == "Builtin":  # of lanewise.gpu: `op = gpu.atomic.add` outside of the kernel
        return thing._lanewise_builtin
    name = getattr(thing, "__name__", "")
    if name in _PREFIXES:
        return _PREFIXES[name]
    module = getattr(thing, "__module__", None) or ""
    prefix = "" if module == "builtins" else _PREFIXES.get(module)
    return None if prefix is None or not name else f"{prefix}.{name}".lstrip(".")


def _assigned(node):
    """What each target of an assignment gets, as far as the text says."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts)
        else:
            yield target, node.value


def _names(kernel):
    """Every `a.b.c` of the text whose `a` is one of the modules that the language knows, or a function of one."""
    function = kernel.py_func
    try:
        text = _source.find(function, kernel.targetoptions.get("source"))[0]
        tree = ast.parse("if 1:\n" + text if text[:1] in " \t" else text)
    except (lanewise.Error, SyntaxError):
        return set()
    seen = dict(vars(builtins)) | function.__globals__
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            seen[name] = cell.cell_contents
        except ValueError:
            pass

    def dotted(node):
        rest = []
        while isinstance(node, ast.Attribute):
            rest.insert(0, node.attr)
            node = node.value
        root = None
        if isinstance(node, ast.Name) and node.id in groups:
            root = groups[node.id]
        elif isinstance(node, ast.Name) and node.id in seen:
            root = _canonical(seen[node.id])
        elif isinstance(node, ast.Call):
            root = _GROUPS.get(dotted(node.func))
        return ".".join([root, *rest]) if root else None

    groups = {}  # by the name of a variable
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        for target, value in _assigned(node):
            group = _GROUPS.get(dotted(value.func)) if isinstance(value, ast.Call) else None
            if isinstance(target, ast.Name) and group:
                groups[target.id] = group
    return {name for node in ast.walk(tree) if (name := dotted(node))}


def pytest_sessionfinish():
    path = os.environ.get("LANEWISE_COVERAGE_FILE")
    if not path:
        return
    operations, names = set(), set()
    for kernel in _kernels:
        compiled = set() if kernel.is_device else _operations(kernel)
        operations |= compiled
        if compiled or kernel.is_device:
            names |= _names(kernel)
    with open(path, "w") as file:
        json.dump({"operations": sorted(operations), "names": sorted(names)}, file, indent=1)
