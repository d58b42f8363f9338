// NVRTC, NVIDIA's compiler of CUDA C++, opened when the first source is compiled. In: C++ text. Out: PTX, or
// CompileError with NVRTC's errors at the places of the user's own file.
#pragma once
#include <string>
#include <vector>

#include "runtime/runtime.h"

namespace lanewise::runtime::cuda {

struct CudaSource {
  std::string name, text;  // what errors call it; the C++
  uint32_t first_line = 1;
  std::vector<std::string> options;  // of the user's: "-DN=3", "-I..."
  std::string appended;              // C++ of ours that follows the text
};

struct NvrtcTarget {
  int sm = 75;
  int newest_ptx =
      0;  // 10 * major + minor that the driver takes; 0: any. An NVRTC that writes no newer is preferred
  bool fast_math = false, contract = true, ftz = false;
};

// Errors that lie in `appended` only are no CompileError: then the result is empty and `problem` is the log.
std::string compile_cuda(const CudaSource& source, const NvrtcTarget& target, std::string& problem);

// A whole program of ours, with all its options; CudaError with the log and the text where NVRTC refuses it.
std::string compile_whole_cuda(const std::string& name, const std::string& text,
                               const std::vector<std::string>& options, const NvrtcTarget& target);

// "13.0" of a library, "" if it cannot be used.
std::string nvrtc_version(const std::string& path);
// The PTX that the NVRTC of a CUDA version (1000 * major + 10 * minor) writes; also what its driver takes at
// most.
int ptx_of_cuda_version(int version);

}  // namespace lanewise::runtime::cuda
