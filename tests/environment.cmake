# Read by ctest before the tests of this project run. Without a CUDA toolkit, its pieces come from the wheels that
# tools/setup.sh installs for the tests.
if(NOT DEFINED ENV{VIRTUAL_ENV} AND EXISTS "${CMAKE_CURRENT_LIST_DIR}/../.venv")
  set(ENV{VIRTUAL_ENV} "${CMAKE_CURRENT_LIST_DIR}/../.venv")
endif()
if(NOT DEFINED ENV{LANEWISE_LIBDEVICE})
  file(GLOB found "${CMAKE_CURRENT_LIST_DIR}/../.venv/cuda-*/nvidia/cuda_nvcc/nvvm/libdevice/libdevice.10.bc")
  if(found)
    list(GET found -1 newest)
    set(ENV{LANEWISE_LIBDEVICE} "${newest}")
  endif()
endif()
# In the sanitizers' build.
if(NOT DEFINED ENV{LSAN_OPTIONS})
  set(ENV{LSAN_OPTIONS} "suppressions=${CMAKE_CURRENT_LIST_DIR}/support/leaks.supp:print_suppressions=0")
endif()
