// Values in their three forms, and the ops without effect on them.
#include "codegen/host/simd/gang_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::Value;

namespace {
constexpr int64_t kMostStep = int64_t{1} << 40;  // of a lane from the base: sums and products stay exact
}

// --- forms
llvm::Constant* GangEmitter::pattern_vector(llvm::Type* scalar, const Pattern& pattern) {
  llvm::SmallVector<llvm::Constant*, kGang> elements;
  for (int64_t element : pattern)
    elements.push_back(llvm::ConstantInt::get(scalar, static_cast<uint64_t>(element), true, true));
  return llvm::ConstantVector::get(elements);
}

Value* GangEmitter::vector(const Lanes& lanes, ir::Type type) {
  if (lanes.vector) return lanes.vector;
  if (lanes.uniform()) return b_.CreateVectorSplat(kGang, lanes.base);
  llvm::Type* scalar = type.is_pointer() ? b_.getInt64Ty() : m_.type(type);
  Value* offsets = nullptr;
  for (const Lanes::Term& term : lanes.terms) {
    Value* part = pattern_vector(scalar, term.pattern);
    if (term.scale) part = b_.CreateMul(b_.CreateVectorSplat(kGang, term.scale), part);
    offsets = offsets ? b_.CreateAdd(offsets, part) : part;
  }
  if (type.is_pointer()) return b_.CreateGEP(b_.getInt8Ty(), lanes.base, offsets);
  return b_.CreateAdd(b_.CreateVectorSplat(kGang, lanes.base), offsets);
}

void GangEmitter::define(ValueId v, Lanes lanes) {
  LANEWISE_CHECK(lanes.uniform() || shapes_.varying[v.index], "a value differs between lanes unexpectedly");
  if (lanes.uniform())
    set(v, lanes.base);
  else
    values_[v.index] = nullptr;
  lanes_[v.index] = std::move(lanes);
  index_forms_[v.index].reset();
  lanes_defined_.push_back(v);
}

// A value from outside the segment is got before the gang's items.
Lanes GangEmitter::lanes(ValueId v) {
  v = plan_.resolve(v);
  if (lanes_[v.index].known()) return lanes_[v.index];
  if (Value* known = values_[v.index]) return Lanes::of_uniform(known);
  llvm::IRBuilderBase::InsertPointGuard guard(b_);
  b_.SetInsertPoint(thread_->prologue);
  const Place& place = placement_.places[v.index];
  Lanes result;
  if (place.kind == Place::Kind::Slot) {
    result = load_gang_slot(place.slot);
  } else {
    ir::OpId definition = tree_.definition(v);
    LANEWISE_CHECK(definition.valid() && ir::info(f_.ops[definition].kind).effect == ir::Effect::None,
                   "a value is used where it is not kept");
    result = pure(definition);
  }
  define(v, result);
  if (place.kind != Place::Kind::Slot && !result.linear())
    index_forms_[v.index] = index_form(f_.ops[tree_.definition(v)]);
  thread_->prologue = b_.GetInsertBlock();
  return result;
}

Value* GangEmitter::resolve(ValueId v) {
  if (Value* own = values_[plan_.resolve(v).index]) return own;  // of the lane that runs alone
  Lanes known = lanes(v);
  LANEWISE_CHECK(known.uniform(), "a value of one lane is wanted where many run");
  return known.base;
}

