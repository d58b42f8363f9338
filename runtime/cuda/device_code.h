// A kernel's code with the CUDA C++ that it calls and what is linked to it. Private to runtime/cuda/; its
// public functions are in runtime.h.
#pragma once
#include "runtime/runtime.h"

namespace lanewise::runtime::cuda {

// Whether it can only be linked, not merged as text.
inline bool is_binary(const LinkInput& input) {
  return input.kind != LinkInput::Kind::CudaSource && input.kind != LinkInput::Kind::Ptx;
}

// A kernel's PTX with what it calls of its CUDA C++ and of the texts among `link` merged into it; the rest of
// emit_cuda_ptx().
std::string merge_externals(std::string ptx, const ir::Module& module, const codegen::PtxTarget& target,
                            const std::vector<LinkInput>& link, int newest_ptx);

// nvjitlink.cpp: PTX and binaries to a cubin for sm. CudaError with nvJitLink's log.
std::string link_cubin(const std::string& ptx, int sm, const std::vector<LinkInput>& link, int max_registers,
                       bool line_info);
// "13.0" of a library, "" if it cannot be used.
std::string nvjitlink_version(const std::string& path);

// program.cpp: runs a program of the toolkit, without a shell. What it wrote to both of its outputs, its
// status.
struct ProgramResult {
  int status = -1;
  std::string output;
};
ProgramResult run_program(const std::vector<std::string>& command);
// A folder that is removed with all in it when this ends.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  // Writes a file in it; its path.
  std::string write(const std::string& name, const std::string& contents) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace lanewise::runtime::cuda
