// Divisions and roots of a gang that are not left to the divider alone (divider_plan.h): from estimates, or
// by a reciprocal that is known. Where the operands of some lane are not in the range of the sequence, the
// instruction does it for the whole gang, with the same results.
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "codegen/host/simd/gang_emitter.h"
#include "codegen/host/simd/vector_roots.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using llvm::BasicBlock;
using llvm::Value;

// What an op by estimates is made of.
struct GangEmitter::Division {
  DividerOp op;
  ir::Type type;
  unsigned lanes, by_instruction;              // of a part; parts
  Value *a = nullptr, *d = nullptr;            // all lanes
  Value *uniform = nullptr, *known = nullptr;  // the divisor if it is one scalar; 1 / d
  DivisorSign sign = DivisorSign::Any;
  const RootInRange* root = nullptr;  // that is the divisor

  unsigned parts() const { return kGang / lanes; }
};

// Whether some lane is outside, of the parts that are not left to the divider anyway.
Value* GangEmitter::outside(const Division& division) {
  Value* outside = nullptr;
  for (unsigned i = division.by_instruction; i < division.parts(); ++i) {
    auto part = [&](Value* v) { return v ? part_of(b_, v, i * division.lanes, division.lanes) : nullptr; };
    bool root = division.root && i >= division.root->unchecked;
    Divisor divisor = division.uniform ? Divisor::Uniform : root ? Divisor::Root : Divisor::Any;
    Value* bad = b_.CreateNot(in_range(b_, division.op, part(division.a), part(division.d), divisor));
    if (!is_all(exec_)) bad = b_.CreateSelect(part(exec_), bad, llvm::Constant::getNullValue(bad->getType()));
    outside = outside ? b_.CreateOr(outside, bad) : bad;
  }
  Value* some = b_.CreateIsNotNull(b_.CreateBitCast(outside, b_.getIntNTy(division.lanes)));
  if (division.root) return b_.CreateOr(some, b_.CreateNot(division.root->by_estimates));
  return division.uniform ? b_.CreateOr(some, b_.CreateNot(divisor_in_range(b_, division.uniform))) : some;
}

// The result, and of a ReciprocalRoot the root beside it; of a part or of all lanes.
RootAndReciprocal GangEmitter::by_instruction(const Division& division, Value* a, Value* d) {
  auto one = [&] { return llvm::ConstantFP::get(d->getType(), 1); };
  switch (division.op) {
    case DividerOp::Reciprocal: return {nullptr, b_.CreateFDiv(one(), d)};
    case DividerOp::Quotient:
    case DividerOp::KnownQuotient: return {nullptr, b_.CreateFDiv(a, d)};
    case DividerOp::Root: return {nullptr, b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, d)};
    case DividerOp::ReciprocalRoot: break;
  }
  Value* root = b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, d);
  return {root, b_.CreateFDiv(one(), root)};
}

RootAndReciprocal GangEmitter::by_estimates(const Division& division, Value* a, Value* d, Value* known) {
  switch (division.op) {
    case DividerOp::Reciprocal: return {nullptr, exact_reciprocal(b_, d)};
    case DividerOp::Quotient: return {nullptr, exact_quotient(b_, a, d, exact_reciprocal(b_, d))};
    case DividerOp::KnownQuotient: return {nullptr, exact_quotient(b_, a, d, known, division.sign)};
    case DividerOp::Root: return {nullptr, exact_root(b_, d)};
    case DividerOp::ReciprocalRoot: break;
  }
  return exact_reciprocal_root(b_, d);
}

