#include "codegen/host/simd/forward_rows.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>

namespace lanewise::codegen::host {

namespace {

constexpr size_t kRemembered = 16;  // the latest stores; the processor holds about 64 back

// A vector in memory: `count` elements from `offset` bytes after `base`.
struct Row {
  llvm::Value* base = nullptr;
  int64_t offset = 0;
  llvm::FixedVectorType* type = nullptr;
  int64_t element = 0;  // bytes

  int64_t end() const { return offset + type->getNumElements() * element; }
  // Which of its elements lies at a place; none: nothing does, or a part of one.
  std::optional<int> at(int64_t place) const {
    if (place < offset || place >= end() || (place - offset) % element != 0) return std::nullopt;
    return static_cast<int>((place - offset) / element);
  }
};

struct Stored {
  Row row;
  llvm::Value* value;
  llvm::MemoryLocation location;
};

class Forwarder {
 public:
  Forwarder(const llvm::DataLayout& layout, llvm::AAResults& aliases) : layout_(layout), aliases_(aliases) {}

  bool run(llvm::BasicBlock& block) {
    bool changed = false;
    stored_.clear();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (load->isSimple()) changed = forward(*load) || changed;
      } else if (instruction.mayWriteToMemory()) {
        llvm::erase_if(stored_, [&](const Stored& known) {
          return llvm::isModSet(aliases_.getModRefInfo(&instruction, known.location));
        });
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) remember(*store);
      }
    }
    return changed;
  }

 private:
  std::optional<Row> row(llvm::Value* pointer, llvm::Type* type) const {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector) return std::nullopt;
    uint64_t bits = layout_.getTypeSizeInBits(vector->getElementType());
    if (bits % 8 != 0 || layout_.getTypeStoreSize(vector) * 8 != bits * vector->getNumElements())
      return std::nullopt;
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
    return Row{base, offset.getSExtValue(), vector, static_cast<int64_t>(bits / 8)};
  }

  void remember(llvm::StoreInst& store) {
    std::optional<Row> stored = row(store.getPointerOperand(), store.getValueOperand()->getType());
    if (!stored || !store.isSimple()) return;
    if (stored_.size() == kRemembered) stored_.erase(stored_.begin());
    stored_.push_back({*stored, store.getValueOperand(), llvm::MemoryLocation::get(&store)});
  }

  bool forward(llvm::LoadInst& load) {
    std::optional<Row> wanted = row(load.getPointerOperand(), load.getType());
    if (!wanted) return false;
    int count = static_cast<int>(wanted->type->getNumElements());
    llvm::SmallVector<const Stored*, 2> sources;
    llvm::SmallVector<int, 64> order;  // elements of the sources, one after the other
    int missing = 0, first_missing = 0;
    for (int i = 0; i < count; ++i) {
      int64_t place = wanted->offset + i * wanted->element;
      const Stored* source = nullptr;
      std::optional<int> element;
      for (const Stored& known : stored_) {
        if (known.row.base != wanted->base || known.row.type != wanted->type) continue;
        if ((element = known.row.at(place))) {
          source = &known;
          break;
        }
      }
      if (!source) {
        if (missing == 0) first_missing = i;
        if (first_missing + missing != i) return false;  // in two places
        ++missing;
        order.push_back(llvm::PoisonMaskElem);
        continue;
      }
      size_t number = static_cast<size_t>(llvm::find(sources, source) - sources.begin());
      if (number == 2) return false;
      if (number == sources.size()) sources.push_back(source);
      order.push_back(static_cast<int>(number) * count + *element);
    }
    // One store that holds all of it is forwarded by the processor.
    bool apart = sources.size() == 2 || (sources.size() == 1 && missing > 0);
    if (!apart || !llvm::isPowerOf2_32(static_cast<uint32_t>(std::max(missing, 1)))) return false;

    llvm::IRBuilder<> b(&load);
    llvm::Value* second = sources.size() == 2 ? sources[1]->value : llvm::PoisonValue::get(load.getType());
    llvm::Value* result = b.CreateShuffleVector(sources[0]->value, second, order);
    if (missing > 0)
      result = insert(b, result, first_missing, rest(b, load, *wanted, first_missing, missing));
    load.replaceAllUsesWith(result);
    load.eraseFromParent();
    return true;
  }

  // The elements that nobody has just written.
  llvm::Value* rest(llvm::IRBuilder<>& b, llvm::LoadInst& load, const Row& row, int first, int count) {
    llvm::Value* place = b.CreateConstGEP1_64(b.getInt8Ty(), load.getPointerOperand(),
                                              static_cast<uint64_t>(first * row.element));
    auto* type = llvm::FixedVectorType::get(row.type->getElementType(), static_cast<unsigned>(count));
    llvm::Align align = llvm::commonAlignment(load.getAlign(), static_cast<uint64_t>(first * row.element));
    llvm::LoadInst* part = b.CreateAlignedLoad(type, place, align);
    part->setAAMetadata(load.getAAMetadata());
    return part;
  }

  llvm::Value* insert(llvm::IRBuilder<>& b, llvm::Value* vector, int first, llvm::Value* part) {
    int count = static_cast<int>(llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements());
    int given = static_cast<int>(llvm::cast<llvm::FixedVectorType>(part->getType())->getNumElements());
    llvm::SmallVector<int, 64> widened, order;
    for (int i = 0; i < count; ++i) {
      bool is_given = i >= first && i < first + given;
      widened.push_back(is_given ? i - first : llvm::PoisonMaskElem);
      order.push_back(is_given ? count + i : i);
    }
    return b.CreateShuffleVector(vector, b.CreateShuffleVector(part, widened), order);
  }

  const llvm::DataLayout& layout_;
  llvm::AAResults& aliases_;
  std::vector<Stored> stored_;
};

}  // namespace

llvm::PreservedAnalyses ForwardRowsPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  Forwarder forwarder(function.getDataLayout(), analyses.getResult<llvm::AAManager>(function));
  bool changed = false;
  for (llvm::BasicBlock& block : function) changed = forwarder.run(block) || changed;
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  analyses.invalidate(function, preserved);
  llvm::DSEPass().run(function, analyses);  // what was written to be read at once
  return preserved;
}

}  // namespace lanewise::codegen::host
