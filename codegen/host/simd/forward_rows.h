// Vectors that are read where others have just been written, in part: the processor has to wait until these
// are in the cache. Where their values are at hand, in the same basic block, they are put together from them:
// the steps of a sum by halves within a warp (`s[t] += s[t + 8]`).
#pragma once
#include <llvm/IR/PassManager.h>

namespace lanewise::codegen::host {

struct ForwardRowsPass : llvm::PassInfoMixin<ForwardRowsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise::codegen::host
