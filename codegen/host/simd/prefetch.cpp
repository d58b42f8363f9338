#include "codegen/host/simd/prefetch.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "codegen/host/simd/gang_emitter.h"

namespace lanewise::codegen::host {

using ir::OpKind;

namespace {

constexpr char kMark[] = "lanewise.ahead";
constexpr int64_t kLine = 64;       // bytes that one fetch brings
constexpr int64_t kAhead = 256;     // bytes: far enough for memory, near enough to be there still
constexpr int64_t kShortRow = 256;  // bytes: in longer ones the processor finds the stream by itself

constexpr unsigned kKeep = 3, kData = 1;  // llvm.prefetch: in all caches; no instructions

struct Row {
  llvm::Value* pointer;
  llvm::Type* type;
  bool is_written;
};

Row row_of(llvm::Instruction& access) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access))
    return {load->getPointerOperand(), load->getType(), false};
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access))
    return {store->getPointerOperand(), store->getValueOperand()->getType(), true};
  auto& masked = llvm::cast<llvm::IntrinsicInst>(access);
  if (masked.getIntrinsicID() == llvm::Intrinsic::masked_load)
    return {masked.getArgOperand(0), masked.getType(), false};
  return {masked.getArgOperand(1), masked.getArgOperand(0)->getType(), true};
}

// How much integers grow from a block to its neighbour in x, where that is a constant.
class BlockSteps {
 public:
  BlockSteps(const ir::Function& kernel, const Plan& plan, const Tree& tree)
      : f_(kernel), plan_(plan), tree_(tree) {}

  std::optional<int64_t> of(ir::ValueId value, int depth = 0) {
    value = plan_.resolve(value);
    if (auto known = steps_.find(value); known != steps_.end()) return known->second;
    if (depth == kDeepest) return std::nullopt;
    std::optional<int64_t> step = computed(value, depth);
    if (step && std::abs(*step) > kLongest) step = std::nullopt;
    steps_[value] = step;
    return step;
  }

 private:
  static constexpr int kDeepest = 32;  // operations after each other: what is longer is no index
  static constexpr int64_t kLongest = int64_t{1} << 31;

  std::optional<int64_t> computed(ir::ValueId value, int depth) {
    ir::OpId id = tree_.definition(value);
    if (!id.valid()) {
      bool is_argument = std::ranges::find(f_.params(), value) != f_.params().end();
      return is_argument ? std::optional<int64_t>(0) : std::nullopt;
    }
    const ir::Op& op = f_.ops[id];
    if (op.kind == OpKind::BlockIdX) return 1;
    if (!op.regions.empty()) return std::nullopt;
    bool moves = false;
    std::vector<int64_t> steps;
    for (ir::ValueId operand : op.operands) {
      std::optional<int64_t> step = of(operand, depth + 1);
      if (!step) return std::nullopt;
      moves = moves || *step != 0;
      steps.push_back(*step);
    }
    if (!moves) return 0;
    switch (op.kind) {
      case OpKind::Add: return steps[0] + steps[1];
      case OpKind::Sub: return steps[0] - steps[1];
      case OpKind::Mul: return product(op, steps);
      case OpKind::Cast:
        return is_integer(op.operands[0]) && is_integer(value) ? std::optional(steps[0]) : std::nullopt;
      default: return std::nullopt;
    }
  }

  std::optional<int64_t> product(const ir::Op& op, const std::vector<int64_t>& steps) const {
    std::optional<int64_t> left = constant(op.operands[0]), right = constant(op.operands[1]);
    if (right) return steps[0] * *right;
    if (left) return *left * steps[1];
    return std::nullopt;
  }

  // Small ones: what is a part of a row.
  std::optional<int64_t> constant(ir::ValueId value) const {
    ir::OpId id = tree_.definition(plan_.resolve(value));
    if (!id.valid() || f_.ops[id].kind != OpKind::Const || !is_integer(value)) return std::nullopt;
    int64_t number = std::get<int64_t>(f_.ops[id].immediate);
    return std::abs(number) <= kShortRow ? std::optional(number) : std::nullopt;
  }

  bool is_integer(ir::ValueId value) const { return f_.type(value).is_int(); }

  const ir::Function& f_;
  const Plan& plan_;
  const Tree& tree_;
  std::map<ir::ValueId, std::optional<int64_t>> steps_;
};

}  // namespace

// How many bytes after the elements of a load or store those lie that coming blocks will want; 0: nobody
// knows.
int64_t GangEmitter::bytes_ahead(ir::OpId id) const {
  const ir::Op& op = f_.ops[id];
  ir::Type pointer = f_.type(op.operands[0]);
  int64_t row = block_shape_[0] * pointer.element().element_size();
  if (pointer.space != ir::Space::Global || row > kShortRow) return 0;
  // In a loop other memory comes first.
  for (ir::OpId at = tree_.parent(id); at.valid(); at = tree_.parent(at))
    if (f_.ops[at].kind == OpKind::For || f_.ops[at].kind == OpKind::While) return 0;
  BlockSteps steps(f_, plan_, tree_);
  if (steps.of(op.operands[0]) != 0 || steps.of(op.operands[1]) != block_shape_[0]) return 0;
  return (kAhead + row - 1) / row * row;
}

void mark_wanted_ahead(llvm::Instruction& access, int64_t bytes) {
  llvm::LLVMContext& context = access.getContext();
  auto* distance = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), static_cast<uint64_t>(bytes));
  access.setMetadata(kMark, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(distance)));
}

void insert_prefetches(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::BasicBlock& block : function) {
    llvm::SmallVector<std::pair<llvm::Value*, int64_t>, 16> fetched;  // a pointer, and where after it
    for (llvm::Instruction& access : block) {
      llvm::MDNode* mark = access.getMetadata(kMark);
      if (!mark) continue;
      int64_t ahead = llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getSExtValue();
      Row row = row_of(access);
      llvm::APInt offset(64, 0);
      llvm::Value* base = row.pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
      int64_t bytes = static_cast<int64_t>(layout.getTypeStoreSize(row.type));
      llvm::IRBuilder<> b(&access);
      for (int64_t line = ahead; line < ahead + bytes; line += kLine) {
        int64_t place = offset.getSExtValue() + line;
        if (llvm::any_of(fetched, [&](auto& known) {
              return known.first == base && std::abs(known.second - place) < kLine;
            }))
          continue;
        fetched.emplace_back(base, place);
        llvm::Value* address = b.CreateConstGEP1_64(b.getInt8Ty(), row.pointer, static_cast<uint64_t>(line));
        b.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                          {address, b.getInt32(row.is_written), b.getInt32(kKeep), b.getInt32(kData)});
      }
    }
  }
}

}  // namespace lanewise::codegen::host
