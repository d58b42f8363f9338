# Read by ctest before the tests of this project run. Without a CUDA toolkit, libdevice comes from the wheel that
# tools/setup.sh installs for the tests.
if(NOT DEFINED ENV{LANEWISE_LIBDEVICE})
  file(GLOB found "${CMAKE_CURRENT_LIST_DIR}/../.venv/cuda-*/nvidia/cuda_nvcc/nvvm/libdevice/libdevice.10.bc")
  if(found)
    list(GET found -1 newest)
    set(ENV{LANEWISE_LIBDEVICE} "${newest}")
  endif()
endif()
