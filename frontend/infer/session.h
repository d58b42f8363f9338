// One infer(): the specialisations made so far, the constant arrays, and the bounds that keep hostile
// programs from taking forever.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "frontend/infer/report.h"
#include "frontend/infer/value.h"

namespace lanewise::frontend::inference {

// A function specialised on its arguments.
struct Specialisation {
  std::shared_ptr<const FunctionRef> function;
  std::vector<Argument> arguments;    // for the parameters, then for `captured`
  std::vector<std::string> captured;  // variables of the enclosing function
  TypedFunction typed;
  ValueType result = ValueType::none();
  Known result_known;
  Reports reports;
  bool running = false;  // being inferred right now
  bool result_known_yet = false;
  bool called_itself = false;  // while it was running
};

class Session {
 public:
  Session(const InferOptions& opts, const ir::SourceMap& source_map) : options(opts), sources(source_map) {}

  // The index of the specialisation, made now if there is none. While it is being made its result may be
  // unknown yet (result_known_yet false), which callers treat as an error without a report.
  uint32_t specialise(const std::shared_ptr<const FunctionRef>& function,
                      const std::vector<Argument>& arguments, const std::vector<std::string>& captured = {});
  Specialisation& operator[](uint32_t index) { return specialisations_[index]; }
  TypedModule finish();
  uint32_t external_index(const ir::ExternalFunction& external);
  uint32_t data_index(const HostValue::Array& array, const std::string& name);

  ir::Type python_float() const { return options.python_float32 ? ir::kF32 : ir::kF64; }

  static constexpr unsigned kMaxDepth = 700;     // nested syntax and calls in progress together
  static constexpr uint64_t kMaxWork = 500'000;  // expressions and statements visited
  static constexpr unsigned kMaxCalls = 64;      // calls in progress

  const InferOptions& options;
  const ir::SourceMap& sources;
  unsigned depth = 0;
  unsigned calls = 0;
  uint64_t work = 0;
  bool said_too_much = false;  // of work: once is enough
  uint64_t inferences = 0;     // begun so far

 private:
  void run(uint32_t index);

  std::deque<Specialisation> specialisations_;
  std::vector<ir::DataArray> data_;
  std::vector<HostValue::Array> data_sources_;
  std::vector<ir::ExternalFunction> externals_;
};

}  // namespace lanewise::frontend::inference