// --- ops
Lanes GangEmitter::pure(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  switch (op.kind) {
    case OpKind::ThreadIdX: return thread_index_[0];
    case OpKind::ThreadIdY: return thread_index_[1];
    case OpKind::ThreadIdZ: return thread_index_[2];
    case OpKind::LaneId: {
      Lanes lane = Lanes::of_uniform(b_.getInt32(0));
      lane.terms.push_back({nullptr, iota()});
      return lane;
    }
    case OpKind::LocalArray: return gang_local_array(id);
    default: break;
  }
  Values values = operands(op);
  bool uniform = true;
  for (const Lanes& value : values) uniform = uniform && value.uniform();
  if (uniform) return Lanes::of_uniform(FunctionEmitter::emit_pure(id));
  if (std::optional<Lanes> part = part_of_number(op, values)) return *part;
  switch (op.kind) {
    case OpKind::SpaceCast:
    case OpKind::PtrCast: return values[0];
    case OpKind::Offset: return pointers(op, lanes(op.operands[1]));
    case OpKind::Address: {
      Lanes number = values[0];
      if (!number.linear())
        return Lanes::of_vector(b_.CreatePtrToInt(number.vector, vector_type(f_.type(op.results[0]))));
      number.base = b_.CreatePtrToInt(number.base, b_.getInt64Ty());
      return number;
    }
    default: break;
  }
  if (std::optional<Lanes> linear = linear_op(op, values)) return *linear;
  return vector_op(op, values);
}

Lanes GangEmitter::vector_op(const ir::Op& op, const Values& values) {
  scalar_.set_mode(f_.float_mode_of(op));
  if (!has_vector_form(op)) return lane_after_lane(op, values);
  if (op.kind >= OpKind::Eq && op.kind <= OpKind::Ge)
    if (Value* compared = compare_with_uniform(op, values[0], values[1])) return Lanes::of_vector(compared);
  if (op.kind == OpKind::Cast && f_.type(op.results[0]).is_float() && f_.type(op.operands[0]) == ir::kI64 &&
      values[0].linear() && is_in_int32(op.operands[0])) {
    Lanes narrow = *linear_cast(op, values[0]);
    return Lanes::of_vector(
        scalar_.emit(op.kind, ir::kI32, f_.type(op.results[0]), {vector(narrow, ir::kI32)}));
  }
  llvm::SmallVector<Value*, 4> vectors;
  for (size_t i = 0; i < values.size(); ++i) {
    bool condition = op.kind == OpKind::Select && i == 0 && values[i].uniform();
    vectors.push_back(condition ? values[i].base : vector(values[i], f_.type(op.operands[i])));
  }
  ir::Type operand = f_.type(op.operands[op.kind == OpKind::Select ? 1 : 0]);
  Value* result = scalar_.emit(op.kind, operand, f_.type(op.results[0]), vectors);
  if (op.kind == OpKind::And && operand.is_bool()) note_tests_of_both(result, values[0], values[1]);
  return Lanes::of_vector(result);
}

// --- linear values
std::optional<Lanes> GangEmitter::linear_op(const ir::Op& op, const Values& v) {
  if (op.results.size() != 1 || !f_.type(op.results[0]).is_int()) return std::nullopt;
  for (const Lanes& value : v)
    if (!value.linear()) return std::nullopt;
  std::optional<Lanes> result;
  switch (op.kind) {
    case OpKind::Add: result = sum(v[0], v[1], false); break;
    case OpKind::Sub: result = sum(v[0], v[1], true); break;
    case OpKind::Mul:
      if (v[1].uniform())
        result = product(v[0], v[1].base);
      else if (v[0].uniform())
        result = product(v[1], v[0].base);
      break;
    case OpKind::Shl: {
      auto* count = v[1].uniform() ? llvm::dyn_cast<llvm::ConstantInt>(v[1].base) : nullptr;
      unsigned bits = f_.type(op.operands[0]).bits;
      if (count && count->getValue().ult(std::min(bits - 1, 31u)))
        result = product(v[0], llvm::ConstantInt::get(m_.type(f_.type(op.operands[0])),
                                                      uint64_t{1} << count->getZExtValue()));
      break;
    }
    case OpKind::And:
    case OpKind::Shr:
    case OpKind::FloorDiv:
    case OpKind::FloorMod: {
      auto* constant = v[1].uniform() ? llvm::dyn_cast<llvm::ConstantInt>(v[1].base) : nullptr;
      if (!constant || constant->isNegative()) break;
      llvm::APInt number = constant->getValue();
      if (op.kind == OpKind::And) ++number;
      bool power = op.kind == OpKind::Shr ? number.ult(31) : number.isPowerOf2();
      if (!power) break;
      unsigned bit =
          op.kind == OpKind::Shr ? static_cast<unsigned>(number.getZExtValue()) : number.logBase2();
      return split_at(v[0], bit, op.kind == OpKind::And || op.kind == OpKind::FloorMod);
    }
    case OpKind::Neg: {
      Lanes zero = Lanes::of_uniform(llvm::Constant::getNullValue(m_.type(f_.type(op.operands[0]))));
      result = sum(zero, v[0], true);
      break;
    }
    case OpKind::Cast:
      if (f_.type(op.operands[0]).is_int()) result = linear_cast(op, v[0]);
      break;
    default: break;
  }
  if (result && op.kind != OpKind::Cast) {
    // What no thread's value comes near to does not wrap on the way to it either.
    bool far = false;
    if (auto range = index_math_.range(op.results[0])) {
      int64_t most = f_.type(op.results[0]).bits == 64
                         ? int64_t{1} << 60
                         : (int64_t{1} << (f_.type(op.results[0]).bits - 1)) - 4096;
      far = f_.type(op.results[0]).bits >= 32 && range->first >= -most && range->second <= most;
    }
    for (const Lanes& value : v) result->exact = result->exact && value.exact;
    result->exact = result->exact && far;
  }
  return result;
}

