// One compile, as Python sees it: from function objects to the frontend's FunctionRefs, with the names they
// read recorded. A CompileContext lives as long as the compile.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture.h"
#include "core.h"
#include "frontend/frontend.h"

namespace lanewise::python {

// What a decorator says about its function.
struct JitOptions {
  bool device = false;
  std::optional<bool> fast_math, contract;
  bool python_float32 = false;
  bool performance_notes = false;
  bool debug = false;
  decltype(runtime::CompileOptions::cuda) cuda{.sm = 0};
  std::vector<runtime::LinkInput> link;

  // The part that the compiler wants.
  runtime::CompileOptions compile_options(runtime::Target target) const;

  std::optional<runtime::Target> target;
  py::object source;  // str, or None: find it
  py::object code;    // the function's code object that `source` is the text of
};

// A parsed function with the environment it sees, as inference wants it. GIL held.
class CompileContext {
 public:
  frontend::HostValue::Function function(py::handle function, const JitOptions& options);

  // What a name of a dict, cell or object stands for: of one compile, always what it was when it was first
  // read, even if another thread rebinds it meanwhile. Null: not read yet.
  using Found = std::optional<frontend::HostValue>;
  const Found* known(PyObject* container, const std::string& name) const;
  const Found& remember(Capture::Place place, const py::object& container, const std::string& name,
                        const py::object& value);

  ir::SourceMap sources;
  Captures captures;
  // Where the links of captured functions go: those of the compile's options; null: nowhere.
  std::vector<runtime::LinkInput>* links = nullptr;
  int tuple_depth = 0;  // of the value being read

 private:
  std::shared_ptr<frontend::FunctionRef> parse(py::handle function, const JitOptions& options);
  void record_function(py::handle function);

  // By function object, so that a helper used twice, or by itself, is one function.
  std::map<PyObject*, std::shared_ptr<frontend::FunctionRef>> functions_;
  std::map<std::pair<PyObject*, std::string>, Found> known_;  // the captures keep the containers alive
};

struct Specialization {
  std::shared_ptr<runtime::CompiledKernel> kernel;
  Captures captures;
};

// `objects`: what the arguments of type None are, in order. Compiles with the GIL released. Throws
// lanewise.CompileError as a Python error; issues warnings.
std::shared_ptr<const Specialization> compile_kernel(py::handle function, const JitOptions& options,
                                                     const runtime::CompileOptions& compile_options,
                                                     const std::vector<frontend::ValueType>& types,
                                                     const std::vector<py::object>& objects = {});
// A signature's types. Throws LaunchValueError with the parser's words.
frontend::ParsedSignature parse_signature(const std::string& text);
// PTX of a kernel or a device function for sm, called `name` in it if that is not empty, and the scalar type
// of its result ("void" of a kernel).
std::pair<std::string, std::string> compile_ptx(py::handle function, const JitOptions& options,
                                                const std::string& signature, int sm,
                                                const std::string& name = "");

}  // namespace lanewise::python
