// Statements are made in one of two moods. *Together*: all threads that still run are here in the same turn
// of every loop around, so barriers may stand here. *Apart*: under a condition that differs, no barriers. A
// thread may always return. At a *free* place no barrier follows any more, so that threads may leave the
// others.
#include "random_kernel.h"

#include <array>
#include <vector>

#include "ir/builder.h"
#include "tests/support/random.h"

namespace lanewise::fuzz {
namespace {

using namespace lanewise::ir;

using test::Random;

constexpr std::array kTypes = {kI64, kI32, kI64, kBool, kU8, kF32, kF64, kI16};

class Generator {
 public:
  Generator(uint64_t seed, Module& module, Function& function, bool divergent)
      : random_(seed), b_(module, function), divergent_(divergent) {}

  void run() {
    out_ = b_.param(kI64.pointer(Space::Global), "out");
    opaque_ = b_.param(kI64.pointer(Space::Global), "opaque");
    prologue();
    for (size_t i = 0; i < 7; ++i) {
      vars_.push_back(b_.var(kTypes[i], "v"));
      if (random_.one_in(2)) b_.emit_void(OpKind::Set, {vars_.back(), value(kTypes[i])});
    }
    size_t n = 3 + random_.below(6);
    for (size_t i = 0; i < n && !b_.terminated(); ++i) together(0, i + 1 == n);
    if (b_.terminated()) return;
    for (size_t i = 0; i < vars_.size(); ++i) keep(static_cast<int64_t>(i), get(vars_[i]));
    b_.emit_void(OpKind::Return);
  }

 private:
  ValueId constant(int64_t v) { return b_.const_int(kI64, v); }
  ValueId binary(OpKind kind, ValueId a, ValueId b) { return b_.emit(kind, {a, b}, b_.type(a)); }
  ValueId get(ValueId var) { return b_.emit(OpKind::Get, {var}, b_.type(var).value()); }

  // Linear thread index and size of the block, a zero that looks as if it depended on the thread, shared
  // arrays with something in them.
  void prologue() {
    auto id = [&](OpKind kind) { return b_.cast(b_.emit(kind, {}, kI32), kI64); };
    ValueId x = id(OpKind::ThreadIdX), y = id(OpKind::ThreadIdY), z = id(OpKind::ThreadIdZ);
    ValueId dx = id(OpKind::BlockDimX), dy = id(OpKind::BlockDimY), dz = id(OpKind::BlockDimZ);
    linear_ =
        binary(OpKind::Add, binary(OpKind::Mul, binary(OpKind::Add, binary(OpKind::Mul, z, dy), y), dx), x);
    threads_ = binary(OpKind::Mul, binary(OpKind::Mul, dx, dy), dz);
    ValueId block = id(OpKind::BlockIdX);
    ValueId global = binary(OpKind::Add, binary(OpKind::Mul, block, threads_), linear_);
    row_ = binary(OpKind::Mul, global, constant(kWordsPerThread));
    zero_ = b_.emit(OpKind::Load, {opaque_, binary(OpKind::Add, linear_, constant(kOpaqueWords))}, kI64);
    shared_ = b_.emit_immediate(OpKind::SharedArray, kMaxThreads, kI64.pointer(Space::Shared));
    sums_ = b_.emit_immediate(OpKind::SharedArray, 4, kI32.pointer(Space::Shared));
    local_ = b_.emit_immediate(OpKind::LocalArray, 4, kI64.pointer(Space::Local));
    b_.emit_void(OpKind::Store, {shared_, linear_, global});
    if_op(b_.emit(OpKind::Eq, {linear_, constant(0)}, kBool), [&] {
      for (int64_t i = 0; i < 4; ++i)
        b_.emit_void(OpKind::Store, {sums_, constant(i), b_.const_int(kI32, 0)});
    });
    for (int64_t i = 0; i < 4; ++i) b_.emit_void(OpKind::Store, {local_, constant(i), constant(i * 5)});
    b_.emit_void(OpKind::Barrier);
    values_ = {linear_, x, block, b_.emit(OpKind::LaneId, {}, kI32), b_.emit(OpKind::ThreadIdY, {}, kI32),
               zero_};
  }

