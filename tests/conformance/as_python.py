"""Runs a kernel of one thread, and the same text as plain Python, and compares what they write."""

import builtins
import functools
import types

import numpy as np
import pytest
from lanewise import gpu


def plain(thing, done=None):
    """What a kernel sees, as Python sees it: device functions become functions."""
    done = {} if done is None else done
    if hasattr(thing, "py_func"):
        thing = thing.py_func
        if thing not in done:
            cells = tuple(types.CellType() for _ in thing.__closure__ or ())
            done[thing] = copy = types.FunctionType(
                thing.__code__, {"__builtins__": builtins}, thing.__name__, thing.__defaults__, cells
            )
            copy.__kwdefaults__ = thing.__kwdefaults__
            for cell, original in zip(cells, thing.__closure__ or ()):
                cell.cell_contents = plain(original.cell_contents, done)
            names = set(_names(thing.__code__))
            copy.__globals__.update(
                {name: plain(value, done) for name, value in thing.__globals__.items() if name in names}
            )
        return done[thing]
    if type(thing) is tuple:
        return tuple(plain(item, done) for item in thing)
    if isinstance(thing, functools.partial):
        return functools.partial(plain(thing.func, done), *thing.args, **thing.keywords)
    return thing


def _names(code):
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def check(function, *arguments, size=16, dtype=np.float64, rtol=1e-12):
    """`function(out, *arguments)` writes the same as a kernel and as Python."""
    kernel = function if hasattr(function, "py_func") else gpu.jit(function)

    def copies():
        return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]

    out = np.full(size, -77, dtype)
    wanted = np.full(size, -77, dtype)
    plain(kernel)(wanted, *plain(tuple(copies())))
    kernel[1, 1](out, *copies())
    np.testing.assert_allclose(out, wanted, rtol=rtol, atol=0)


def collector(cases):
    """A decorator `case(*arguments, **options)` that appends the function as a parameter of a test that gives it to check()."""

    def case(*arguments, **options):
        def add(function):
            cases.append(pytest.param(function, arguments, options, id=function.__name__))
            return function

        return add

    return case
