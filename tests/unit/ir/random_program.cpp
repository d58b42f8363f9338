// A recursive generator over ir::Builder. Everything it needs from chance comes from one SplitMix64 stream,
// so a seed is a program. See random_program.h.
#include "random_program.h"

#include <array>
#include <vector>

#include "ir/builder.h"
#include "tests/support/random.h"

namespace lanewise::ir {
namespace {

using test::Random;

constexpr std::array kTypes = {kI32, kI64, kF64, kBool, kI32, kI64, kU8, kU32, kF32};

class Generator {
 public:
  Generator(Random& random, Module& module, Function& function, size_t budget)
      : random_(random), b_(module, function), budget_(budget) {}

  void run(const std::vector<Type>& params) {
    for (Type type : params) {
      ValueId param = b_.param(type, "p");
      if (type.is_pointer())
        memory_ = param;
      else
        values_.push_back(param);
    }
    other_memory_ = b_.emit(OpKind::Offset, {memory_, b_.const_int(kI64, 8)}, b_.type(memory_));
    pointer_ = b_.var(b_.type(memory_), "row");
    b_.emit_void(OpKind::Set, {pointer_, memory_});
    for (size_t i = 0; i < 6; ++i) vars_.push_back(b_.var(random_.pick(kTypes), "v"));
    statements(0);
    if (!b_.terminated()) finish();
  }

 private:
  // What a loop in reach takes on break and continue, and a scope on leave.
  struct Target {
    OpKind kind;
    std::vector<Type> results, carried;
  };

  // --- values
  ValueId constant(Type type) {
    static constexpr std::array<int64_t, 9> kInts = {0, 1, 2, 3, 7, -1, 31, 100, INT64_MIN};
    static constexpr std::array<double, 6> kFloats = {0.0, -0.0, 1.0, 0.5, -3.0, 1e10};
    if (type.is_float()) return b_.const_float(type, random_.pick(kFloats));
    return b_.const_int(type, random_.pick(kInts));
  }
  ValueId value(Type type) {
    if (random_.one_in(4))
      for (int tries = 0; tries < 4; ++tries) {
        ValueId var = vars_[random_.below(vars_.size())];
        if (b_.type(var).value() == type) return b_.emit(OpKind::Get, {var}, type);
      }
    for (int tries = 0; tries < 4; ++tries) {
      ValueId v = values_[random_.below(values_.size())];
      if (b_.type(v) == type) return v;
    }
    if (random_.one_in(2)) return constant(type);
    ValueId v = values_[random_.below(values_.size())];
    return b_.cast(v, type);
  }
  std::vector<ValueId> values(const std::vector<Type>& types) {
    std::vector<ValueId> out;
    for (Type type : types) out.push_back(value(type));
    return out;
  }
  std::vector<Type> some_types() {
    std::vector<Type> out;
    for (size_t n = random_.below(3); n > 0; --n) out.push_back(random_.pick(kTypes));
    return out;
  }

  ValueId expression() {
    static constexpr std::array kInt = {OpKind::Add,      OpKind::Sub, OpKind::Mul, OpKind::FloorDiv,
                                        OpKind::FloorMod, OpKind::Min, OpKind::Max, OpKind::And,
                                        OpKind::Or,       OpKind::Xor};
    static constexpr std::array kFloat = {OpKind::Add, OpKind::Sub, OpKind::Mul,
                                          OpKind::Div, OpKind::Min, OpKind::Max};
    static constexpr std::array kCompare = {OpKind::Eq, OpKind::Ne, OpKind::Lt,
                                            OpKind::Le, OpKind::Gt, OpKind::Ge};
    static constexpr std::array kBools = {OpKind::And, OpKind::Or, OpKind::Xor};
    static constexpr std::array kShifts = {OpKind::Shl, OpKind::Shr};
    Type type = random_.pick(kTypes);
    switch (random_.below(8)) {
      case 0: return b_.emit(OpKind::Select, {value(kBool), value(type), value(type)}, type);
      case 1:
      case 2: return b_.emit(random_.pick(kCompare), {value(type), value(type)}, kBool);
      case 3: return b_.emit(OpKind::Cast, {value(random_.pick(kTypes))}, type);
      case 4:
        if (type.is_int()) return b_.emit(random_.pick(kShifts), {value(type), value(kI32)}, type);
        break;
      case 5:
        if (!type.is_bool())
          return b_.emit(random_.one_in(2) ? OpKind::Neg : OpKind::Abs, {value(type)}, type);
        return b_.emit(OpKind::Not, {value(type)}, type);
      case 6: return b_.emit(OpKind::Load, {pointer(), index()}, kI32);
      default: break;
    }
    OpKind kind = type.is_bool()    ? random_.pick(kBools)
                  : type.is_float() ? random_.pick(kFloat)
                                    : random_.pick(kInt);
    return b_.emit(kind, {value(type), value(type)}, type);
  }
  ValueId pointer() {
    return random_.one_in(2) ? memory_ : b_.emit(OpKind::Get, {pointer_}, b_.type(memory_));
  }
  ValueId index() { return b_.emit(OpKind::And, {value(kI64), b_.const_int(kI64, 7)}, kI64); }

