#include "codegen/host/simd/prefetch.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "codegen/host/simd/gang_emitter.h"

namespace lanewise::codegen::host {

using ir::OpKind;

namespace {

constexpr char kMark[] = "lanewise.ahead";
constexpr int64_t kLine = 64;          // bytes that one fetch brings
constexpr int64_t kAhead = 256;        // bytes: far enough for memory, near enough to be there still
constexpr int64_t kTurnsAhead = 3072;  // bytes that a block reads meanwhile
constexpr int64_t kShortRow = 256;     // bytes: in longer ones the processor finds the stream by itself

constexpr unsigned kKeep = 3, kData = 1;  // llvm.prefetch: in all caches; no instructions

struct Row {
  llvm::Value* pointer;
  llvm::Type* type;
  bool is_written;
};

// Nothing of what passes have made something else of.
std::optional<Row> row_of(llvm::Instruction& access) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access))
    return Row{load->getPointerOperand(), load->getType(), false};
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access))
    return Row{store->getPointerOperand(), store->getValueOperand()->getType(), true};
  auto* masked = llvm::dyn_cast<llvm::IntrinsicInst>(&access);
  if (!masked) return std::nullopt;
  if (masked->getIntrinsicID() == llvm::Intrinsic::masked_load)
    return Row{masked->getArgOperand(0), masked->getType(), false};
  if (masked->getIntrinsicID() == llvm::Intrinsic::masked_store)
    return Row{masked->getArgOperand(1), masked->getArgOperand(0)->getType(), true};
  return std::nullopt;
}

// How much integers grow where something counts up by one: the block along x, or the counter of a loop whose
// step is one; nothing where that is no constant.
class Growth {
 public:
  Growth(const ir::Function& kernel, const Plan& plan, const Tree& tree, ir::OpId loop = {})
      : f_(kernel), plan_(plan), tree_(tree), loop_(loop) {
    if (loop.valid()) growth_[f_.regions[f_.ops[loop].regions[0]].params[0]] = 1;
  }

  std::optional<int64_t> of(ir::ValueId value, int depth = 0) {
    value = plan_.resolve(value);
    if (auto known = growth_.find(value); known != growth_.end()) return known->second;
    if (depth == kDeepest) return std::nullopt;
    std::optional<int64_t> growth = computed(value, depth);
    if (growth && std::abs(*growth) > kLongest) growth = std::nullopt;
    growth_[value] = growth;
    return growth;
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
    if (loop_.valid() && !tree_.is_inside(id, loop_)) return 0;
    const ir::Op& op = f_.ops[id];
    if (op.kind == OpKind::BlockIdX && !loop_.valid()) return 1;
    if (!op.regions.empty()) return std::nullopt;
    bool grows = false;
    std::vector<int64_t> parts;
    for (ir::ValueId operand : op.operands) {
      std::optional<int64_t> growth = of(operand, depth + 1);
      if (!growth) return std::nullopt;
      grows = grows || *growth != 0;
      parts.push_back(*growth);
    }
    if (!grows) return 0;
    switch (op.kind) {
      case OpKind::Add: return parts[0] + parts[1];
      case OpKind::Sub: return parts[0] - parts[1];
      case OpKind::Mul: return product(op, parts);
      case OpKind::Cast:
        return is_integer(op.operands[0]) && is_integer(value) ? std::optional(parts[0]) : std::nullopt;
      default: return std::nullopt;
    }
  }

  std::optional<int64_t> product(const ir::Op& op, const std::vector<int64_t>& parts) const {
    std::optional<int64_t> left = constant(op.operands[0]), right = constant(op.operands[1]);
    if (right) return parts[0] * *right;
    if (left) return *left * parts[1];
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
  ir::OpId loop_;
  std::map<ir::ValueId, std::optional<int64_t>> growth_;
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
    if (is_loop(at)) return 0;
  Growth growth(f_, plan_, tree_);
  if (growth.of(op.operands[0]) != 0 || growth.of(op.operands[1]) != block_shape_[0]) return 0;
  return (kAhead + row - 1) / row * row;
}

// How many bytes after what a load in a strided loop (Node::stride) reads coming turns will: a turn's rows
// lie far from those of the one before. Null: nobody knows.
llvm::Value* GangEmitter::bytes_to_coming_turn(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  if (!ir::is_load(op.kind) || strides_.empty()) return nullptr;
  ir::Type pointer = f_.type(op.operands[0]);
  if (pointer.space != ir::Space::Global) return nullptr;
  ir::OpId loop = strides_.back().op;
  Growth growth(f_, plan_, tree_, loop);
  std::optional<int64_t> elements = growth.of(op.operands[1]);
  if (growth.of(op.operands[0]) != 0 || !elements || *elements == 0) return nullptr;
  int64_t size = pointer.element().element_size();
  int64_t of_turn = block_shape_[0] * block_shape_[1] * block_shape_[2] * size;
  int64_t turns = (kTurnsAhead + of_turn - 1) / of_turn;
  return b_.CreateMul(value(f_.ops[loop].operands[2]),
                      b_.getInt64(static_cast<uint64_t>(*elements * size * turns)));
}

void GangEmitter::fetch_row(llvm::Value* row, int64_t bytes) {
  for (int64_t line = 0; line < bytes; line += kLine) {
    llvm::Value* address = b_.CreateConstGEP1_64(b_.getInt8Ty(), row, static_cast<uint64_t>(line));
    b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                       {address, b_.getInt32(0), b_.getInt32(kKeep), b_.getInt32(kData)});
  }
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
      std::optional<Row> row = row_of(access);
      if (!row) continue;
      llvm::APInt offset(64, 0);
      llvm::Value* base = row->pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
      int64_t bytes = static_cast<int64_t>(layout.getTypeStoreSize(row->type));
      llvm::IRBuilder<> b(&access);
      for (int64_t line = ahead; line < ahead + bytes; line += kLine) {
        int64_t place = offset.getSExtValue() + line;
        if (llvm::any_of(fetched, [&](auto& known) {
              return known.first == base && std::abs(known.second - place) < kLine;
            }))
          continue;
        fetched.emplace_back(base, place);
        llvm::Value* address = b.CreateConstGEP1_64(b.getInt8Ty(), row->pointer, static_cast<uint64_t>(line));
        b.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                          {address, b.getInt32(row->is_written), b.getInt32(kKeep), b.getInt32(kData)});
      }
    }
  }
}

}  // namespace lanewise::codegen::host
