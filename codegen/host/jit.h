// Object code into this process, through ORC's JITLink. One session for the process, one JITDylib a kernel;
// it is freed with the LoadedCode.
#pragma once
#include <llvm/ADT/SmallVector.h>

#include <memory>
#include <string>

namespace lanewise::codegen::host {

class LoadedCode {
 public:
  virtual ~LoadedCode() = default;
  void* address = nullptr;  // of the symbol asked for
};

// `debug`: the object has line tables, which gdb is told of; with LANEWISE_PERF=1 in the environment every
// kernel is told to perf, by a jitdump file.
std::unique_ptr<LoadedCode> load_object(llvm::SmallVector<char, 0> object, const std::string& symbol,
                                        bool debug = false);

// What compiled code may call: the C library's mathematics and the compiler's helpers; see symbols.cpp.
struct RuntimeSymbol {
  const char* name;
  void* address;
};
extern const RuntimeSymbol kRuntimeSymbols[];
extern const size_t kRuntimeSymbolCount;

}  // namespace lanewise::codegen::host
