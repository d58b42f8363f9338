#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""A program around a kernel; nearly all of it is none of the compiler's business."""
from __future__ import annotations

import argparse
import dataclasses
import sys

try:
    import numpy as np
except ImportError as error:
    raise SystemExit(f"numpy is needed: {error!r}") from error

from lanewise import gpu

VERSION = "1.0" "beta"
TABLE = {"a": [1, 2, {3: (4,)}], **{"b": {*()}}}


@dataclasses.dataclass
class Options(dict):
    """Never parsed."""
    path: str = r"C:\temp\"" if sys.platform == 'win32' else '''/tmp
'''
    size: int = 1 << 10

    def text(self, *args, sep=', ', **rest) -> str:
        return f'{self.path!s:>{self.size}} {sep.join(f"{a:{w}}" for a, w in zip(args, (1, 2)))} {{}}'


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--size', type=int, default=10, help=f"""multi
    line {VERSION=}""")
    with open(parser.parse_args(argv).path) as file, \
            open('x') as other:
        yield from file
    try:
        x = (yield)
    finally:
        del x


@gpu.jit("void(float32[:])")
def twice(x):
    i = gpu.grid(1)
    if i < x.size: x[i] *= 2


async def later(): return [await y async for y in main() if y]

if __name__ == "__main__":
    N = 16
    main()
