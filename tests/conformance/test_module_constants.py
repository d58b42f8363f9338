"""What a module defines for its kernels: tests/c_api/constants.py, which the C++ API and kc read too, as Python sees it."""

import importlib.util
import pathlib
import types

import numpy as np
from as_python import check
from lanewise import gpu

FILE = pathlib.Path(__file__).resolve().parents[1] / "c_api" / "constants.py"


def test_constants_of_a_file():
    spec = importlib.util.spec_from_file_location("constants_of_a_file", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    out = np.zeros(20)
    module.constants[1, 1](out)
    out[1] -= 2 * np.pi
    out[3] -= np.float32(0.1)
    out[9] -= np.sin(1.0)
    wanted = [31, 0, 15, 0, 4, 1, 32, 5, 24, 0, 1, 16, 5, 11, 5, 38, 186, 8, 0, 8]
    np.testing.assert_allclose(out, wanted, rtol=0, atol=1e-15)


def test_objects_hold_constants():
    class Config:
        WIDTH = 8

        def __init__(self):
            self.height = 5

    settings = types.SimpleNamespace(scale=2.5)
    config = Config()

    def kernel(out):
        out[0] = Config.WIDTH
        out[1] = config.height
        out[2] = settings.scale

    check(kernel)


def test_classes_made_in_a_bare_namespace():
    space = {"gpu": gpu}
    exec("class Config:\n    WIDTH = 8\n@gpu.jit\ndef kernel(out):\n    out[0] = Config.WIDTH\n", space)
    out = np.zeros(1)
    space["kernel"][1, 1](out)
    assert out[0] == 8


def test_all_names_at_once():
    space = {}
    exec(
        "from lanewise.gpu import *\n@jit\ndef kernel(out):\n    i = grid(1)\n    syncthreads()\n"
        "    out[i] = float32(0.1) + threadIdx.x + round(0.2)\n",
        space,
    )
    out = np.zeros(2)
    space["kernel"][1, 2](out)
    assert list(out) == [np.float32(0.1), np.float32(0.1) + np.float32(1)]
