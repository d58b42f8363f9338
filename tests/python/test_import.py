"""What `from lanewise import gpu` does, and what it must not do."""

import subprocess
import sys

PROGRAM = """
import sys
import numpy
before = set(sys.modules)
from lanewise import gpu
added = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(added & {"asyncio", "concurrent", "ctypes", "email", "logging", "multiprocessing", "ssl",
                      "subprocess", "tempfile", "unittest", "urllib", "uuid", "xml"}))
print([line for line in open("/proc/self/maps") if "libcuda" in line or "libnvrtc" in line or "nvJitLink" in line])
"""


def test_the_import_is_light_and_opens_no_driver():
    result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert result.stdout.splitlines() == ["[]", "[]"], result.stdout + result.stderr
