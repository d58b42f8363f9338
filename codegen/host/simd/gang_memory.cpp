// Loads and stores of a gang: rows of memory side by side where the addresses are linear, else lane by lane.
#include "codegen/host/simd/gang_emitter.h"
#include "codegen/host/simd/prefetch.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::Value;

void GangEmitter::emit_lane_memory(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  ahead_ = ir::is_load(op.kind) || ir::is_store(op.kind) ? bytes_ahead(id) : 0;
  coming_turn_ = bytes_to_coming_turn(id);
  if ((ir::is_load(op.kind) || ir::is_store(op.kind)) && emit_wrapped_memory(id)) return;
  if (ir::is_load(op.kind)) {
    Address from = address(op);
    if (from.uniform() && lanes(op.operands[0]).uniform() && lanes(op.operands[1]).uniform())
      return define(op.results[0], Lanes::of_uniform(FunctionEmitter::emit_memory(id)));
    return define(op.results[0], load_lanes_at(op, from));
  }
  if (ir::is_store(op.kind)) {
    Address to = address(op);
    if (to.uniform() && lanes(op.operands[2]).uniform()) {
      FunctionEmitter::emit_memory(id);
      return;
    }
    return store_lanes_at(op, to);
  }
  FunctionEmitter::emit_memory(id);  // fences
}

// --- addresses
GangEmitter::Address GangEmitter::address(const ir::Op& op) {
  const std::optional<IndexForm>& form = index_forms_[plan_.resolve(op.operands[1]).index];
  return address(op, form && !form->mixed ? form->line : lanes(op.operands[1]));
}

// The index may be one of 32 bits.
GangEmitter::Address GangEmitter::address(const ir::Op& op, Lanes index) {
  if (!index.linear() || index.base->getType()->isIntegerTy(64)) return {pointers(op, index), {}, 1};
  if (std::optional<Lanes> line = widened(index)) return {pointers(op, *line), {}, 1};
  Lanes base = lanes(op.operands[0]);
  if (!base.linear() || is_interleaved_address(op.operands[0]))
    return {pointers(op, lanes(op.operands[1])), {}, 1};
  return {base, index, f_.type(op.operands[0]).element_size()};
}

// Of a load, a store or an offset.
Lanes GangEmitter::pointers(const ir::Op& op, Lanes index) {
  ir::Type pointer = f_.type(op.operands[0]);
  llvm::Type* element = element_type(m_.context, pointer);
  int64_t size = pointer.element_size();
  Lanes base = lanes(op.operands[0]);
  if (is_interleaved_address(op.operands[0])) {
    ir::OpId array = tree_.definition(plan_.resolve(op.operands[0]));
    bool by_thread = placement_.local_arrays.at(array).kind == LocalArray::Kind::Slot;
    Value* stride = by_thread ? threads_rounded_ : b_.getInt64(kGang);
    std::optional<Lanes> spread = index.linear() ? product(index, stride) : std::nullopt;
    if (!spread)
      spread = Lanes::of_vector(b_.CreateMul(vector(index, ir::kI64), b_.CreateVectorSplat(kGang, stride)));
    Lanes lane = Lanes::of_uniform(b_.getInt64(0));
    lane.terms.push_back({nullptr, iota()});
    std::optional<Lanes> total = spread->linear() ? sum(*spread, lane, false) : std::nullopt;
    index =
        total ? *total : Lanes::of_vector(b_.CreateAdd(vector(*spread, ir::kI64), vector(lane, ir::kI64)));
  }
  if (base.linear() && index.linear()) {
    Lanes result = base;
    result.base = b_.CreateGEP(element, base.base, index.base);
    Lanes offsets = Lanes::of_uniform(b_.getInt64(0)), more = offsets;
    offsets.terms = base.terms;
    more.terms = index.terms;
    for (Lanes::Term& term : more.terms)
      for (int64_t& lane : term.pattern) lane *= size;
    if (std::optional<Lanes> total = sum(offsets, more, false)) {
      result.terms = total->terms;
      return result;
    }
  }
  Value* from = base.uniform() ? base.base : vector(base, pointer);
  return Lanes::of_vector(b_.CreateGEP(element, from, vector(index, ir::kI64)));
}

