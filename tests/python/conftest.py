"""Every test that takes `target` runs on the CPU, on the interpreter, and on CUDA where a driver is named."""

import os

import pytest
from lanewise import gpu

TARGETS = ["cpu", "interpreter"]
if os.environ.get("LANEWISE_CUDA_DRIVER") or gpu.is_available():
    TARGETS.append("cuda")


@pytest.fixture(params=TARGETS)
def target(request):
    return request.param