  // --- statements
  void statements(int depth) {
    size_t visible = values_.size();
    for (size_t n = 1 + random_.below(depth == 0 ? 12 : 5); n > 0 && !b_.terminated(); --n) statement(depth);
    if (depth > 0) values_.resize(visible);
  }

  void statement(int depth) {
    if (budget_ == 0) return;
    --budget_;
    size_t kind = random_.below(depth < 5 ? 14 : 7);
    if (kind < 3) {
      values_.push_back(expression());
    } else if (kind < 6) {
      ValueId var = vars_[random_.below(vars_.size())];
      b_.emit_void(OpKind::Set, {var, value(b_.type(var).value())});
    } else if (kind == 6) {
      if (random_.one_in(2))
        b_.emit_void(OpKind::Store, {pointer(), index(), value(kI32)});
      else
        b_.emit_void(OpKind::Set, {pointer_, random_.one_in(2) ? memory_ : other_memory_});
    } else if (kind < 9) {
      if_op(depth);
    } else if (kind == 9) {
      for_op(depth);
    } else if (kind == 10) {
      while_op(depth);
    } else if (kind == 11) {
      scope_op(depth);
    } else if (kind == 12 && depth > 0) {
      exit();
    } else if (b_.module().functions.size() > 1 && &b_.function() == &b_.module().entry()) {
      call();
    }
  }

  void add_results(OpId op) {
    for (ValueId result : b_.results(op)) values_.push_back(result);
  }

  void yield(const std::vector<Type>& types) {
    if (!b_.terminated()) b_.emit_void(OpKind::Yield, values(types));
  }

  // A region with statements that ends by yielding, unless it exits.
  void region(RegionId region, int depth, const std::vector<Type>& yields) {
    Builder::Inside inside(b_, region);
    size_t visible = values_.size();
    for (ValueId param : b_.params(region)) values_.push_back(param);
    size_t before = values_.size();
    statements(depth + 1);
    values_.resize(before);
    yield(yields);
    values_.resize(visible);
  }

  void if_op(int depth) {
    std::vector<Type> results = some_types();
    ValueId condition = value(kBool);
    RegionId yes = b_.new_region(), no = b_.new_region();
    region(yes, depth, results);
    region(no, depth, results);
    add_results(b_.emit_control(OpKind::If, {condition}, {yes, no}, results));
  }

  void for_op(int depth) {
    std::vector<Type> carried = some_types();
    Type type = random_.one_in(2) ? kI64 : kI32;
    // a few turns at most: lo and hi within 0..7 of each other, whatever they are
    ValueId lo = value(type);
    ValueId length = b_.emit(OpKind::And, {value(type), b_.const_int(type, 7)}, type);
    ValueId hi = b_.emit(OpKind::Add, {lo, length}, type);
    static constexpr std::array<int64_t, 4> kSteps = {1, 2, -1, 0};
    std::vector<ValueId> operands = {lo, hi, b_.const_int(type, random_.pick(kSteps))};
    for (ValueId v : values(carried)) operands.push_back(v);
    std::vector<Type> params = carried;
    params.insert(params.begin(), type);
    RegionId body = b_.new_region(params);
    targets_.push_back({OpKind::For, carried, carried});
    region(body, depth, carried);
    targets_.pop_back();
    add_results(b_.emit_control(OpKind::For, operands, {body}, carried));
  }

