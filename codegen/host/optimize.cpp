// LLVM's passes for a kernel. What they must do: turn the emitter's naive code into tight loops (addresses
// strength-reduced, invariants hoisted out of the thread loops, small constant loops unrolled, bound checks
// that ranges decide dropped). Order and choice were measured on the bench kernels.
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ConstraintElimination.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/Sink.h>

#include "codegen/host/machine.h"
#include "codegen/host/simd/forward_rows.h"

namespace lanewise::codegen::host {

namespace {

void add_cleanup(llvm::FunctionPassManager& passes) {
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
}

void add_scalar_passes(llvm::FunctionPassManager& passes) {
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  add_cleanup(passes);
  {
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass());
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    loops.addPass(llvm::SimpleLoopUnswitchPass(true));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
  }
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  {
    llvm::LoopPassManager loops;
    loops.addPass(llvm::IndVarSimplifyPass());
    loops.addPass(llvm::LoopDeletionPass());
    loops.addPass(llvm::LoopFullUnrollPass(2));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  }
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::CorrelatedValuePropagationPass());
  passes.addPass(llvm::ConstraintEliminationPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::DSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(2).setPartial(false).setRuntime(false)));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().sinkCommonInsts(true)));
}

// Vector code comes with its addresses, masks and invariants in place.
void add_gang_passes(llvm::FunctionPassManager& passes) {
  add_cleanup(passes);
  {
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass());
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
  }
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(1, true)));  // those that are marked
  add_cleanup(passes);
  passes.addPass(llvm::SinkingPass());  // masks that only the code for some lanes needs
  passes.addPass(ForwardRowsPass());
}

}  // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& machine, bool gangs) {
  llvm::LoopAnalysisManager loop_analyses;
  llvm::FunctionAnalysisManager function_analyses;
  llvm::CGSCCAnalysisManager cgscc_analyses;
  llvm::ModuleAnalysisManager module_analyses;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(module_analyses);
  builder.registerCGSCCAnalyses(cgscc_analyses);
  builder.registerFunctionAnalyses(function_analyses);
  builder.registerLoopAnalyses(loop_analyses);
  builder.crossRegisterProxies(loop_analyses, function_analyses, cgscc_analyses, module_analyses);

  llvm::FunctionPassManager passes;
  gangs ? add_gang_passes(passes) : add_scalar_passes(passes);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, function_analyses);
}

}  // namespace lanewise::codegen::host