  // --- expressions
  ValueId value(Type type) {
    if (random_.one_in(3)) {
      for (int tries = 0; tries < 4 && !vars_.empty(); ++tries)
        if (ValueId var = vars_[random_.below(vars_.size())]; b_.type(var).value() == type) return get(var);
    }
    for (int tries = 0; tries < 4; ++tries)
      if (ValueId v = values_[random_.below(values_.size())]; b_.type(v) == type) return v;
    if (random_.one_in(2)) {
      static constexpr std::array<int64_t, 7> kInts = {0, 1, 2, 3, 5, -1, 31};
      int64_t v = random_.pick(kInts);
      return type.is_float() ? b_.const_float(type, static_cast<double>(v) * 0.5) : b_.const_int(type, v);
    }
    return b_.cast(values_[random_.below(values_.size())], type);
  }
  ValueId expression() {
    static constexpr std::array kInt = {OpKind::Add,      OpKind::Sub, OpKind::Mul, OpKind::FloorDiv,
                                        OpKind::FloorMod, OpKind::Min, OpKind::Max, OpKind::And,
                                        OpKind::Or,       OpKind::Xor};
    static constexpr std::array kFloat = {OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Min, OpKind::Max};
    static constexpr std::array kCompare = {OpKind::Eq, OpKind::Ne, OpKind::Lt,
                                            OpKind::Le, OpKind::Gt, OpKind::Ge};
    static constexpr std::array kBools = {OpKind::And, OpKind::Or, OpKind::Xor};
    Type type = random_.pick(kTypes);
    switch (random_.below(7)) {
      case 0: return b_.emit(OpKind::Select, {value(kBool), value(type), value(type)}, type);
      case 1: return b_.emit(random_.pick(kCompare), {value(type), value(type)}, kBool);
      case 2: return b_.cast(value(random_.pick(kTypes)), type);
      case 3: return b_.emit(OpKind::Load, {local_, small(3)}, kI64);
      case 4: return b_.emit(OpKind::Load, {opaque_, small(kOpaqueWords - 1)}, kI64);
      default: break;
    }
    OpKind kind = type.is_bool()    ? random_.pick(kBools)
                  : type.is_float() ? random_.pick(kFloat)
                                    : random_.pick(kInt);
    return b_.emit(kind, {value(type), value(type)}, type);
  }
  ValueId small(int64_t mask) { return b_.emit(OpKind::And, {value(kI64), constant(mask)}, kI64); }
  // The same for all threads; now and then only the program's author knows.
  ValueId agreed() {
    ValueId v =
        b_.emit(OpKind::Load, {opaque_, constant(static_cast<int64_t>(random_.below(kOpaqueWords)))}, kI64);
    if (!counters_.empty() && random_.one_in(2))
      v = binary(OpKind::Add, v, counters_[random_.below(counters_.size())]);
    return random_.one_in(2) ? binary(OpKind::Add, v, zero_) : v;
  }
  ValueId agreed_condition() {
    return b_.emit(OpKind::Lt, {agreed(), constant(static_cast<int64_t>(1 + random_.below(6)))}, kBool);
  }
  void keep(int64_t word, ValueId v) {
    b_.emit_void(OpKind::Store, {out_, binary(OpKind::Add, row_, constant(word)), b_.cast(v, kI64)});
  }

