// Throwing through LLVM's frames works because Debian's LLVM has unwind tables; what the interrupted code
// owned leaks, and the TargetMachine that was at work must not be used again.
#include "codegen/common/llvm_guard.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <mutex>
#include <vector>

#include "ir/error.h"

namespace lanewise::codegen {

void install_fatal_error_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(
        [](void*, const char* reason, bool) { throw ir::InternalError(std::string("LLVM: ") + reason); });
  });
}

void initialize_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

void keep_for_good(const void* object) {
  static std::mutex mutex;
  static auto* kept = new std::vector<const void*>;
  std::scoped_lock lock(mutex);
  kept->push_back(object);
}

DiagnosticCollector::DiagnosticCollector(llvm::LLVMContext& context) {
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo* info, void* self) {
        auto& first = static_cast<DiagnosticCollector*>(self)->first_error_;
        if (info->getSeverity() != llvm::DS_Error || !first.empty()) return;
        llvm::raw_string_ostream out(first);
        llvm::DiagnosticPrinterRawOStream printer(out);
        info->print(printer);
      },
      this);
}

void DiagnosticCollector::check() const {
  if (!first_error_.empty()) throw ir::InternalError("LLVM: " + first_error_);
}

}  // namespace lanewise::codegen