Value* GangEmitter::vector(const Address& address, ir::Type type) {
  Value* pointers = vector(address.pointer, type);
  if (!address.small.known()) return pointers;
  Value* index = b_.CreateSExt(vector(address.small, ir::kI32), vector_type(ir::kI64));
  return b_.CreateGEP(element_type(m_.context, type), pointers, index);
}

std::optional<GangEmitter::Rows> GangEmitter::rows(const Address& address, int64_t element) const {
  if (!address.pointer.linear()) return std::nullopt;
  for (unsigned length : {kGang, kGang / 2, kGang / 4, kGang / 8}) {
    bool fits = true;
    std::optional<int64_t> step;
    for (unsigned lane = 0; lane < kGang && fits; ++lane) {
      if (lane % length == 0) continue;
      int64_t here = 0;
      auto add = [&](const Lanes& part, int64_t unit) {
        for (const Lanes::Term& term : part.terms) {
          int64_t difference = term.pattern[lane] - term.pattern[lane - 1];
          if (term.scale)
            fits = fits && difference == 0;
          else
            here += difference * unit;
        }
      };
      add(address.pointer, 1);
      add(address.small, address.unit);
      if (!step) step = here;
      fits = fits && here == *step;
    }
    if (!fits) continue;
    if (*step == element) return Rows{length, 1};
    if (*step == -element) return Rows{length, -1};
    if (*step == 0) return Rows{length, 0};
    return std::nullopt;
  }
  return std::nullopt;
}

// Where a row's lowest element is.
Value* GangEmitter::row_address(const Address& address, const Rows& rows, unsigned row) {
  unsigned lane = row * rows.length + (rows.step < 0 ? rows.length - 1 : 0);
  auto offset_of = [&](const Lanes& lanes, llvm::Type* type, Value* offset) {
    for (const Lanes::Term& term : lanes.terms) {
      if (term.pattern[lane] == 0) continue;
      Value* part = llvm::ConstantInt::get(type, static_cast<uint64_t>(term.pattern[lane]), true, true);
      if (term.scale) part = b_.CreateMul(term.scale, part);
      offset = offset ? b_.CreateAdd(offset, part) : part;
    }
    return offset;
  };
  Value* offset = offset_of(address.pointer, b_.getInt64Ty(), nullptr);
  Value* place = offset ? b_.CreateGEP(b_.getInt8Ty(), address.pointer.base, offset) : address.pointer.base;
  if (!address.small.known()) return place;
  Value* index = offset_of(address.small, b_.getInt32Ty(), address.small.base);
  return b_.CreateGEP(b_.getIntNTy(static_cast<unsigned>(8 * address.unit)), place,
                      b_.CreateSExt(index, b_.getInt64Ty()));
}

// A row's lanes, in the order of memory.
Value* GangEmitter::lanes_of_row(Value* vector, const Rows& rows, unsigned row) {
  if (rows.length == kGang && rows.step >= 0) return vector;
  llvm::SmallVector<int, kGang> order;
  for (unsigned i = 0; i < rows.length; ++i)
    order.push_back(static_cast<int>(row * rows.length + (rows.step < 0 ? rows.length - 1 - i : i)));
  return b_.CreateShuffleVector(vector, order);
}

// --- elements in memory: a bool is a byte
Value* GangEmitter::from_memory(ir::Type element, Value* v) {
  return element.is_bool() ? b_.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType())) : v;
}
Value* GangEmitter::to_memory(ir::Type element, Value* v) {
  return element.is_bool() ? b_.CreateZExt(v, shaped(b_.getInt8Ty(), v)) : v;
}

