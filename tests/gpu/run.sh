#!/usr/bin/env bash
# Everything on a real device: the CUDA engine's tests, all conformance kernels, the Python door; then how fast
# kernels, copies and launches are beside CUDA C++ (measure.py). Prints tables and writes JSON. Builds nothing.
#   tests/gpu/run.sh [BUILD_FOLDER [JSON_FILE]]        (build/release, BUILD_FOLDER/gpu.json)
# PYTHON names the interpreter that the package was built for (.venv/bin/python).
# Exit status 0: all passed; 1: something failed; 77: no device.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/release}
json=${2:-$build/gpu.json}
python=${PYTHON:-.venv/bin/python}
unset LANEWISE_CUDA_DRIVER
export PYTHONPATH=$PWD/$build/python
tests=$build/tests/unit/runtime/runtime_cuda_tests
if [ ! -x "$tests" ]; then
  echo "$tests is not there: build first (tools/test.sh)" >&2
  exit 1
fi
if command -v nvidia-smi >/dev/null; then nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv; fi

# The status test prints the report where there is no usable device.
report=$("$tests" --gtest_filter='CudaStatus.ReportsDriverAndDevice' 2>&1)
if ! grep -q '\[  PASSED  \] 1 test' <<<"$report"; then
  echo "$report"
  echo "no usable device: nothing was tested"
  exit 77
fi

failed=0
# A process for each test: an error of one must not take the context from the others.
for name in $("$tests" --gtest_list_tests | awk '/^[^ ]/ {suite=$1} /^ / {print suite $1}'); do
  if output=$("$tests" --gtest_filter="$name" 2>&1); then
    echo "ok      $name"
  else
    echo "FAILED  $name"
    echo "$output" | grep -v '^\[' | head -40
    failed=$((failed + 1))
  fi
done
echo "runtime: $failed failed"

step() {
  echo "== $1"
  shift
  "$@" || failed=$((failed + 1))
}
pytest="$python -m pytest -q -p no:cacheprovider"
step "conformance" env LANEWISE_TARGET=cuda $pytest tests/conformance
step "general code" env LANEWISE_TARGET=cuda LANEWISE_CUDA_GENERAL=1 $pytest tests/conformance -k "not fault"
step "the Python door" $pytest tests/python
step "measurements" "$python" tests/gpu/measure.py --json "$json"
echo "figures: $json"
echo "$failed failed"
[ "$failed" = 0 ]
