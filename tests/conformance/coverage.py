"""What no conformance kernel uses: operations of ir/ops.def, functions of its PY column, of builtins.def and of
the library: python coverage.py FILE. FILE is what a run of this folder wrote with LANEWISE_COVERAGE_FILE=FILE
"""

import importlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[2]

# In no kernel after the passes, or in none that a kernel's text can ask for.
EXEMPT_OPERATIONS = {
    "var": "made by lowering, gone after promote_variables, which the verifier checks",
    "get": "as var",
    "set": "as var",
    "call_external": "only CUDA has it: tests/python/test_cuda_functions.py",
    "exit": "made by lowering, gone after lower_exits",
}
_CLUSTER = ("barrier_arrive", "barrier_wait", "block_index", "block_rank", "dim_blocks", "num_blocks", "num_threads", "sync", "thread_rank")
EXEMPT_NAMES = dict.fromkeys(
    ["gpu.cg.this_cluster", *(f"gpu.cg.cluster_group.{name}" for name in _CLUSTER)],
    "only CUDA has clusters: test_clusters.py",
)


def operations():
    return re.findall(r'^OP\(\w+, "(\w+)"', (ROOT / "ir/ops.def").read_text(), re.M)


def functions():
    """The names that kernels may use, those that Python's own modules have too."""
    for names in re.findall(r'PY_NAME\("([^"]*)"\)', (ROOT / "ir/ops.def").read_text()):
        yield from names.split()
    table = (ROOT / "frontend/infer/builtins.def").read_text()
    yield from re.findall(r'^BUILTIN\("([^"]*)"', table, re.M)
    for name in re.findall(r'^OPERATOR\("([^"]*)"', table, re.M):
        yield f"numpy.{name}"
        yield f"operator.{name}"
    for library in sorted((ROOT / "frontend/library").glob("*.py")):
        for name in re.findall(r"^def ([a-z]\w*)", library.read_text(), re.M):
            yield f"{library.stem}.{name}"
            if library.stem == "gpu.fp16":  # made of the same text
                yield f"gpu.bf16.{name}"


def exists(name):
    module, _, attribute = name.rpartition(".")
    if module not in ("math", "numpy", "operator"):
        return True
    return hasattr(importlib.import_module(module), attribute)


def is_internal(name):
    """Of the library's own texts, which kernels use under another name."""
    return name.rpartition(".")[2].startswith("_")


def tests_without_a_definition():
    """What the tables of README.md name and no file defines; a test may be named by its start, and without its file."""
    table = (ROOT / "tests/conformance/README.md").read_text()
    texts = {
        path.name: path.read_text()
        for folder in ("conformance", "python", "kc")
        for path in sorted((ROOT / "tests" / folder).glob("*.py"))
    }
    for row in re.findall(r"^\| .*", table, re.M):
        file = None
        for name, test in re.findall(r"`(?:(test_\w+\.py)::)?(test_\w+)`", row):
            file = name or file
            if not any(f"def {test}" in text for text in ([texts.get(file, "")] if file else texts.values())):
                yield f"{file or 'anywhere'}::{test}"


def main():
    used = json.loads(pathlib.Path(sys.argv[1]).read_text())
    missing = [f"operation {op}" for op in operations() if op not in used["operations"] and op not in EXEMPT_OPERATIONS]
    missing += [
        f"function {name}"
        for name in dict.fromkeys(functions())
        if exists(name) and not is_internal(name) and name not in used["names"] and name not in EXEMPT_NAMES
    ]
    stale = [f"{op} is exempt but used" for op in EXEMPT_OPERATIONS if op in used["operations"]]
    if missing:
        print("in no conformance kernel:", *missing, sep="\n  ")
    undefined = list(tests_without_a_definition())
    if undefined:
        print("in the tables of README.md, but not there:", *undefined, sep="\n  ")
    print(*stale, sep="\n")
    return 1 if missing or stale or undefined else 0


if __name__ == "__main__":
    sys.exit(main())
