#!/usr/bin/env bash
# Every test, C++ and Python, through ctest: installs what is missing, builds build/release and runs.
# Arguments go to ctest: tools/test.sh -R conformance
set -euo pipefail
cd "$(dirname "$0")/.."
export LANEWISE_SETUP=test
source tools/setup.sh

mkdir -p build
cmake --preset ci -DPython_EXECUTABLE="$PWD/.venv/bin/python" >build/configure.log 2>&1 || {
  cat build/configure.log >&2
  exit 1
}
cmake --build build/release
ctest --test-dir build/release --output-on-failure -j "$(nproc)" "$@"
