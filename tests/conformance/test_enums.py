"""Enum classes that a kernel captures: members by name, their values, all of them in a loop."""

import enum

import as_python
import numpy as np
import pytest
from lanewise import CompileError, gpu


class Color(enum.IntEnum):
    RED = 1
    GREEN = 5
    BLUE = 7
    ROT = 1  # another name for RED


class Weight(enum.Enum):
    LIGHT = 0.5
    HEAVY = 2.0


CASES = []
case = as_python.collector(CASES)


@case()
def by_name(out):
    out[0] = Color["GREEN"]
    out[1] = Color["ROT"]
    out[2] = Weight["HEAVY"].value
    out[3] = Color.BLUE + Color["RED"]


@case()
def all_of_them(out):
    n = 0
    for c in Color:
        out[n] = c
        n += 1
    for w in Weight:
        out[n] = w.value
        n += 1
    out[n] = len(Color)


@case()
def in_other_loops(out):
    for i, c in enumerate(Color):
        out[i] = c * 10
    for c, x in zip(Color, (1, 2, 3)):
        out[c] += x
    out[12] = sum(tuple(c for c in Color))


@case(5)
@case(6)
def is_a_member(out, x):
    out[0] = x in tuple(Color)
    for c in Color:
        if c == x:
            out[1] = c


@pytest.mark.parametrize("function, arguments, options", CASES)
def test_as_python(function, arguments, options):
    as_python.check(function, *arguments, **options)


def test_names_that_are_none():
    @gpu.jit
    def misspelt(out):
        out[0] = Color["GRENE"]

    @gpu.jit
    def not_a_name(out):
        out[0] = Color[1]

    with pytest.raises(CompileError, match="did you mean `GREEN`"):
        misspelt[1, 1](np.zeros(1))
    with pytest.raises(CompileError, match="named by a constant text"):
        not_a_name[1, 1](np.zeros(1))
