"""The walls between the folders: which may include which, and where LLVM, CUDA and Python headers may be seen.

python layout_test.py ROOT: prints what is wrong, exits 1 if anything is.
"""

import pathlib
import re
import sys

LAYERS = {
    "ir": {"ir"},
    "frontend": {"frontend", "ir"},
    "codegen": {"codegen", "ir"},
    "runtime": {"runtime", "frontend", "codegen", "ir"},
    "python": {"python", "runtime", "frontend", "ir"},
    "tools": {"tools", "runtime", "frontend", "codegen", "ir"},
}
# What a layer shows the others; everything else in it is private.
PUBLIC = {
    "ir": None,  # the bottom: every header is small and public
    "frontend": {"frontend.h", "ast.h", "typed.h", "value_type.h", "host_value.h", "builtin_names.h",
                 "record_type.h"},
    "codegen": {"codegen.h", "cuda_toolkit.h", "host_abi.h", "ptx_abi.h"},
    "runtime": {"runtime.h", "device.h"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def foreign(name):
    """The wall that a header of someone else belongs behind, if any."""
    if name.startswith(("llvm/", "llvm-c/")):
        return "codegen"
    if name.startswith(("pybind11/", "Python.h", "numpy/")):
        return "python"
    if name in ("cuda.h", "cuda_runtime.h", "nvrtc.h"):
        return "nowhere: the driver is opened at run time"
    return None


def check(root):
    problems = []
    for layer, allowed in LAYERS.items():
        for path in sorted((root / layer).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".def"):
                continue
            where = path.relative_to(root)
            text = path.read_text()
            for name in INCLUDE.findall(text):
                wall = foreign(name)
                if wall and wall != layer:
                    problems.append(f"{where}: includes {name}, which belongs in {wall}")
                top, _, rest = name.partition("/")
                if top not in LAYERS or top == layer:
                    continue
                if top not in allowed:
                    problems.append(f"{where}: {layer} must not include {top} ({name})")
                elif PUBLIC.get(top) is not None and rest not in PUBLIC[top]:
                    problems.append(f"{where}: includes {name}, which is private to {top}")
            lines = text.count("\n")
            if path.suffix in (".h", ".cpp") and lines > 600:
                problems.append(f"{where}: {lines} lines, 600 are the limit: split it by topic")
    for folder in (*LAYERS, "tests", "examples", "docs"):
        if not (root / folder / "README.md").exists():
            problems.append(f"{folder}: has no README.md")
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found) or "the layout is sound")
    sys.exit(bool(found))
