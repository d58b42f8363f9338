#!/usr/bin/env bash
# Installs what building and testing need and is missing, and makes .venv; the other scripts source it.
# Debian 12 with root or sudo; only Debian's and PyPI's package indexes are used.
#   LANEWISE_SETUP=demo (default) or test: test adds the assemblers that check our PTX.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(ca-certificates g++ cmake ninja-build ccache lld-22 llvm-22-dev zlib1g-dev libzstd-dev libgtest-dev
          nlohmann-json3-dev
          python3 python3-dev python3-venv)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  sudo=""
  if [ "$(id -u)" != 0 ]; then sudo=sudo; fi
  echo "installing: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq
  if ! $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
    echo "could not install ${missing[*]}" >&2
    echo "llvm-22-dev is in Debian 12's security archive: is bookworm-security among the apt sources?" >&2
    exit 1
  fi
fi

# A virtual environment knows where its Python is: one that was copied or half made is made anew.
if ! .venv/bin/python -c "import sys" 2>/dev/null; then
  rm -rf .venv
  python3 -m venv .venv
fi
install_wheels() { # FOLDER WHEEL...: into .venv itself if FOLDER is "", once for each list of wheels
  local folder=$1 stamp
  shift
  stamp=.venv/.lanewise-$(printf '%s ' "$folder" "$@" | cksum | cut -d' ' -f1)
  if [ ! -e "$stamp" ]; then
    echo "installing into .venv/$folder: $*"
    .venv/bin/python -m pip install -q --disable-pip-version-check ${folder:+--no-deps --target ".venv/$folder"} "$@"
    touch "$stamp"
  fi
}
install_wheels "" "numpy" "matplotlib" "pybind11>=3" "scikit-build-core>=0.11"
if [ "${LANEWISE_SETUP:-demo}" = test ]; then
  install_wheels "" "pytest" "mpmath" "ml_dtypes"
  # For tests of CUDA C++ in kernels. CUDA 12's compiles for sm_50 to sm_121, and writes PTX that more drivers take.
  install_wheels "" "nvidia-cuda-nvrtc-cu12==12.9.*" "nvidia-nvjitlink-cu12==12.9.*" "nvidia-cuda-runtime-cu12==12.9.*"
  # Two releases of one wheel: each in a folder of its own. Between them their ptxas take sm_35 to sm_121.
  install_wheels "cuda-12.9" "nvidia-cuda-nvcc-cu12==12.9.*"
  install_wheels "cuda-11.8" "nvidia-cuda-nvcc-cu11==11.8.*"
fi