  // --- regions
  template <class Then, class Else>
  void if_op(ValueId condition, Then then_body, Else else_body) {
    RegionId yes = b_.new_region(), no = b_.new_region();
    region(yes, then_body);
    region(no, else_body);
    b_.emit_control(OpKind::If, {condition}, {yes, no});
  }
  template <class Then>
  void if_op(ValueId condition, Then then_body) {
    if_op(condition, then_body, [] {});
  }
  template <class Body>
  void region(RegionId region, Body body) {
    Builder::Inside inside(b_, region);
    size_t visible = values_.size();
    body();
    values_.resize(visible);
    if (!b_.terminated()) b_.emit_void(OpKind::Yield);
  }
  // for counter in range(lo, hi, step)
  template <class Body>
  void for_op(ValueId lo, ValueId hi, ValueId step, Body body) {
    RegionId inner = b_.new_region({kI64}, {"i"});
    region(inner, [&] {
      values_.push_back(b_.params(inner)[0]);
      body(b_.params(inner)[0]);
    });
    b_.emit_control(OpKind::For, {lo, hi, step}, {inner});
  }
  // while a counter of its own is positive: body
  template <class Body>
  void while_op(ValueId turns, Body body) {
    ValueId fuel = b_.var(kI64, "fuel");
    b_.emit_void(OpKind::Set, {fuel, turns});
    RegionId cond = b_.new_region(), inner = b_.new_region();
    {
      Builder::Inside inside(b_, cond);
      size_t visible = values_.size();
      if (random_.one_in(3)) values_.push_back(expression());
      ValueId go = b_.emit(OpKind::Gt, {get(fuel), constant(0)}, kBool);
      b_.emit_void(OpKind::Yield, {go});
      values_.resize(visible);
    }
    region(inner, [&] {
      b_.emit_void(OpKind::Set, {fuel, binary(OpKind::Sub, get(fuel), constant(1))});
      body();
    });
    b_.emit_control(OpKind::While, {}, {cond, inner});
  }
  template <class Body>
  void scope_op(Body body) {
    RegionId inner = b_.new_region();
    region(inner, body);
    b_.emit_control(OpKind::Scope, {}, {inner});
  }

  // --- statements that need no company
  // A warp op, with whatever lanes are here.
  void warp_op() {
    using K = OpKind;
    static constexpr std::array kShuffles = {K::ShflIdx, K::ShflUp, K::ShflDown, K::ShflXor};
    static constexpr std::array kVotes = {K::VoteAll, K::VoteAny, K::VoteEq};
    static constexpr std::array kReductions = {K::ReduceAdd, K::ReduceMin, K::ReduceMax,
                                               K::ReduceAnd, K::ReduceOr,  K::ReduceXor};
    ValueId mask = random_.one_in(2) ? b_.const_int(kU32, UINT32_MAX) : b_.cast(value(kI64), kU32);
    switch (random_.below(6)) {
      case 0:
      case 1: {
        Type type = random_.pick(kTypes);
        ValueId lane =
            random_.one_in(2) ? b_.const_int(kI32, static_cast<int64_t>(random_.below(32))) : value(kI32);
        ValueId shuffled = value(type);
        values_.push_back(b_.emit(random_.pick(kShuffles), {mask, shuffled, lane}, type));
        return;
      }
      case 2: values_.push_back(b_.emit(random_.pick(kVotes), {mask, value(kBool)}, kBool)); return;
      case 3: values_.push_back(b_.cast(b_.emit(K::Ballot, {mask, value(kBool)}, kU32), kI64)); return;
      case 4: {
        Type type = random_.pick(kTypes);
        if (type.is_float()) type = kI64;  // a NaN may have any bits
        ValueId lanes = random_.one_in(3) ? b_.emit(K::ActiveMask, {}, kU32)
                                          : b_.emit(random_.one_in(2) ? K::MatchAny : K::MatchAll,
                                                    {mask, value(type)}, kU32);
        values_.push_back(b_.cast(lanes, kI64));
        return;
      }
      default: {
        Type type = random_.one_in(2) ? kI64 : kI32;
        values_.push_back(b_.emit(random_.pick(kReductions), {mask, value(type)}, type));
      }
    }
  }
  void simple() {
    if (random_.one_in(16)) return warp_op();
    switch (random_.below(6)) {
      case 0: keep(static_cast<int64_t>(random_.below(kWordsPerThread)), value(random_.pick(kTypes))); return;
      case 1: b_.emit_void(OpKind::Store, {local_, small(3), value(kI64)}); return;
      case 2:
      case 3: values_.push_back(expression()); return;
      default: {
        ValueId var = vars_[random_.below(vars_.size())];
        b_.emit_void(OpKind::Set, {var, value(b_.type(var).value())});
      }
    }
  }
  struct Reach {  // what a statement may end
    int loops = 0, scopes = 0;
  };
  void apart_list(int depth, Reach reach) {
    for (size_t n = 1 + random_.below(3); n > 0 && !b_.terminated(); --n) apart(depth, reach);
  }
  void apart(int depth, Reach reach) {
    size_t kind = random_.below(depth < 4 ? 12 : 6);
    if (kind < 6) return simple();
    Reach loop{reach.loops + 1, reach.scopes}, scope{reach.loops, reach.scopes + 1};
    if (kind < 8)
      if_op(
          value(kBool), [&] { apart_list(depth + 1, reach); }, [&] { apart_list(depth + 1, reach); });
    else if (kind == 8)
      for_op(small(3), small(7), constant(random_.one_in(4) ? -1 : 1),
             [&](ValueId) { apart_list(depth + 1, loop); });
    else if (kind == 9)
      while_op(small(3), [&] { apart_list(depth + 1, loop); });
    else if (kind == 10)
      scope_op([&] { apart_list(depth + 1, scope); });
    else if (depth > 0)
      leave(reach);
  }
  void leave(Reach reach) {
    if (random_.one_in(5)) return b_.emit_void(OpKind::Return), void();
    if (reach.loops > 0 && random_.one_in(2)) {
      b_.emit_void(random_.one_in(2) ? OpKind::Break : OpKind::Continue);
    } else if (reach.scopes > 0) {
      b_.leave(static_cast<int64_t>(random_.below(static_cast<size_t>(reach.scopes))));
    }
  }

