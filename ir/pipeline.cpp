// The passes that every back end gets, in order. The runner alone verifies and reports to after_pass.
#include "ir/error.h"
#include "ir/ir.h"

namespace lanewise::ir {
namespace {

// A pass over each function, or over the module.
struct Pass {
  std::string_view name;
  bool (*function)(Function&) = nullptr;
  bool (*module)(Module&) = nullptr;
};

bool compact_tables(Function& function) {
  compact(function);
  return false;
}

constexpr Pass kPipeline[] = {
    {"promote_variables", promote_variables},
    {"inline_calls", nullptr, inline_calls},  // needs variables to be gone
    {"lower_exits", nullptr, lower_exits},    // what is inlined needs no status
    {"fold_constants", fold_constants},
    {"eliminate_common_ops", eliminate_common_ops},  // facts of ranges reach all uses of a shared value
    {"fold_ranges", fold_ranges},
    {"fold_constants", fold_constants},  // selects and branches that ranges decided
    {"split_loops", split_loops},        // what ranges could not decide, for most turns
    {"fold_ranges", fold_ranges},
    {"fold_constants", fold_constants},
    {"eliminate_common_ops", eliminate_common_ops},
    {"remove_dead_ops", remove_dead_ops},
    {"remove_dead_functions", nullptr, remove_dead_functions},
    {"compact", compact_tables},
};

void check(std::string_view pass, const Module& module) {
  if (auto error = verify(module)) throw InternalError("after " + std::string(pass) + ": " + error->message);
}

}  // namespace

void run_pipeline(Module& module, const PipelineOptions& options) {
  for (const Pass& pass : kPipeline) {
    if (pass.module)
      pass.module(module);
    else
      for (Function& function : module.functions) pass.function(function);
    if (options.verify_each) check(pass.name, module);
    if (options.after_pass) options.after_pass(pass.name, module, options.context);
  }
  if (!options.verify_each) check("the pipeline", module);
}

}  // namespace lanewise::ir
