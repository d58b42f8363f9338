// Ops without a vector form: a loop over the lanes that take part, with the operands in memory and the op as
// one thread has it.
#include "codegen/host/simd/gang_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

bool GangEmitter::has_vector_form(const ir::Op& op) const {
  // Each of them reads, unless nobody else can have written.
  if (op.kind == OpKind::LoadCv || op.kind == OpKind::AtomicLoad || op.kind == OpKind::AtomicStore) {
    ir::Space space = f_.type(op.operands[0]).space;
    return space == ir::Space::Local || space == ir::Space::Shared || space == ir::Space::Constant;
  }
  if (ir::info(op.kind).effect != ir::Effect::None)
    return ir::is_load(op.kind) || ir::is_store(op.kind) || ir::is_fence(op.kind) ||
           op.kind == OpKind::Nanosleep || op.kind == OpKind::Breakpoint;
  if (op.kind >= OpKind::Cbrt && op.kind <= OpKind::Hypot && is_in_gamma(op)) return false;
  return !ScalarEmitter::knows(op.kind) || scalar_.has_vectors(op.kind, f_.type(op.operands[0]));
}

// The gamma functions take differences of logarithms: they need the C library's functions of one number,
// whose errors are smaller.
bool GangEmitter::is_in_gamma(const ir::Op& op) const {
  for (uint32_t site = op.call_site; site != ir::kNoCallSite; site = f_.call_sites[site].parent)
    if (f_.call_sites[site].callee.find("gamma") != std::string::npos) return true;
  return false;
}

// A vector in memory, by lane.
Value* GangEmitter::spill(Value* vector, ir::Type type) {
  llvm::IRBuilder<> entry(entry_, entry_->getFirstInsertionPt());
  llvm::Type* element = type.is_bool() ? b_.getInt8Ty() : m_.type(type);
  llvm::AllocaInst* place = entry.CreateAlloca(llvm::ArrayType::get(element, kGang));
  place->setAlignment(llvm::Align(64));
  if (vector) b_.CreateAlignedStore(to_memory(type, vector), place, llvm::Align(64));
  return place;
}

// Code for each lane of exec_, given its number as an i64; then on in the block `end`.
void GangEmitter::for_each_lane(const std::function<void(Value*)>& body, BasicBlock* end) {
  Value* mask = bits(exec_);
  BasicBlock *before = b_.GetInsertBlock(), *loop = new_block("lane");
  b_.CreateCondBr(b_.CreateICmpNE(mask, b_.getInt32(0)), loop, end);
  b_.SetInsertPoint(loop);
  llvm::PHINode* left = b_.CreatePHI(b_.getInt32Ty(), 2);
  left->addIncoming(mask, before);
  Value* lane = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, b_.getTrue());
  body(b_.CreateZExt(lane, b_.getInt64Ty()));
  Value* rest = b_.CreateAnd(left, b_.CreateSub(left, b_.getInt32(1)));
  left->addIncoming(rest, b_.GetInsertBlock());
  mark_loop(b_.CreateCondBr(b_.CreateICmpNE(rest, b_.getInt32(0)), loop, end), 0);
  b_.SetInsertPoint(end);
}

// The values that an op and the regions in it use from outside.
void GangEmitter::gather_uses(ir::OpId id, std::vector<ValueId>& uses) const {
  const ir::Op& op = f_.ops[id];
  for (ValueId v : op.operands) uses.push_back(plan_.resolve(v));
  for (ir::RegionId region : op.regions)
    for (ir::OpId inner : f_.regions[region].ops) gather_uses(inner, uses);
}

// Ops in a row, all of them for one lane, then for the next.
void GangEmitter::emit_per_lane(const std::vector<ir::OpId>& ops) {
  auto element = [&](ir::Type type) { return type.is_bool() ? b_.getInt8Ty() : m_.type(type); };
  std::vector<ValueId> uses, inside, results;
  for (ir::OpId id : ops) {
    gather_uses(id, uses);
    gather_definitions(id, inside);
    for (ValueId v : f_.ops[id].results) {
      if (used_[v.index])
        results.push_back(v);
      else
        define(v, nothing(v));
    }
  }
  std::map<ValueId, Value*> spilled;  // what comes from outside and differs
  for (ValueId v : uses) {
    if (spilled.count(v) || std::find(inside.begin(), inside.end(), v) != inside.end()) continue;
    Lanes own = lanes(v);
    if (!own.uniform()) spilled[v] = spill(vector(own, f_.type(v)), f_.type(v));
  }
  std::vector<Value*> places;
  for (ValueId v : results) places.push_back(spill(nullptr, f_.type(v)));

  auto body = [&](Value* lane) {
    single_lane_ = lane;
    for (auto [v, place] : spilled) {
      ir::Type type = f_.type(v);
      Value* loaded = b_.CreateLoad(element(type), b_.CreateInBoundsGEP(element(type), place, lane));
      values_[v.index] = from_memory(type, loaded);
    }
    for (ir::OpId id : ops) FunctionEmitter::emit_op(id);
    for (size_t i = 0; i < results.size(); ++i) {
      ir::Type type = f_.type(results[i]);
      Value* made = to_memory(type, values_[results[i].index]);
      b_.CreateStore(made, b_.CreateInBoundsGEP(element(type), places[i], lane));
    }
    for (auto [v, place] : spilled) values_[v.index] = nullptr;
    for (ValueId v : inside) values_[v.index] = nullptr;
    single_lane_ = nullptr;
  };
  for_each_lane(body, new_block("lanes.end"));
  for (size_t i = 0; i < results.size(); ++i) {
    ir::Type type = f_.type(results[i]);
    llvm::Type* vector = llvm::FixedVectorType::get(element(type), kGang);
    Value* loaded = b_.CreateAlignedLoad(vector, places[i], llvm::Align(64));
    define(results[i], Lanes::of_vector(from_memory(type, loaded)));
  }
}

