// The calling thread's last message and diagnostics. In: exceptions and Diagnostics. Out: lw_last_error() and
// lw_get_diagnostic(), texts owned here.
#include <cstring>
#include <deque>
#include <optional>

#include "codegen/codegen.h"
#include "ir/error.h"
#include "runtime/c_api/api.h"

namespace lanewise::c_api {
namespace {

struct KeptDiagnostic {
  lw_severity severity = LW_SEVERITY_ERROR;
  std::optional<ir::Place> place;
  std::string id, message, hint, rendered;
};

struct Kept {
  std::string message;
  std::optional<runtime::RaisedError::Place> raised;
  std::vector<KeptDiagnostic> diagnostics;
};

Kept& kept() {
  thread_local Kept instance;
  return instance;
}

lw_severity to_severity(ir::Severity severity) {
  switch (severity) {
    case ir::Severity::Error: return LW_SEVERITY_ERROR;
    case ir::Severity::Warning: return LW_SEVERITY_WARNING;
    case ir::Severity::Performance: return LW_SEVERITY_PERFORMANCE;
  }
  return LW_SEVERITY_ERROR;
}

lw_status fail(lw_status status, const char* message) noexcept {
  try {
    kept().message = message;
  } catch (...) {
    // Out of memory for the message itself: the status has to do.
  }
  return status;
}

}  // namespace

void clear_errors() {
  kept().message.clear();
  kept().raised.reset();
  kept().diagnostics.clear();
}

void keep_diagnostics(const ir::Diagnostics& diagnostics, const ir::SourceMap& sources) {
  for (const ir::Diagnostic& diagnostic : diagnostics.all()) {
    KeptDiagnostic& out = kept().diagnostics.emplace_back();
    out.severity = to_severity(info(diagnostic.id).severity);
    out.id = info(diagnostic.id).text_id;
    out.message = diagnostic.message;
    out.hint = diagnostic.hint;
    out.rendered = ir::render(diagnostic, sources);
    out.place = sources.place(diagnostic.range);
  }
}

lw_status status_of_exception() noexcept {
  try {
    throw;
  } catch (const runtime::CompileError& error) {
    return fail(LW_ERROR_COMPILE, error.what());
  } catch (const runtime::LaunchError& error) {
    return fail(LW_ERROR_LAUNCH, error.what());
  } catch (const runtime::RaisedError& error) {
    kept().raised = error.place;
    return fail(LW_ERROR_RAISED, error.what());
  } catch (const runtime::KernelError& error) {
    return fail(LW_ERROR_KERNEL, error.what());
  } catch (const runtime::CudaError& error) {
    return fail(LW_ERROR_CUDA, error.what());
  } catch (const codegen::TargetError& error) {
    return fail(LW_ERROR_TARGET, error.what());
  } catch (const InvalidCall& error) {
    return fail(LW_ERROR_INVALID, error.what());
  } catch (const std::bad_alloc&) {
    return fail(LW_ERROR_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return fail(LW_ERROR_INTERNAL, error.what());
  } catch (...) {
    return fail(LW_ERROR_INTERNAL, "internal error: an unknown exception");
  }
}

}  // namespace lanewise::c_api

using namespace lanewise::c_api;

const char* lw_last_error(void) { return kept().message.c_str(); }

size_t lw_diagnostic_count(void) { return kept().diagnostics.size(); }

lw_status lw_get_diagnostic(size_t index, lw_diagnostic* out) {
  // Not guarded(): the thread's message and diagnostics stay.
  if (!out || index >= kept().diagnostics.size()) return LW_ERROR_INVALID;
  const KeptDiagnostic& from = kept().diagnostics[index];
  lw_diagnostic full{};
  full.struct_size = out->struct_size;
  full.severity = from.severity;
  full.file = "";
  if (from.place) {
    full.file = from.place->file.c_str();
    full.line = from.place->begin.line;
    full.column = from.place->begin.column;
    full.end_line = from.place->end.line;
    full.end_column = from.place->end.column;
  }
  full.id = from.id.c_str();
  full.message = from.message.c_str();
  full.hint = from.hint.c_str();
  full.rendered = from.rendered.c_str();
  std::memcpy(out, &full, std::min(out->struct_size, sizeof full));
  return LW_OK;
}

lw_status lw_get_raised(lw_raised* out) {
  // Not guarded(): the thread's message and diagnostics stay.
  if (!out || !kept().raised) return LW_ERROR_INVALID;
  const lanewise::runtime::RaisedError::Place& from = *kept().raised;
  lw_raised full{};
  full.struct_size = out->struct_size;
  full.exception = from.exception.c_str();
  full.message = from.text.c_str();
  full.kernel = from.kernel.c_str();
  full.file = from.file.c_str();
  full.line = from.line;
  for (size_t i = 0; i < 3; ++i) full.block[i] = from.block[i], full.thread[i] = from.thread[i];
  std::memcpy(out, &full, std::min(out->struct_size, sizeof full));
  return LW_OK;
}
