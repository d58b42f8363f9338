"""What the tests of kc share."""

import pytest


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="kernels.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_file
