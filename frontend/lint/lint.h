// Suspicious code: warnings and performance notes about programs that are legal, found in the typed tree
// after inference. In: a module without errors. Out: diagnostics; the module is not changed.
#pragma once
#include "frontend/frontend.h"
#include "frontend/lint/facts.h"

namespace lanewise::frontend::lint {

// All checks of a module. `entry` is the function that module.functions[0] was made from.
void find_suspicious(const TypedModule& module, const FunctionRef& entry, bool performance_notes,
                     const ir::SourceMap& sources, ir::Diagnostics& diagnostics);

// What the checks work with.
struct Context {
  const TypedModule& module;
  const ModuleFacts& facts;
  const ir::SourceMap& sources;
  ir::Diagnostics& diagnostics;

  std::string text(SourceRange range) const { return std::string(sources.text(range)); }
};

// --- guards.cpp: `i <= x.size`, and `and` where `or` is meant
void check_guards(const Context& context, size_t function);
// --- barriers.cpp: barriers that not all threads reach, shared arrays without any
void check_barriers(const Context& context);
// --- performance.cpp: float64 by accident, wide indices, accesses that do not coalesce
void note_performance(const Context& context, size_t function);

}  // namespace lanewise::frontend::lint