  // --- statements for all threads
  void together_list(int depth, bool free, size_t most = 3) {
    size_t n = 1 + random_.below(most);
    for (size_t i = 0; i < n && !b_.terminated(); ++i) together(depth, free && i + 1 == n);
  }
  // Through shared memory: what another thread has.
  void exchange() {
    b_.emit_void(OpKind::Store, {shared_, linear_, value(kI64)});
    b_.emit_void(OpKind::Barrier);
    ValueId other =
        binary(OpKind::FloorMod,
               binary(OpKind::Add, linear_, constant(static_cast<int64_t>(random_.below(9)))), threads_);
    values_.push_back(b_.emit(OpKind::Load, {shared_, other}, kI64));
    b_.emit_void(OpKind::Barrier);
  }
  void sum() {
    b_.emit(OpKind::AtomicAdd, {sums_, small(3), value(kI32)}, kI32);
    b_.emit_void(OpKind::Barrier);
    values_.push_back(b_.emit(OpKind::Load, {sums_, constant(static_cast<int64_t>(random_.below(4)))}, kI32));
    b_.emit_void(OpKind::Barrier);
  }
  // for i in range(thread, n, block size), with values carried from turn to turn
  void strided() {
    ValueId lo = random_.one_in(2) ? linear_ : values_[1];
    ValueId step = random_.one_in(2) ? threads_ : b_.cast(b_.emit(OpKind::BlockDimX, {}, kI32), kI64);
    ValueId hi = binary(OpKind::Mul, agreed(), constant(static_cast<int64_t>(random_.below(12))));
    for_op(lo, hi, step, [&](ValueId) {
      for (size_t n = 1 + random_.below(3); n > 0 && !b_.terminated(); --n)
        random_.one_in(3) ? apart_list(3, {}) : simple();
    });
  }
  // A guard, which a compiler may make the bound of the loop over the threads.
  void guarded() {
    static constexpr std::array kRelations = {OpKind::Lt, OpKind::Le, OpKind::Gt,
                                              OpKind::Ge, OpKind::Eq, OpKind::Ne};
    ValueId index = values_[random_.below(2)];  // linear, x
    ValueId sides[] = {random_.one_in(2) ? index : binary(OpKind::Add, index, values_[2]), agreed()};
    size_t first = random_.below(2);
    ValueId condition = b_.emit(random_.pick(kRelations), {sides[first], sides[1 - first]}, kBool);
    if (random_.one_in(3))
      condition = binary(random_.one_in(2) ? OpKind::And : OpKind::Or, condition, value(kBool));
    if_op(condition, [&] {
      simple();
      if (random_.one_in(6)) b_.emit_void(OpKind::Return);
    });
    if (random_.one_in(2)) b_.emit_void(OpKind::Barrier);
  }
  void together(int depth, bool free) {
    if (divergent_ && random_.one_in(12)) return if_op(value(kBool), [&] { b_.emit_void(OpKind::Barrier); });
    size_t kind = random_.below(depth < 4 ? 16 : 7);
    auto agreed_exit = [&](OpKind exit) {
      if (random_.one_in(2)) if_op(agreed_condition(), [&] { simple(), b_.emit_void(exit); });
    };
    switch (kind) {
      case 0:
      case 1: return random_.one_in(3) ? simple() : guarded();
      case 2: return exchange();
      case 3: return sum();
      case 4: return b_.emit_void(OpKind::Barrier), void();
      case 5: return random_.one_in(2) ? strided() : apart(1, {});
      case 6:
        return if_op(value(kBool), [&] {
          if (random_.one_in(2)) apart_list(2, {});
          if (!b_.terminated() && random_.one_in(3)) b_.emit_void(OpKind::Return);
        });
      case 7:
      case 8:
        return if_op(
            agreed_condition(), [&] { together_list(depth + 1, free); },
            [&] {
              if (random_.one_in(2)) together_list(depth + 1, free);
            });
      case 9: {
        ValueId lo = constant(static_cast<int64_t>(random_.below(3)));
        ValueId hi = b_.emit(OpKind::And, {agreed(), constant(3)}, kI64);
        return for_op(lo, random_.one_in(2) ? constant(3) : hi, constant(1), [&](ValueId i) {
          counters_.push_back(i);
          together_list(depth + 1, false);
          if (!b_.terminated()) agreed_exit(OpKind::Break);
          if (!b_.terminated()) agreed_exit(OpKind::Continue);
          if (!b_.terminated() && random_.one_in(2)) together_list(depth + 1, false, 2);
          counters_.pop_back();
        });
      }
      case 10:
        return while_op(b_.emit(OpKind::And, {agreed(), constant(3)}, kI64), [&] {
          together_list(depth + 1, false);
          if (!b_.terminated()) agreed_exit(random_.one_in(2) ? OpKind::Break : OpKind::Continue);
          if (!b_.terminated()) together_list(depth + 1, false, 2);
        });
      case 11:
        return scope_op([&] {
          together_list(depth + 1, false);
          if (!b_.terminated() && random_.one_in(2)) if_op(agreed_condition(), [&] { b_.leave(0); });
          if (!b_.terminated()) together_list(depth + 1, false, 2);
        });
      case 12: {  // some threads make more turns than others, but all meet at the barriers
        ValueId meet = constant(static_cast<int64_t>(1 + random_.below(3)));
        ValueId more = binary(OpKind::Add, meet, small(3));
        return for_op(constant(0), more, constant(1), [&](ValueId i) {
          if_op(
              b_.emit(OpKind::Lt, {i, meet}, kBool), [&] { together_list(depth + 1, false, 2); },
              [&] {
                apart_list(3, {1, 0});
              });
          if (!b_.terminated() && random_.one_in(3)) apart_list(3, {0, 0});
        });
      }
      case 13:  // swap two variables across a barrier
        return for_op(constant(0), b_.emit(OpKind::And, {agreed(), constant(3)}, kI64), constant(1),
                      [&](ValueId) {
                        ValueId a = get(vars_[0]), c = get(vars_[2]);
                        b_.emit_void(OpKind::Barrier);
                        b_.emit_void(OpKind::Set, {vars_[0], c});
                        b_.emit_void(OpKind::Set, {vars_[2], a});
                      });
      case 14:
        if (!free || depth > 0) return simple();
        return if_op(
            value(kBool), [&] { together_list(depth + 1, true); }, [&] { apart_list(2, {}); });
      default:
        if (!free || depth > 0) return exchange();
        return for_op(constant(0), constant(4), constant(1), [&](ValueId) {
          together_list(depth + 1, false, 2);
          if (!b_.terminated()) if_op(value(kBool), [&] { simple(), b_.emit_void(OpKind::Break); });
          if (!b_.terminated()) together_list(depth + 1, false, 2);
        });
    }
  }

  Random random_;
  Builder b_;
  bool divergent_;
  ValueId out_, opaque_, linear_, threads_, row_, zero_, shared_, sums_, local_;
  std::vector<ValueId> values_, vars_, counters_;
};

}  // namespace

ir::Module random_kernel(uint64_t seed, bool divergent) {
  ir::Module module;
  module.functions.resize(1);
  module.entry().name = "main";
  module.entry().is_kernel = true;
  module.entry().float_mode.contract = false;
  Generator(seed, module, module.entry(), divergent).run();
  return module;
}

}  // namespace lanewise::fuzz
