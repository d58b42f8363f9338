// One op for equal ops without effect, where an earlier one is visible.
//
//   %a = mul %i, %n : i64                  %a = mul %i, %n : i64
//   if %c then {                           if %c then {
//     %b = mul %i, %n : i64         ->       store %x, %a, %v
//     store %x, %b, %v                       yield
//     yield                                } else { yield }
//   } else { yield }
//
// Loads stay: memory may have changed. Shared and local arrays stay: two ops are two arrays.
#include <bit>
#include <unordered_map>

#include "ir/ir.h"
#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

// What makes two ops equal.
struct Key {
  OpKind kind;
  Type type;
  uint64_t immediate;
  FloatMode mode;  // a product that may be fused is not one that may not
  std::vector<ValueId> operands;
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  size_t operator()(const Key& key) const {
    auto type = static_cast<uint64_t>(key.type.kind) << 16 | static_cast<uint64_t>(key.type.bits) << 8 |
                static_cast<uint64_t>(key.type.space);
    uint64_t hash = mix(static_cast<uint64_t>(key.kind) << 32 ^ type, key.immediate);
    for (ValueId operand : key.operands) hash = mix(hash, operand.index);
    return hash;
  }
  static uint64_t mix(uint64_t hash, uint64_t x) {
    hash = (hash ^ x) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 29;
  }
};

bool is_commutative(OpKind kind) {
  switch (kind) {
    case OpKind::Add:
    case OpKind::Mul:
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
    case OpKind::Eq:
    case OpKind::Ne: return true;
    default: return false;
  }
}

class Eliminator {
 public:
  explicit Eliminator(Function& function) : function_(function) {}

  bool run() {
    region(function_.body);
    return changed_;
  }

 private:
  static bool may_share(OpKind kind) {
    return info(kind).effect == Effect::None && kind != OpKind::SharedArray && kind != OpKind::LocalArray &&
           kind != OpKind::Var;
  }

  void region(RegionId id) {
    std::vector<OpId> ops = std::move(function_.regions[id].ops), kept;
    size_t outer = visible_.size();
    for (OpId op : ops)
      if (one(op)) kept.push_back(op);
    for (; visible_.size() > outer; visible_.pop_back()) first_.erase(visible_.back());
    function_.regions[id].ops = std::move(kept);
  }

  bool one(OpId id) {
    Op& op = function_.ops[id];
    replaced_.resolve(op.operands);
    for (RegionId nested : op.regions) region(nested);
    if (!may_share(op.kind)) return true;
    auto [found, fresh] = first_.try_emplace(key_of(op), op.results[0]);
    if (fresh) {
      visible_.push_back(found->first);
      return true;
    }
    replaced_.add(op.results[0], found->second);
    changed_ = true;
    return false;
  }

  Key key_of(const Op& op) const {
    Key key{op.kind, function_.type(op.results[0]), 0, {}, op.operands};
    if (key.type.is_float()) key.mode = function_.float_mode_of(op);
    if (const auto* number = std::get_if<int64_t>(&op.immediate))
      key.immediate = static_cast<uint64_t>(*number);
    if (const auto* number = std::get_if<double>(&op.immediate))
      key.immediate = std::bit_cast<uint64_t>(*number);
    if (is_commutative(op.kind) && key.operands[1] < key.operands[0])
      std::swap(key.operands[0], key.operands[1]);
    return key;
  }

  Function& function_;
  std::unordered_map<Key, ValueId, KeyHash> first_;
  std::vector<Key> visible_;  // keys of first_, innermost region last
  Replacements replaced_;
  bool changed_ = false;
};

}  // namespace

bool eliminate_common_ops(Function& function) { return Eliminator(function).run(); }

}  // namespace lanewise::ir
