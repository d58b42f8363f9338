// Which file and line of the source each op comes from, for profilers and debuggers.
#pragma once
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include <map>

#include "ir/function.h"

namespace lanewise::codegen {

class LineInfo {
 public:
  // Directives: PTX's .loc alone, with which ptxas optimises as without; Tables: DWARF's line tables.
  enum class Kind : uint8_t { Directives, Tables };
  LineInfo(llvm::Module& module, const ir::SourceMap& sources, Kind kind);
  void start_function(const ir::Function& function, llvm::Function* llvm_function);
  // What is built next comes from `op`. Ops of inlined functions are said to be at their own lines.
  void set(llvm::IRBuilder<>& builder, const ir::Op& op);
  void finish();

 private:
  llvm::DIFile* file(uint32_t id);
  llvm::DIScope* scope(uint32_t id);

  const ir::SourceMap& sources_;
  llvm::DIBuilder builder_;
  llvm::DISubprogram* subprogram_ = nullptr;
  uint32_t subprogram_file_ = 0;
  std::map<uint32_t, llvm::DIFile*> files_;
  std::map<uint32_t, llvm::DIScope*> scopes_;  // of the current function, by file
};

}  // namespace lanewise::codegen
