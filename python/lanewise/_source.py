"""The text of a function, as the compiler needs it: found, and checked against the function's own code."""

import inspect
import linecache
import sys
import weakref

from . import _core
from .errors import LaunchError

# What was found, by function: (its code object then, the answer).
_found = weakref.WeakKeyDictionary()
_FUTURE_FLAGS = 0x1FF0000  # the bits of co_flags that `from __future__` sets


def find(function, source=None):
    """(text, file name, line of the text's first line, byte offset of the `lambda` or None).

    `source` is text that the user gave. Raises LaunchError if there is no text, or if it is another function's.
    """
    if source is not None:
        return _given(function, source)
    code = function.__code__
    if function in _found and _found[function][0] is code:
        return _found[function][1]
    is_lambda = code.co_name == "<lambda>"
    mismatch = False
    for lines in _candidates(code):
        found = _lambda_text(code, lines) if is_lambda else _def_text(code, lines)
        if found is not None:
            result = (found[0], code.co_filename, found[1], found[2])
            _found[function] = (code, result)
            return result
        mismatch = True
    _refuse(function, mismatch)


def remember(function):
    """Finds the text of a function of a `<...>` file now: later it may be forgotten."""
    if function.__code__.co_filename.startswith("<"):
        try:
            find(function)
        except LaunchError:
            pass  # said when it is needed


def _refuse(function, mismatch):
    code = function.__code__
    place = f"{code.co_filename}:{code.co_firstlineno}"
    if code.co_filename == "<string>":  # `python -c` and exec
        mismatch = False
    problem = (
        f"the text at {place} is not the text of `{function.__name__}` (any more): was the file edited?"
        if mismatch
        else f"there is no source text of `{function.__name__}` ({place})"
    )
    raise LaunchError(f'{problem} Give it the text with gpu.jit(source="...")')


def _candidates(code):
    """The texts that the function may come from, as lists of lines."""
    name = code.co_filename
    lines = linecache.getlines(name)
    if lines:
        yield lines
        before = linecache.cache.get(name)
        linecache.checkcache(name)
        if linecache.cache.get(name) is not before:  # the file has changed since
            lines = linecache.getlines(name)
            if lines:
                yield lines
    for text in _core.kept_texts(name):
        yield text.splitlines(keepends=True)
    if name == "<stdin>":
        yield from _typed_texts(code)


def _typed_texts(code):
    """What was typed at the prompt and looks like the function, latest first, from readline's history: the prompt of
    Python 3.12 and older compiles without telling anybody the text. The history has no empty lines."""
    readline = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length()
    typed = [(readline.get_history_item(i + 1) or "") + "\n" for i in range(count)]
    is_lambda = code.co_name == "<lambda>"
    for start in reversed(range(count - code.co_firstlineno + 1)):
        first = typed[start + code.co_firstlineno - 1].lstrip()
        if is_lambda:
            if "lambda" in first:
                yield from _statements(typed[start : start + 100])
        elif first.startswith("@") or first.startswith(f"def {code.co_name}"):
            yield typed[start:]


def _statements(lines):
    """The first lines that are a whole statement."""
    for end in range(1, len(lines) + 1):
        try:
            compile("".join(lines[:end]), "<stdin>", "exec")
        except SyntaxError:
            continue
        yield lines[:end]
        return


# --- def


def _def_text(code, lines):
    first = code.co_firstlineno - 1
    if first >= len(lines):
        return None
    try:
        block = inspect.getblock(lines[first:])
    except (SyntaxError, IndentationError, EOFError):
        return None
    text = "".join(block)
    if not text.endswith("\n"):
        text += "\n"
    return (text, code.co_firstlineno, None) if _is_text_of(text, code, lines) else None


def _is_text_of(text, code, lines):
    """Whether compiling `text` gives `code`. `lines` is the whole file that `text` is from."""
    variants = [(), *[names for names in [_imported_names(code)] if names]]
    for imports in variants:
        candidates = _compiled(text, code, imports)
        if candidates is None:
            return False
        # pytest rewrites the assert statements of test files before it compiles them.
        if "@pytest_ar" in code.co_names:
            return any(c.co_varnames[: c.co_argcount] == code.co_varnames[: code.co_argcount] for c in candidates)
        if any(_same_code(c, code) for c in candidates):
            return True
    # What a block compiles to depends, a little, on the rest of its file.
    return _is_in_file(lines, code)


def _is_in_file(lines, code):
    """Whether `code` is what the whole file has at its place. Slower than compiling the block."""
    try:
        module = _compile("".join(lines), code)
    except (SyntaxError, ValueError):
        return False
    return any(c.co_firstlineno == code.co_firstlineno and _same_code(c, code) for c in _codes(module))


def _imported_names(code):
    # Calls of a module's functions compile differently where the file imports the name.
    return tuple(name for name in code.co_names if name.isidentifier())


