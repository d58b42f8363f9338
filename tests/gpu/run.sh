#!/usr/bin/env bash
# The CUDA engine's tests on a real device: prints what there is, then runs what was built. Builds nothing.
#   tests/gpu/run.sh [BUILD_FOLDER]        (build/release)
# Exit status 0: all passed; 1: something failed; 77: no device.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/release}
unset LANEWISE_CUDA_DRIVER
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
echo "$failed failed"
[ "$failed" = 0 ]