RootAndReciprocal GangEmitter::divide_in_parts(const Division& division) {
  BasicBlock *quick = new_block("estimates"), *slow = new_block("divider"), *end = new_block("divided");
  llvm::MDNode* seldom = llvm::MDBuilder(m_.context).createBranchWeights(1, 1000);
  b_.CreateCondBr(outside(division), slow, quick, seldom);

  b_.SetInsertPoint(quick);
  llvm::SmallVector<Value*, 8> roots, results;
  for (unsigned i = 0; i < division.parts(); ++i) {
    auto part = [&](Value* v) { return v ? part_of(b_, v, i * division.lanes, division.lanes) : nullptr; };
    RootAndReciprocal made =
        i < division.by_instruction
            ? by_instruction(division, part(division.a), part(division.d))
            : by_estimates(division, part(division.a), part(division.d), part(division.known));
    roots.push_back(made.root);
    results.push_back(made.reciprocal);
  }
  RootAndReciprocal by_parts{roots[0] ? joined(b_, roots) : nullptr, joined(b_, results)};
  quick = b_.GetInsertBlock();
  b_.CreateBr(end);

  b_.SetInsertPoint(slow);
  RootAndReciprocal whole = by_instruction(division, division.a, division.d);
  b_.CreateBr(end);

  b_.SetInsertPoint(end);
  auto merged = [&](Value* one, Value* other) -> Value* {
    if (!one) return nullptr;
    llvm::PHINode* phi = b_.CreatePHI(one->getType(), 2);
    phi->addIncoming(one, quick);
    phi->addIncoming(other, slow);
    return phi;
  };
  Value* root = merged(by_parts.root, whole.root);
  Value* reciprocal = merged(by_parts.reciprocal, whole.reciprocal);
  if (root) roots_[root] = {reciprocal, merged(b_.getTrue(), b_.getFalse()), division.by_instruction};
  return {root, reciprocal};
}

bool GangEmitter::emit_by_estimates(ir::OpId id) {
  const DividerForm& form = divider_[id.index];
  if (form.by_instruction) return false;
  const ir::Op& op = f_.ops[id];
  ir::Type type = f_.type(op.results[0]);
  Division division{form.op, type, m_.vector_bits / type.bits, form.parts_by_instruction};
  Lanes divisor = lanes(op.operands.back());
  bool divides = op.kind == OpKind::Div;
  bool known = form.op == DividerOp::KnownQuotient;
  if (divisor.uniform() && (!known || lanes(op.operands[0]).uniform())) return false;
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  division.d = vector(divisor, type);
  if (divides && form.op != DividerOp::Reciprocal) division.a = vector(op.operands[0]);
  if (known) {
    auto root = roots_.find(division.d);
    bool of_root = root != roots_.end();
    ir::OpId made = tree_.definition(plan_.resolve(op.operands[1]));
    if (!of_root && made.valid() && f_.ops[made].kind == OpKind::Sqrt) return false;  // of another segment
    if (of_root && llvm::PatternMatch::match(division.a, llvm::PatternMatch::m_FPOne())) {
      define(op.results[0], Lanes::of_vector(root->second.reciprocal));
      return true;
    }
    if (of_root) {
      division.known = root->second.reciprocal;
      division.root = &root->second;
      division.sign = DivisorSign::Positive;
    } else if (divisor.uniform()) {
      auto* constant = llvm::dyn_cast<llvm::ConstantFP>(divisor.base);
      division.uniform = divisor.base;
      division.sign = constant && constant->isNegative() ? DivisorSign::Negative : DivisorSign::Positive;
      Value* one = llvm::ConstantFP::get(divisor.base->getType(), 1);
      division.known = b_.CreateVectorSplat(kGang, b_.CreateFDiv(one, divisor.base));
    } else {  // LLVM makes it once where it is shared, and before the loop where it can
      division.known = b_.CreateFDiv(llvm::ConstantFP::get(division.d->getType(), 1), division.d);
    }
  }
  RootAndReciprocal made = divide_in_parts(division);
  bool is_root = op.kind == OpKind::Sqrt && form.op == DividerOp::ReciprocalRoot;
  define(op.results[0], Lanes::of_vector(is_root ? made.root : made.reciprocal));
  note_division(op, division);
  return true;
}

void GangEmitter::note_division(const ir::Op& op, const Division& division) {
  std::string text =
      "`" + std::string(op.kind == OpKind::Div ? "/" : ir::info(op.kind).text) + "` is computed ";
  if (division.op == DividerOp::KnownQuotient)
    text += "with the divisor's reciprocal";
  else
    text += "from an estimate";
  if (division.by_instruction > 0)
    text += ", " + std::to_string(division.by_instruction) + " of " + std::to_string(division.parts()) +
            " vectors by the CPU's divider meanwhile";
  note(op, text + "; the results are the divider's, bit for bit");
}

}  // namespace lanewise::codegen::host