Lanes GangEmitter::load_lanes_at(const ir::Op& op, const Address& from) {
  ir::Type pointer = f_.type(op.operands[0]), element = pointer.element();
  llvm::Type* single = element_type(m_.context, element);
  llvm::Type* all = llvm::FixedVectorType::get(single, kGang);
  llvm::Align align(element.element_size());
  bool full = is_all(exec_);
  std::optional<Rows> found = rows(from, element.element_size());
  if (found && found->step == 0 && !full) found.reset();
  if (!found) {
    note(op, "elements are read one by one: neighbouring threads do not read neighbouring elements");
    Value* pointers = vector(from, pointer);
    if (element.element_size() < 4 || (!m_.gathers && is_too_branchy()))
      return Lanes::of_vector(
          from_memory(element, gather_by_scalars(single, pointers, align, pointer.space)));
    auto* gathered = b_.CreateMaskedGather(all, pointers, align, exec_, llvm::PoisonValue::get(all));
    scopes_.mark(gathered, pointer.space);
    return Lanes::of_vector(from_memory(element, gathered));
  }
  llvm::SmallVector<Value*, 8> parts;
  llvm::Type* row_type = llvm::FixedVectorType::get(single, found->length);
  for (unsigned row = 0; row < kGang / found->length; ++row) {
    Value* place = row_address(from, *found, row);
    llvm::Instruction* loaded = nullptr;
    if (found->step == 0)
      loaded = b_.CreateAlignedLoad(single, place, align);
    else if (full || is_ours(pointer.space, *found))
      loaded = b_.CreateAlignedLoad(row_type, place, align);
    else
      loaded = b_.CreateMaskedLoad(row_type, place, align, lanes_of_row(exec_, *found, row),
                                   llvm::PoisonValue::get(row_type));
    scopes_.mark(loaded, pointer.space);
    if (ahead_ && found->step == 1) mark_wanted_ahead(*loaded, ahead_);
    if (coming_turn_ && found->step == 1)
      fetch_row(b_.CreatePtrAdd(place, coming_turn_), found->length * element.element_size());
    Value* part = loaded;
    if (found->step == 0) part = b_.CreateVectorSplat(found->length, loaded);
    if (found->step < 0) part = b_.CreateVectorReverse(loaded);
    parts.push_back(part);
  }
  return Lanes::of_vector(from_memory(element, joined(b_, std::move(parts))));
}

// Where the machine does not gather or scatter LLVM branches around each lane: quick to run, and very slow to
// compile where there are many.
bool GangEmitter::is_too_branchy() {
  constexpr int kMostBranching = 32;
  return !is_all(exec_) && ++branching_ > kMostBranching;
}

// Lanes that take no part read and write something of ours.
Value* GangEmitter::pointers_of_all(Value* pointers) {
  if (is_all(exec_)) return pointers;
  if (!harmless_) {
    llvm::IRBuilder<> entry(entry_, entry_->getFirstInsertionPt());
    harmless_ = entry.CreateAlloca(entry.getInt64Ty());
    entry.CreateStore(entry.getInt64(0), harmless_);
  }
  return b_.CreateSelect(exec_, pointers, b_.CreateVectorSplat(kGang, harmless_));
}

void GangEmitter::scatter_by_scalars(Value* own, Value* pointers, llvm::Align align, ir::Space space) {
  pointers = pointers_of_all(pointers);
  for (uint64_t lane = 0; lane < kGang; ++lane) {
    llvm::StoreInst* stored = b_.CreateAlignedStore(b_.CreateExtractElement(own, lane),
                                                    b_.CreateExtractElement(pointers, lane), align);
    if (is_all(exec_)) scopes_.mark(stored, space);
  }
}

Value* GangEmitter::gather_by_scalars(llvm::Type* element, Value* pointers, llvm::Align align,
                                      ir::Space space) {
  pointers = pointers_of_all(pointers);
  Value* result = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, kGang));
  for (uint64_t lane = 0; lane < kGang; ++lane) {
    llvm::LoadInst* loaded = b_.CreateAlignedLoad(element, b_.CreateExtractElement(pointers, lane), align);
    if (is_all(exec_)) scopes_.mark(loaded, space);
    result = b_.CreateInsertElement(result, loaded, lane);
  }
  return result;
}

