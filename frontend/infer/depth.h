// Bounds the recursion over syntax and the work of one infer().
#pragma once
#include <utility>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

class Depth {
 public:
  Depth(FunctionInference& inference, SourceRange range) : session_(inference.session_) {
    ++session_.depth;
    bool deep = session_.depth > Session::kMaxDepth, long_work = ++session_.work > Session::kMaxWork;
    ok = !deep && !long_work;
    if (deep) inference.report(ir::DiagnosticId::TooDeep, range);
    if (long_work && !std::exchange(session_.said_too_much, true))
      inference.report(ir::DiagnosticId::TooMuchWork, range);
  }
  Depth(const Depth&) = delete;
  ~Depth() { --session_.depth; }
  bool ok = true;

 private:
  Session& session_;
};

}  // namespace lanewise::frontend::inference
