// The command line of kc as data. In: argv. Out: Options, or UsageError (exit status 2).
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "codegen/codegen.h"

namespace kc {

class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Emit { Tokens, Ast, Typed, Ir, Llvm, Ptx, Cuda, Cubin, Fatbin, Asm, Obj };

struct Options {
  std::string input;                  // a path, "-": standard input
  std::optional<std::string> output;  // a file, a folder, "-": standard output; none: standard output
  std::optional<Emit> emit;           // none: by the output's extension, else Ptx
  std::vector<std::string> kernels, signatures, include_dirs;
  std::vector<std::pair<std::string, std::string>> constants;
  lanewise::codegen::PtxTarget ptx;  // for each of the architectures
  std::vector<int> architectures;    // 75 if none was given
  bool arch_given = false;
  std::vector<std::string> link;  // files with device code
  bool resources = false;         // a table of registers, memory and spills
  bool devices = false;           // `kc devices`: what is on this machine
  bool fast_math = false, fma = true, python_float32 = false;
  bool for_cpu = false;  // IR and LLVM IR for the CPU rather than CUDA
  std::string cpu = "native";
  std::vector<lanewise::codegen::BlockShape> blocks;  // of CPU code
  unsigned optimize = 2;
  bool optimized_llvm = false;
  bool warnings = true, performance_notes = false;
  bool json = false;  // diagnostics as JSON rather than text
  bool help = false, version = false;
};

Options parse_options(const std::vector<std::string>& arguments);
std::string help_text();

// What is written for a kind of output, and the extension of its files: ".ptx".
std::string_view extension(Emit emit);

}  // namespace kc