  // The first carried value counts down, so the loop ends.
  void while_op(int depth) {
    std::vector<Type> carried = some_types(), results = some_types();
    carried.insert(carried.begin(), kU8);
    results.insert(results.begin(), kU8);
    std::vector<ValueId> operands = {b_.emit(OpKind::And, {value(kU8), b_.const_int(kU8, 7)}, kU8)};
    for (size_t i = 1; i < carried.size(); ++i) operands.push_back(value(carried[i]));
    RegionId cond = b_.new_region(carried), body = b_.new_region(results);
    {
      Builder::Inside inside(b_, cond);
      size_t visible = values_.size();
      for (ValueId param : b_.params(cond)) values_.push_back(param);
      targets_.push_back({OpKind::Return, {}, {}});  // no break, no continue
      if (random_.one_in(2)) statements(depth + 1);
      targets_.pop_back();
      if (!b_.terminated()) {
        ValueId fuel = b_.params(cond)[0];
        ValueId more = b_.emit(OpKind::Gt, {fuel, b_.const_int(kU8, 0)}, kBool);
        if (random_.one_in(2)) more = b_.emit(OpKind::And, {more, value(kBool)}, kBool);
        std::vector<ValueId> yields = {more, b_.emit(OpKind::Sub, {fuel, b_.const_int(kU8, 1)}, kU8)};
        for (size_t i = 1; i < results.size(); ++i) yields.push_back(value(results[i]));
        b_.emit_void(OpKind::Yield, yields);
      }
      values_.resize(visible);
    }
    {
      Builder::Inside inside(b_, body);
      size_t visible = values_.size();
      for (ValueId param : b_.params(body)) values_.push_back(param);
      targets_.push_back({OpKind::While, results, carried});
      fuels_.push_back(b_.params(body)[0]);
      statements(depth + 1);
      targets_.pop_back();
      if (!b_.terminated()) b_.emit_void(OpKind::Yield, next_turn({OpKind::While, results, carried}));
      fuels_.pop_back();
      values_.resize(visible);
    }
    add_results(b_.emit_control(OpKind::While, operands, {cond, body}, results));
  }

  void scope_op(int depth) {
    std::vector<Type> results = some_types();
    RegionId body = b_.new_region();
    targets_.push_back({OpKind::Scope, results, {}});
    region(body, depth, results);
    targets_.pop_back();
    add_results(b_.emit_control(OpKind::Scope, {}, {body}, results));
  }

  std::vector<ValueId> next_turn(const Target& loop) {
    std::vector<ValueId> out = values(loop.carried);
    if (loop.kind == OpKind::While) out[0] = fuels_.back();
    return out;
  }

  void exit() {
    size_t choice = random_.below(8);
    if (choice == 0 && !is_helper()) return finish();
    if (choice == 0) return;
    // a loop is out of reach from the condition of a `while`
    if (choice < 5) {
      for (size_t i = targets_.size(); i-- > 0;) {
        const Target& target = targets_[i];
        if (target.kind == OpKind::Return) return;
        if (target.kind == OpKind::Scope) continue;
        if (choice < 3)
          b_.emit_void(OpKind::Break, values(target.results));
        else
          b_.emit_void(OpKind::Continue, next_turn(target));
        return;
      }
    }
    std::vector<const Target*> scopes;
    for (size_t i = targets_.size(); i-- > 0;)
      if (targets_[i].kind == OpKind::Scope) scopes.push_back(&targets_[i]);
    if (scopes.empty()) return;
    size_t skip = random_.below(scopes.size());
    b_.leave(static_cast<int64_t>(skip), values(scopes[skip]->results));
  }

  bool is_helper() { return &b_.function() != &b_.module().entry(); }
  void finish() { b_.emit_void(OpKind::Return, values(b_.function().results)); }

  void call() {
    FunctionId callee{static_cast<uint32_t>(1 + random_.below(b_.module().functions.size() - 1))};
    std::vector<ValueId> arguments = {memory_, value(kI32), value(kI64), value(kF64)};
    for (ValueId result : b_.call(callee, arguments)) values_.push_back(result);
  }

  Random& random_;
  Builder b_;
  size_t budget_;
  ValueId memory_, other_memory_, pointer_;
  std::vector<ValueId> values_;  // visible here
  std::vector<ValueId> vars_;
  std::vector<Target> targets_;
  std::vector<ValueId> fuels_;
};

}  // namespace

Module random_program(uint64_t seed) {
  Random random(seed);
  Module module;
  const std::vector<Type> params = {kI32.pointer(Space::Global), kI32, kI64, kF64};
  size_t helpers = random.below(3);
  module.functions.resize(1 + helpers);
  for (size_t f = 0; f < module.functions.size(); ++f) {
    module.functions[f].name = f == 0 ? "main" : "helper" + std::to_string(f);
    module.functions[f].results = {kI64, kF64, kI32};
  }
  for (size_t f = module.functions.size(); f-- > 0;)
    Generator(random, module, module.functions[f], f == 0 ? 80 : 25).run(params);
  return module;
}

}  // namespace lanewise::ir