void GangEmitter::store_lanes_at(const ir::Op& op, const Address& to) {
  ir::Type pointer = f_.type(op.operands[0]), element = pointer.element();
  llvm::Align align(element.element_size());
  bool full = is_all(exec_);
  Value* own = vector(op.operands[2]);
  if (to.uniform()) {  // the last lane's value stays
    Value* last = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits(exec_), b_.getFalse());
    Value* lane = full ? b_.getInt32(kGang - 1) : b_.CreateSub(b_.getInt32(kGang - 1), last);
    store(element, b_.CreateExtractElement(own, lane), to.pointer.base, pointer.space);
    return;
  }
  own = to_memory(element, own);
  std::optional<Rows> found = rows(to, element.element_size());
  if (!found || found->step == 0) {
    note(op, "elements are written one by one: neighbouring threads do not write neighbouring elements");
    Value* pointers = vector(to, pointer);
    if (m_.vector_bits < 512 && is_too_branchy())
      scatter_by_scalars(own, pointers, align, pointer.space);
    else
      scopes_.mark(b_.CreateMaskedScatter(own, pointers, align, exec_), pointer.space);
    return;
  }
  for (unsigned row = 0; row < kGang / found->length; ++row) {
    Value* place = row_address(to, *found, row);
    Value* part = lanes_of_row(own, *found, row);
    if (!full && is_ours(pointer.space, *found)) {
      // A masked store would make a load of the line wait.
      llvm::LoadInst* old = b_.CreateAlignedLoad(part->getType(), place, align);
      scopes_.mark(old, pointer.space);
      part = b_.CreateSelect(lanes_of_row(exec_, *found, row), part, old);
      scopes_.mark(b_.CreateAlignedStore(part, place, align), pointer.space);
      continue;
    }
    llvm::Instruction* stored =
        full ? static_cast<llvm::Instruction*>(b_.CreateAlignedStore(part, place, align))
             : b_.CreateMaskedStore(part, place, align, lanes_of_row(exec_, *found, row));
    scopes_.mark(stored, pointer.space);
    if (ahead_ && found->step == 1) mark_wanted_ahead(*stored, ahead_);
  }
}

// Memory that no other thread of the process touches, with room around it (see Placement): all of a row may
// be read and written back where some lane of the gang is in it.
bool GangEmitter::is_ours(ir::Space space, const Rows& rows) const {
  return (space == ir::Space::Shared || space == ir::Space::Local) && rows.length == kGang;
}

// --- local arrays
// An array whose address goes nowhere but into loads and stores is laid out by element, then lane; others lie
// one after the other.
bool GangEmitter::is_interleaved_address(ValueId pointer) const {
  ir::OpId array = tree_.definition(plan_.resolve(pointer));
  return array.valid() && f_.ops[array].kind == OpKind::LocalArray && is_interleaved(array);
}

bool GangEmitter::is_interleaved(ir::OpId array) const {
  ValueId address = f_.ops[array].results[0];
  for (const ir::Op& op : f_.ops)
    for (size_t i = 0; i < op.operands.size(); ++i)
      if (plan_.resolve(op.operands[i]) == address &&
          (i != 0 || !(ir::is_load(op.kind) || ir::is_store(op.kind))))
        return false;
  return true;
}

Lanes GangEmitter::gang_local_array(ir::OpId id) {
  const LocalArray& array = placement_.local_arrays.at(id);
  int64_t bytes = (array.bytes + 7) / 8 * 8, element = f_.type(f_.ops[id].results[0]).element_size();
  Lanes result;
  switch (array.kind) {
    case LocalArray::Kind::Stack: {
      auto [known, is_new] = gang_arrays_.try_emplace(id, nullptr);
      if (is_new) {
        llvm::IRBuilder<> entry(entry_, entry_->getFirstInsertionPt());
        known->second =
            entry.CreateAlloca(llvm::ArrayType::get(b_.getInt8Ty(), static_cast<uint64_t>(bytes) * kGang));
        known->second->setAlignment(llvm::Align(64));
      }
      result = Lanes::of_uniform(known->second);
      break;
    }
    case LocalArray::Kind::Scratch:
      result = Lanes::of_uniform(
          b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), arena_, static_cast<uint64_t>(array.offset)));
      break;
    case LocalArray::Kind::Slot: {
      Value* base =
          b_.CreateMul(threads_rounded_, b_.getInt64(static_cast<uint64_t>(array.offset)), "", true, true);
      int64_t step = is_interleaved(id) ? element : bytes;
      Value* own = b_.CreateMul(first_, b_.getInt64(static_cast<uint64_t>(step)), "", true, true);
      result =
          Lanes::of_uniform(b_.CreateInBoundsGEP(b_.getInt8Ty(), context_base_, b_.CreateAdd(base, own)));
      break;
    }
  }
  if (is_interleaved(id)) return result;
  Pattern pattern = iota();
  for (int64_t& lane : pattern) lane *= bytes;
  result.terms.push_back({nullptr, pattern});
  return result;
}

}  // namespace lanewise::codegen::host