void GangEmitter::gather_definitions(ir::OpId id, std::vector<ValueId>& values) const {
  const ir::Op& op = f_.ops[id];
  values.insert(values.end(), op.results.begin(), op.results.end());
  for (ir::RegionId region : op.regions) {
    const std::vector<ValueId>& params = f_.regions[region].params;
    values.insert(values.end(), params.begin(), params.end());
    for (ir::OpId inner : f_.regions[region].ops) gather_definitions(inner, values);
  }
}

// Whether a loop is quicker for one lane after the other: its lanes end at different turns, and what they
// read lies apart, so that vectors save little arithmetic and wait for the longest lane.
bool GangEmitter::is_better_alone(ir::OpId id) const {
  const ir::Op& op = f_.ops[id];
  bool loop = op.kind == OpKind::For || op.kind == OpKind::While;
  if (!loop || !shapes_.ends_apart[id.index] || !tree_.exits(id).empty()) return false;
  int apart = 0, work = 0, rows = 0;
  bool fits = true;
  std::function<void(ir::OpId)> visit = [&](ir::OpId inner) {
    const ir::Op& o = f_.ops[inner];
    if (ir::is_warp_op(o.kind) || o.kind == OpKind::LocalArray) fits = false;
    if (ir::is_load(o.kind)) {
      ir::OpId array = tree_.definition(plan_.resolve(o.operands[0]));
      bool local = array.valid() && f_.ops[array].kind == OpKind::LocalArray;
      if (local) fits = false;
      bool row = shapes_.lines[plan_.resolve(o.operands[1]).index];
      row ? ++rows : apart += varies(o.operands[1]);
    } else if (ir::is_store(o.kind)) {
      fits = false;
    } else if (!o.results.empty() && f_.type(o.results[0]).is_float()) {
      bool dear = (o.kind >= OpKind::Sqrt && o.kind <= OpKind::FrexpExponent) || o.kind == OpKind::Div;
      work += dear ? 10 : 1;
    }
    for (ir::RegionId region : o.regions)
      for (ir::OpId next : f_.regions[region].ops) visit(next);
  };
  visit(id);
  return fits && apart > 0 && work + 2 * rows <= 3 * apart;
}

// Where loops that are better alone are all there is but for a few ops, with no other loop, barrier or warp
// op.
bool GangEmitter::is_better_one_by_one() const {
  bool alone = false;
  int rest = 0;
  std::function<bool(ir::RegionId)> fits = [&](ir::RegionId region) {
    for (ir::OpId id : f_.regions[region].ops) {
      const ir::Op& op = f_.ops[id];
      if (ir::meets_others(op.kind)) return false;
      if (is_better_alone(id)) {
        alone = true;
        continue;
      }
      if (op.kind == OpKind::For || op.kind == OpKind::While) return false;
      if (!op.results.empty() && f_.type(op.results[0]).is_float()) ++rest;
      for (ir::RegionId inner : op.regions)
        if (!fits(inner)) return false;
    }
    return true;
  };
  return fits(f_.body) && alone && rest <= 8;
}

