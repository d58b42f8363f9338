#!/usr/bin/env bash
# The conformance kernels on the emulator of several architectures, every module assembled by a ptxas that takes
# the architecture. Takes minutes; not part of the test run.
#   tests/ptx/conformance.sh [BUILD_FOLDER]        (build/release)
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$PWD/${1:-build/release}
export PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 LANEWISE_TARGET=cuda
export LANEWISE_CUDA_DRIVER=$build/tests/ptxemu/libcuda.so.1
failed=0
for pair in 35:cuda-11.8 50:cuda-12.9 70:cuda-11.8 80:cuda-12.9 90:cuda-12.9 120:cuda-12.9; do
  export PTXEMU_SM=${pair%%:*} PTXEMU_PTXAS=$PWD/.venv/${pair#*:}/nvidia/cuda_nvcc/bin/ptxas
  if [ ! -x "$PTXEMU_PTXAS" ]; then
    echo "sm_$PTXEMU_SM: skipped, no ${pair#*:} (LANEWISE_SETUP=test tools/setup.sh installs it)"
    continue
  fi
  echo "sm_$PTXEMU_SM, ${pair#*:}"
  .venv/bin/python -m pytest -q -p no:cacheprovider tests/conformance || failed=1
done
exit $failed