def _compile(text, code):
    flags = code.co_flags & _FUTURE_FLAGS
    return compile(text, "<lanewise check>", "exec", flags=flags, dont_inherit=True)


def _compiled(text, code, imports):
    """The code objects named as `code` in `text`, compiled with the free variables that `code` has."""
    indented = text[:1] in (" ", "\t")
    prefix = ""
    if code.co_freevars:
        prefix = f"def _outer({', '.join(code.co_freevars)}):\n"
        if not indented:
            text = "".join(" " + line for line in text.splitlines(keepends=True))
    elif indented:
        prefix = "if 1:\n"
    if imports:
        prefix = f"import {', '.join(imports)}\n" + prefix
    try:
        return [c for c in _codes(_compile(prefix + text, code)) if c.co_name == code.co_name]
    except (SyntaxError, ValueError):
        return None


def _codes(code):
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield constant
            yield from _codes(constant)


def _same_code(a, b):
    if (a.co_code, a.co_names, a.co_varnames, a.co_freevars) != (b.co_code, b.co_names, b.co_varnames, b.co_freevars):
        return False
    if (a.co_argcount, a.co_kwonlyargcount, len(a.co_consts)) != (b.co_argcount, b.co_kwonlyargcount, len(b.co_consts)):
        return False
    for x, y in zip(a.co_consts, b.co_consts):
        if hasattr(x, "co_code") and hasattr(y, "co_code"):
            if not _same_code(x, y):
                return False
        elif type(x) is not type(y) or repr(x) != repr(y):
            return False
    return True


# --- lambda


def _lambda_text(code, lines):
    """The statement that holds the lambda, or the lambda alone where that is a compound one."""
    import ast

    text = "".join(lines)
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    found = []
    _find_lambdas(tree, None, code, found)
    if len(found) > 1:
        found = [item for item in found if _is_lambda_of(item[0], code)]
    if len(found) != 1:
        return None
    node, statement = found[0]
    if not _is_in_file(lines, code):
        return None
    before = lines[statement.lineno - 1].encode()[: statement.col_offset]
    simple = not hasattr(statement, "body") and not before.strip()
    top = statement.lineno if simple else node.lineno
    bottom = statement.end_lineno if simple else node.end_lineno
    block = [line if line.endswith("\n") else line + "\n" for line in lines[top - 1 : bottom]]
    if not simple:
        # The lambda by itself, in its place: columns in messages stay right.
        last = block[-1].encode()[: node.end_col_offset].decode() + "\n"
        block[-1] = last
        head = block[0].encode()
        block[0] = " " * len(head[: node.col_offset].decode()) + head[node.col_offset :].decode()
    offset = sum(len(line.encode()) for line in block[: node.lineno - top])
    if simple:
        offset += node.col_offset
    else:
        offset += len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
    return "".join(block), top, offset


def _find_lambdas(node, statement, code, found):
    import ast

    todo = [(node, statement)]
    while todo:
        node, statement = todo.pop()
        if isinstance(node, ast.stmt):
            statement = node
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno:
            arguments = node.args.posonlyargs + node.args.args
            if tuple(a.arg for a in arguments) == code.co_varnames[: code.co_argcount]:
                found.append((node, statement))
        todo.extend((child, statement) for child in ast.iter_child_nodes(node))


def _is_lambda_of(node, code):
    """Whether the code's instructions lie within the lambda's body, and reach its end."""
    if not hasattr(code, "co_positions"):  # Python 3.10 and older
        return _compiles_to(node, code)
    body = node.body
    places = [p for p in code.co_positions() if None not in p and p[3] > 0]
    first = min(((p[0], p[2]) for p in places), default=None)
    last = max(((p[1], p[3]) for p in places), default=None)
    return first == (body.lineno, body.col_offset) and last == (body.end_lineno, body.end_col_offset)


def _compiles_to(node, code):
    """Whether the lambda is this code, by what it compiles to."""
    import ast

    module = ast.parse(f"def _outer({', '.join(code.co_freevars)}):\n    return 0")
    module.body[0].body[0].value = node
    outer = next(_codes(compile(module, "<lanewise check>", "exec", code.co_flags & _FUTURE_FLAGS, True)))
    return any(_same_code(inner, code) for inner in _codes(outer) if inner.co_name == code.co_name)


# --- text that the user gave


def _given(function, source):
    import textwrap

    name = function.__code__.co_name
    try:
        source.encode()
    except UnicodeEncodeError as error:
        raise LaunchError(f"the source given for `{function.__name__}` holds half a character: {error}") from None
    text = textwrap.dedent(source)
    if not text.endswith("\n"):
        text += "\n"
    offset = None
    if name == "<lambda>":
        offset = text.find("lambda")
        if offset < 0:
            raise LaunchError(f"the source given for `{function.__name__}` has no lambda")
        offset = len(text[:offset].encode())
    return text, f"<source of {function.__name__}>", 1, offset
