#!/usr/bin/env bash
# The main job, from a bare Debian 12 to a picture: installs what is missing, builds, installs the Python
# package into .venv and runs examples/terrain.py on the CPU. A second run takes seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/setup.sh

mkdir -p build
cmake --preset ci -DPython_EXECUTABLE="$PWD/.venv/bin/python" >build/configure.log 2>&1 || {
  cat build/configure.log >&2
  exit 1
}
cmake --build build/release --target lanewise_core kc lanewise
.venv/bin/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps \
  --config-settings=build-dir=build/release .
.venv/bin/python examples/terrain.py build/demo/terrain.png
