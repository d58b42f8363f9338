// From the text of a golden file to the specialised kernels in it, for the stages of stages.cpp.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "ir/ir.h"
#include "runtime/runtime.h"
#include "tests/golden/golden.h"

namespace lanewise::golden {

// One compile of a golden file.
struct Compile {
  ir::SourceMap text;                         // the golden file alone
  uint32_t file = 0;                          // its number, in both maps
  std::unique_ptr<runtime::OpenFile> opened;  // once it is opened as a kernel file
  ir::Diagnostics diagnostics;
  std::vector<std::string> folders;  // of imported modules

  explicit Compile(const GoldenCase& golden) : file(text.add({golden.name, golden.input})) {}
  ir::SourceMap& sources() { return opened ? opened->sources : text; }
  // Imported modules are called by their names within the folders they came from.
  std::string rendered();
};

// A kernel (or device function that a `#: signature` line names) and its argument types. Types come from the
// file's `#: signature` lines, else the decorator's string, else annotations; none is an error of the file.
struct Entry {
  frontend::FunctionRef function;
  std::vector<frontend::ValueType> arguments;
};
std::vector<Entry> open_entries(const GoldenCase& golden, Compile& compile);

// Options of a file: `#: fma off`, `#: fastmath on`, `#: python_float float32`.
frontend::InferOptions infer_options(const GoldenCase& golden);

// The typed tree of every entry; stops at errors, which are in the compile's diagnostics.
std::vector<frontend::TypedModule> infer_all(const GoldenCase& golden, Compile& compile);

// The modules of a file: of each entry of a .py file, before any pass, or the one of an .ir file. A module
// that the verifier refuses is an InternalError.
std::vector<ir::Module> modules(const GoldenCase& golden, Compile& compile);

}  // namespace lanewise::golden