std::optional<Lanes> GangEmitter::sum(const Lanes& a, const Lanes& b, bool subtract) {
  Lanes result = a;
  result.forget();
  result.base = subtract ? b_.CreateSub(a.base, b.base) : b_.CreateAdd(a.base, b.base);
  for (const Lanes::Term& term : b.terms) {
    auto same = std::find_if(result.terms.begin(), result.terms.end(),
                             [&](const Lanes::Term& other) { return other.scale == term.scale; });
    if (same == result.terms.end()) {
      result.terms.push_back({term.scale, {}});
      same = result.terms.end() - 1;
    }
    for (unsigned i = 0; i < kGang; ++i) {
      same->pattern[i] += subtract ? -term.pattern[i] : term.pattern[i];
      if (std::abs(same->pattern[i]) > kMostStep) return std::nullopt;
    }
  }
  llvm::erase_if(result.terms, [](const Lanes::Term& term) { return term.pattern == Pattern{}; });
  if (result.terms.size() > 3) return std::nullopt;
  return result;
}

std::optional<Lanes> GangEmitter::product(const Lanes& a, Value* factor) {
  Lanes result = a;
  result.forget();
  result.base = b_.CreateMul(a.base, factor);
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(factor);
  for (Lanes::Term& term : result.terms) {
    if (constant && constant->getValue().isSignedIntN(32)) {
      for (int64_t& element : term.pattern) {
        if (__builtin_mul_overflow(element, constant->getSExtValue(), &element) ||
            std::abs(element) > kMostStep)
          return std::nullopt;
      }
    } else {
      term.scale = term.scale ? b_.CreateMul(term.scale, factor) : factor;
    }
  }
  llvm::erase_if(result.terms, [](const Lanes::Term& term) { return term.pattern == Pattern{}; });
  return result;
}

// The bits below `bit`, or those from it on, where the base only has the latter.
std::optional<Lanes> GangEmitter::split_at(const Lanes& value, unsigned bit, bool low) {
  int64_t step = int64_t{1} << bit;
  if (!value.is_line() || !value.exact || value.align < step) return std::nullopt;
  Lanes result = value;
  result.forget();
  llvm::Type* type = value.base->getType();
  result.base = low ? llvm::ConstantInt::get(type, 0) : b_.CreateLShr(value.base, bit);
  result.align = low ? int64_t{1} << 30 : value.align / step;
  for (int64_t& lane : result.terms[0].pattern) {
    if (lane < 0) return std::nullopt;
    lane = low ? lane % step : lane / step;
  }
  if (result.terms[0].pattern == Pattern{}) result.terms.clear();
  return result;
}

