"""Every test that takes `target` runs on the CPU, on the interpreter, and on CUDA where a driver is named."""

import os

import pytest

TARGETS = ["cpu", "interpreter"]
if os.environ.get("LANEWISE_CUDA_DRIVER"):
    TARGETS.append("cuda")


@pytest.fixture(params=TARGETS)
def target(request):
    return request.param
