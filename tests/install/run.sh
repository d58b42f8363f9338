#!/usr/bin/env bash
# Installs Lanewise into a new folder, builds examples/cpp and a C program against it and runs them; checks that
# the library shows nothing but lw_* and needs no LLVM, CUDA or Python.
#   run.sh SOURCE BUILD FOLDER
set -euo pipefail
source=$1 build=$2 tree=$3
here=$(dirname "$0")

rm -rf "$tree"
mkdir -p "$tree"
"$CMAKE" --install "$build" --prefix "$tree/prefix" --component sdk >"$tree/install.log"
library=$(echo "$tree"/prefix/lib*/liblanewise.so "$tree"/prefix/lib/*/liblanewise.so | tr ' ' '\n' | grep -v '\*' | head -1)

nm -D --defined-only "$library" | awk '{print $3}' | sed 's/@.*//' >"$tree/symbols"
shown=$(grep -v -e '^lw_' -e '^LANEWISE_0$' "$tree/symbols" || true)
if [ -n "$shown" ]; then
  echo "liblanewise.so shows symbols that are not lw_*:" $shown >&2
  exit 1
fi
for name in $(cat "$tree"/prefix/include/lanewise/lanewise_c*.h | grep -E '^ *LW_API' | grep -oE '\blw_[a-z_]+\(' | tr -d '('); do
  grep -qx "$name" "$tree/symbols" || { echo "$name is declared and not there" >&2; exit 1; }
done
if readelf -d "$library" | grep NEEDED | grep -iE 'llvm|cuda|python|nvrtc'; then
  echo "liblanewise.so needs the libraries above" >&2
  exit 1
fi

# The examples, by find_package, with the compiler and generator that built the library.
"$CMAKE" -S "$source/examples/cpp" -B "$tree/examples" -DCMAKE_PREFIX_PATH="$tree/prefix" \
  -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" >"$tree/configure.log"
"$CMAKE" --build "$tree/examples" >"$tree/build.log" || { cat "$tree/build.log" >&2; exit 1; }
export LANEWISE_TARGET=cpu
"$tree/examples/saxpy" | tee "$tree/saxpy.log"
grep -q '^y\[0\] = 4$' "$tree/saxpy.log"
grep -q '\.entry saxpy' "$tree/saxpy.log"
"$tree/examples/blur" | tee "$tree/blur.log"
grep -q '^line 4: .*colour' "$tree/blur.log"
"$tree/examples/overlap" | tee "$tree/overlap.log"
grep -q '8 pieces on two streams' "$tree/overlap.log"
LANEWISE_TARGET=cuda LANEWISE_CUDA_DRIVER="$build/tests/ptxemu/libcuda.so.1" PTXEMU_LAZY=1 "$tree/examples/overlap"

# A C99 program, by hand.
cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$tree/prefix/include" "$here/consumer.c" "$library" \
  -Wl,-rpath,"$(dirname "$library")" -o "$tree/consumer"
"$tree/consumer"

# kc is part of the installation.
"$tree/prefix/bin/kc" "$source/examples/saxpy_kernel.py" --arch sm_80 -o "$tree/saxpy.ptx"
grep -q '\.target sm_80' "$tree/saxpy.ptx"
echo "the installed tree works"