// The gang's number and the lane's in it, as `i // 32` and `i % 32` of a thread's number ask for them.
std::optional<Lanes> GangEmitter::part_of_number(const ir::Op& op, const Values& values) {
  bool high = op.kind == OpKind::FloorDiv || op.kind == OpKind::Shr;
  if (!high && op.kind != OpKind::FloorMod && op.kind != OpKind::And) return std::nullopt;
  if (!shapes_.numbers[plan_.resolve(op.operands[0]).index] || !values[1].uniform()) return std::nullopt;
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(values[1].base);
  if (!constant) return std::nullopt;
  ir::Type type = f_.type(op.operands[0]);
  std::optional<unsigned> bit = whole_gangs(op.kind, type, constant->getSExtValue());
  if (!bit) return std::nullopt;
  // The first lane's own number, as the others only differ in the lowest bits.
  Value* first =
      values[0].is_line() ? values[0].base : b_.CreateExtractElement(vector(values[0], type), uint64_t{0});
  if (high)
    return Lanes::of_uniform(type.is_signed() ? b_.CreateAShr(first, *bit) : b_.CreateLShr(first, *bit));
  Lanes lane = Lanes::of_uniform(b_.CreateAnd(first, (uint64_t{1} << *bit) - 1));
  lane.terms.push_back({nullptr, iota()});
  lane.least = 0;
  lane.most = (int64_t{1} << *bit) - kGang;
  lane.align = kGang;
  return lane;
}

// To the result's type, or for a cast to a float to int32.
std::optional<Lanes> GangEmitter::linear_cast(const ir::Op& op, const Lanes& value) {
  ir::Type from = f_.type(op.operands[0]), to = f_.type(op.results[0]);
  if (to.is_float()) to = ir::kI32;
  if (!to.is_int()) return std::nullopt;
  llvm::Type* target = m_.type(to);
  Lanes result = value;
  if (to.bits > from.bits) {
    // The lanes' own values are extended: the sum must not have wrapped.
    if (!value.exact || !from.is_signed()) return std::nullopt;
    result.base = b_.CreateSExt(value.base, target);
    for (Lanes::Term& term : result.terms)
      if (term.scale) term.scale = b_.CreateSExt(term.scale, target);
    return result;
  }
  if (to.bits < from.bits) {
    result.base = b_.CreateTrunc(value.base, target);
    for (Lanes::Term& term : result.terms)
      if (term.scale) term.scale = b_.CreateTrunc(term.scale, target);
    result.exact = false;
    result.forget();
    return result;
  }
  result.exact = value.exact && from.is_signed() == to.is_signed();
  return result;
}

bool GangEmitter::is_in_int32(ValueId v) const {
  auto range = index_math_.range(v);
  return range && range->first >= INT32_MIN / 2 && range->second <= INT32_MAX / 2;
}

// The comparison's value if it is the same wherever the base may be.
std::optional<bool> GangEmitter::compare_known(OpKind kind, const Lanes& lanes, Value* scalar,
                                               bool left) const {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(scalar);
  if (!constant || lanes.least == INT64_MIN || lanes.most == INT64_MAX) return std::nullopt;
  auto [low, high] = std::minmax_element(lanes.terms[0].pattern.begin(), lanes.terms[0].pattern.end());
  int64_t least = lanes.least + *low, most = lanes.most + *high, bound = constant->getSExtValue();
  bool below = most<bound, at_most = most <= bound, above = least> bound, at_least = least >= bound;
  if (!left) std::swap(below, above), std::swap(at_most, at_least);
  auto either = [](bool always, bool never) {
    return always || never ? std::optional<bool>(always) : std::nullopt;
  };
  switch (kind) {
    case OpKind::Lt: return either(below, at_least);
    case OpKind::Le: return either(at_most, above);
    case OpKind::Gt: return either(above, at_most);
    case OpKind::Ge: return either(at_least, below);
    case OpKind::Eq: return either(false, below || above);
    default: return either(below || above, false);
  }
}

}  // namespace lanewise::codegen::host
