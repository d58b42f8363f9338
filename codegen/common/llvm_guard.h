// Turns LLVM's ways of ending the process into exceptions: its fatal-error handler throws ir::InternalError,
// and so does an error diagnostic once the compile has come back. Used around everything that calls LLVM.
#pragma once
#include <llvm/IR/LLVMContext.h>

#include <string>

namespace lanewise::codegen {

// Installs the throwing fatal-error handler; once in a process, cheap to call again.
void install_fatal_error_handler();

// Registers the targets we generate code for. LLVM's registry is not locked, so both back ends come here.
void initialize_targets();

// For what was at work when LLVM failed: its state is unknown, so it is never destroyed, only remembered,
// which tells leak checkers that it is meant so.
void keep_for_good(const void* object);

// Collects the error diagnostics of one context instead of printing them.
class DiagnosticCollector {
 public:
  explicit DiagnosticCollector(llvm::LLVMContext& context);
  // Throws InternalError with the first error, if there was one.
  void check() const;

 private:
  std::string first_error_;
};

}  // namespace lanewise::codegen
