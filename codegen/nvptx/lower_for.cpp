// Counted loops: what a turn counts and carries, and which loops LLVM is told to unroll.
#include "codegen/nvptx/lower.h"

namespace lanewise::codegen {

using ir::OpKind;
using ir::RegionId;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

namespace {

// Loops of up to so many ops, all turns together, have no loop left. LLVM's own limit is about half of what
// nvcc's is.
constexpr size_t kUnrolledOps = 600;

// The number of turns if the bounds are constants.
std::optional<size_t> constant_turns(const std::vector<const ir::Op*>& definition, const ir::Op& loop) {
  int64_t bounds[3];
  for (size_t i = 0; i < 3; ++i) {
    const ir::Op* op = definition[loop.operands[i].index];
    if (!op || op->kind != OpKind::Const) return std::nullopt;
    bounds[i] = std::get<int64_t>(op->immediate);
  }
  auto [lo, hi, step] = bounds;
  constexpr int64_t kFar = int64_t{1} << 40;
  if (std::abs(lo) > kFar || std::abs(hi) > kFar || step == 0 || std::abs(step) > kFar) return std::nullopt;
  int64_t distance = step > 0 ? hi - lo : lo - hi;
  return static_cast<size_t>(std::max<int64_t>(0, (distance + std::abs(step) - 1) / std::abs(step)));
}

size_t ops_of(const ir::Function& f, const std::vector<const ir::Op*>& definition, const ir::Op& op);

size_t ops_of_regions(const ir::Function& f, const std::vector<const ir::Op*>& definition, const ir::Op& op) {
  size_t total = 0;
  for (RegionId region : op.regions)
    for (ir::OpId inner : f.regions[region].ops)
      if (total <= kUnrolledOps) total += ops_of(f, definition, f.ops[inner]);
  return total;
}

size_t ops_of(const ir::Function& f, const std::vector<const ir::Op*>& definition, const ir::Op& op) {
  if (op.kind == OpKind::Const) return 0;
  size_t turns = op.kind == OpKind::For ? constant_turns(definition, op).value_or(1) : 1;
  return 1 + std::min(turns, kUnrolledOps) * ops_of_regions(f, definition, op);
}

}  // namespace

bool FunctionLowering::worth_unrolling(const ir::Op& loop) const {
  auto turns = constant_turns(definition_, loop);
  return turns && *turns > 1 && *turns <= kUnrolledOps &&
         *turns * ops_of_regions(f_, definition_, loop) <= kUnrolledOps;
}

void FunctionLowering::unroll_all(llvm::Instruction* back_edge) {
  auto* option = llvm::MDNode::get(m_.context, llvm::MDString::get(m_.context, "llvm.loop.unroll.full"));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(m_.context, {nullptr, option});
  loop->replaceOperandWith(0, loop);
  back_edge->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

// The trip count is fixed on entry and the counter must not wrap, so besides the counter a loop carries what
// is left:
//   a step of 1        nothing: below hi, counter + 1 cannot wrap
//   a steady one       nothing either: ranges say that the counter plus the step does not wrap
//   a constant step    the number of turns, which LLVM understands
//   any other step     the distance to hi as unsigned (exact where a turn is made at all): a further turn
//                      follows iff distance > |step|, and then distance -= |step|
FunctionLowering::ForLoop FunctionLowering::plan_for(const ir::Op& op, int counts) {
  ForLoop loop;
  bool is_signed = f_.type(op.operands[0]).is_signed();
  loop.lo = value(op.operands[0]), loop.hi = value(op.operands[1]), loop.step = value(op.operands[2]);
  loop.is_signed = is_signed;
  Value *zero = llvm::ConstantInt::get(loop.lo->getType(), 0),
        *one = llvm::ConstantInt::get(loop.lo->getType(), 1);
  auto less = is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT;
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(loop.step);
  bool by_one = constant && constant->isOne();
  if (by_one || counts != 0) {
    loop.by = by_one ? ForLoop::Counter : ForLoop::Step;
    loop.before = by_one || counts > 0 ? less : llvm::CmpInst::getSwappedPredicate(less);
    loop.enters = b_.CreateICmp(loop.before, loop.lo, loop.hi);
    return loop;
  }
  Value* up = is_signed ? b_.CreateICmpSGT(loop.step, zero) : b_.CreateIsNotNull(loop.step);
  Value* down = is_signed ? b_.CreateICmpSLT(loop.step, zero) : b_.getFalse();
  loop.enters = b_.CreateOr(b_.CreateAnd(up, b_.CreateICmp(less, loop.lo, loop.hi)),
                            b_.CreateAnd(down, b_.CreateICmp(less, loop.hi, loop.lo)));
  loop.magnitude = b_.CreateSelect(up, loop.step, b_.CreateNeg(loop.step));
  Value* distance = b_.CreateSelect(up, b_.CreateSub(loop.hi, loop.lo), b_.CreateSub(loop.lo, loop.hi));
  loop.by = constant && !constant->isZero() ? ForLoop::Turns : ForLoop::Distance;
  loop.first_left = distance;
  if (loop.by == ForLoop::Turns)
    loop.first_left = b_.CreateAdd(b_.CreateUDiv(b_.CreateSub(distance, one), loop.magnitude), one);
  return loop;
}

void FunctionLowering::lower_for(const ir::Op& op, int counts) {
  const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
  std::vector<ValueId> carried_params(params.begin() + 1, params.end());
  ForLoop turns = plan_for(op, counts);
  Loop loop{new_exit("for_next", carried_params), new_exit("for_end", op.results)};
  Exit body = new_exit("for_body", params);
  if (turns.first_left) turns.left = llvm::PHINode::Create(turns.lo->getType(), 2, "left", body.block);
  llvm::SmallVector<Value*, 8> first;
  for (size_t i = 3; i < op.operands.size(); ++i) first.push_back(value(op.operands[i]));
  enter_turn(turns, body, loop.end, turns.lo, turns.first_left, first, turns.enters);
  start(body, params);
  loops_.push_back(loop);
  lower_region(op.regions[0], loop.next);
  loops_.pop_back();

  bool repeats = !llvm::pred_empty(loop.next.block);
  start(loop.next, carried_params);
  if (!repeats) {
    b_.CreateUnreachable();
    return start(loop.end, op.results);
  }
  llvm::SmallVector<Value*, 8> carried;
  for (ValueId id : carried_params) carried.push_back(value(id));
  Value* one = llvm::ConstantInt::get(turns.lo->getType(), 1);
  Value* counter = body.phis[0];
  if (turns.by == ForLoop::Counter || turns.by == ForLoop::Step) {
    Value* next = b_.CreateAdd(counter, turns.step, "", !turns.is_signed, turns.is_signed);
    enter_turn(turns, body, loop.end, next, nullptr, carried, b_.CreateICmp(turns.before, next, turns.hi));
  } else {
    Value* less = turns.by == ForLoop::Turns ? one : turns.magnitude;
    Value* further = b_.CreateICmpUGT(turns.left, less);
    enter_turn(turns, body, loop.end, b_.CreateAdd(counter, turns.step), b_.CreateSub(turns.left, less),
               carried, further);
  }
  if (worth_unrolling(op)) unroll_all(b_.GetInsertBlock()->getTerminator());
  start(loop.end, op.results);
}

// Goes into a turn if there is one, else to the loop's end; the carried values go both ways.
void FunctionLowering::enter_turn(const ForLoop& turns, const Exit& body, const Exit& end, Value* counter,
                                  Value* left, llvm::ArrayRef<Value*> carried, Value* condition) {
  BasicBlock* from = b_.GetInsertBlock();
  body.phis[0]->addIncoming(counter, from);
  if (turns.left) turns.left->addIncoming(left, from);
  for (size_t i = 0; i < carried.size(); ++i) {
    body.phis[i + 1]->addIncoming(carried[i], from);
    end.phis[i]->addIncoming(carried[i], from);
  }
  b_.CreateCondBr(condition, body.block, end.block);
}

}  // namespace lanewise::codegen