// Atomics on the block's own memory whose old value nobody wants, by all lanes: in a straight line.
bool GangEmitter::emit_own_atomics(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  ir::Type pointer = f_.type(op.operands[0]), type = pointer.element();
  if (pointer.space != ir::Space::Shared || op.kind == OpKind::AtomicCas || used_[op.results[0].index] ||
      !lanes(op.operands[0]).uniform())
    return false;
  // An index that was widened is kept as it was before.
  ValueId narrow = plan_.resolve(op.operands[1]);
  ir::OpId widened = tree_.definition(narrow);
  if (widened.valid() && f_.ops[widened].kind == OpKind::Cast &&
      f_.type(f_.ops[widened].operands[0]).is_int() &&
      lanes_[plan_.resolve(f_.ops[widened].operands[0]).index].known())
    narrow = plan_.resolve(f_.ops[widened].operands[0]);
  ir::Type index_type = f_.type(narrow);
  Value* all_indices = vector(narrow);
  Value* indices = spill(all_indices, index_type);
  Lanes own = lanes(op.operands[2]);
  Value* operands = own.uniform() ? nullptr : spill(vector(own, type), type);
  llvm::Type* element = element_type(m_.context, type);
  auto update = [&](Value* lane, Value* index) {
    index = b_.CreateIntCast(index, b_.getInt64Ty(), index_type.is_signed());
    Value* address = b_.CreateGEP(element, lanes(op.operands[0]).base, index);
    Value* operand =
        operands ? from_memory(type, b_.CreateLoad(element, b_.CreateInBoundsGEP(element, operands, lane)))
                 : own.base;
    Value* old = load(type, address, pointer.space);
    store(type, scalar_.emit_atomic(op.kind, type, old, operand), address, pointer.space);
  };
  BasicBlock *full = new_block("full"), *some = new_block("some"), *end = new_block("atomics.end");
  b_.CreateCondBr(all(exec_), full, some);
  b_.SetInsertPoint(full);
  llvm::Type* stored = m_.type(index_type);
  Value* row = row_in_memory(narrow, id);
  for (uint64_t lane = 0; lane < kGang; ++lane)
    update(b_.getInt64(lane), row ? b_.CreateLoad(stored, b_.CreateConstInBoundsGEP1_64(stored, row, lane))
                                  : b_.CreateExtractElement(all_indices, lane));
  b_.CreateBr(end);
  b_.SetInsertPoint(some);
  for_each_lane(
      [&](Value* lane) { update(lane, b_.CreateLoad(stored, b_.CreateInBoundsGEP(stored, indices, lane))); },
      end);
  return true;
}

// The address of a value's lanes where they have just been loaded, side by side, from memory that has not
// changed: lanes are read again more quickly than they are taken out of a vector.
Value* GangEmitter::row_in_memory(ValueId v, ir::OpId user) {
  ir::OpId id = tree_.definition(v);
  if (!id.valid() || f_.ops[id].kind != OpKind::Load) return nullptr;
  const ir::Op& load = f_.ops[id];
  ir::Type pointer = f_.type(load.operands[0]);
  if (pointer.space != ir::Space::Global || pointer.element().is_bool()) return nullptr;
  for (const ir::Region& region : f_.regions) {
    auto at = std::find(region.ops.begin(), region.ops.end(), id);
    if (at == region.ops.end()) continue;
    auto end = std::find(at, region.ops.end(), user);
    if (end == region.ops.end()) return nullptr;
    while (++at != end)
      if (ir::info(f_.ops[*at].kind).effect != ir::Effect::None) return nullptr;
  }
  Address from = address(load);
  std::optional<Rows> found = rows(from, pointer.element_size());
  if (!found || found->length != kGang || found->step != 1) return nullptr;
  return row_address(from, *found, 0);
}

// The same in a straight line, where values of another segment are computed again.
Lanes GangEmitter::lane_after_lane(const ir::Op& op, const Values& values) {
  llvm::SmallVector<Value*, 4> vectors;
  for (size_t i = 0; i < values.size(); ++i) vectors.push_back(vector(values[i], f_.type(op.operands[i])));
  ir::Type type = f_.type(op.results[0]);
  Value* result = llvm::PoisonValue::get(vector_type(type));
  for (uint64_t lane = 0; lane < kGang; ++lane) {
    llvm::SmallVector<Value*, 4> singles;
    for (Value* v : vectors) singles.push_back(b_.CreateExtractElement(v, lane));
    result =
        b_.CreateInsertElement(result, scalar_.emit(op.kind, f_.type(op.operands[0]), type, singles), lane);
  }
  return Lanes::of_vector(result);
}

// --- the lane that runs
Value* GangEmitter::thread_id(Axis axis) {
  LANEWISE_CHECK(single_lane_, "a thread index is wanted where no thread runs alone");
  const Lanes& index = thread_index_[static_cast<size_t>(axis)];
  return index.uniform() ? index.base : b_.CreateExtractElement(vector(index, ir::kI32), single_lane_);
}
Value* GangEmitter::wide_thread_id(Axis axis) { return b_.CreateZExt(thread_id(axis), b_.getInt64Ty()); }
Value* GangEmitter::lane_id() { return b_.CreateTrunc(single_lane_, b_.getInt32Ty()); }
Value* GangEmitter::linear_thread() { return b_.CreateAdd(first_, single_lane_, "", true, true); }

}  // namespace lanewise::codegen::host
