// The end of a thread becomes a return. A kernel returns; a device function that was not inlined returns
// zeros and, as a further result, that the thread has ended, and its caller does the same after the call.
//
//   function @f(%x: i32) -> i32 {        function @f(%x: i32) -> i32, bool {
//     exit                                 return %zero, %true
//     ...                          ->      ...
//     return %y                            return %y, %false
//   }                                    }
//   kernel @k(%a: i32) {                 kernel @k(%a: i32) {
//     %r = call @f %a : i32                %r, %ended = call @f %a : i32, bool
//                                          if %ended then { return } else { yield }
//
// Must come after inline_calls. A device function that is the module's entry keeps its results, and its
// exits.
#include <algorithm>

#include "ir/error.h"
#include "ir/ir.h"

namespace lanewise::ir {
namespace {

class Lowering {
 public:
  explicit Lowering(Module& module) : module_(module), may_exit_(module.functions.size()) {}

  bool run() {
    find();
    if (std::ranges::find(may_exit_, true) == may_exit_.end()) return false;
    for (uint32_t f = 1; f < module_.functions.size(); ++f)
      if (may_exit_[f]) module_.functions[f].results.push_back(kBool);
    for (uint32_t f = 0; f < module_.functions.size(); ++f) {
      function_ = &module_.functions[f];
      has_status_ = f > 0;
      if (may_exit_[f]) region(function_->body);
    }
    return true;
  }

 private:
  // The functions with an exit in them, or with a call of one of these.
  void find() {
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t f = 0; f < module_.functions.size(); ++f) {
        if (may_exit_[f] || !exits(module_.functions[f], module_.functions[f].body)) continue;
        may_exit_[f] = changed = true;
      }
    }
  }

  bool exits(const Function& function, RegionId region) const {
    return std::ranges::any_of(function.regions[region].ops, [&](OpId id) {
      const Op& op = function.ops[id];
      return op.kind == OpKind::Exit || (op.kind == OpKind::Call && may_exit_[op.callee.index]) ||
             std::ranges::any_of(op.regions, [&](RegionId inner) { return exits(function, inner); });
    });
  }

  void region(RegionId id) {
    std::vector<OpId> before = std::move(function_->regions[id].ops);
    std::vector<OpId> after;
    for (OpId op_id : before) {
      Op& op = function_->ops[op_id];  // stays valid: tables keep their references
      for (RegionId inner : op.regions) region(inner);
      if (op.kind == OpKind::Exit) {
        end_thread(after, op);
      } else if (op.kind == OpKind::Return && has_status_) {
        op.operands.push_back(constant(after, op, kBool, 0));
        after.push_back(op_id);
      } else if (op.kind == OpKind::Call && may_exit_[op.callee.index]) {
        ValueId ended = function_->values.add({"ended", kBool});
        op.results.push_back(ended);
        after.push_back(op_id);
        after.push_back(check(op, ended));
      } else {
        after.push_back(op_id);
      }
    }
    function_->regions[id].ops = std::move(after);
  }

  // if %ended then { the thread ends } else { yield }
  OpId check(const Op& call, ValueId ended) {
    std::vector<OpId> then;
    end_thread(then, call);
    Op test = like(call, OpKind::If);
    test.operands = {ended};
    test.regions = {new_region(std::move(then)), new_region({function_->ops.add(like(call, OpKind::Yield))})};
    return function_->ops.add(std::move(test));
  }

  void end_thread(std::vector<OpId>& into, const Op& at) {
    bool entry_function = !has_status_ && !function_->is_kernel;
    Op end = like(at, entry_function ? OpKind::Exit : OpKind::Return);
    if (has_status_) {
      for (size_t i = 0; i + 1 < function_->results.size(); ++i)
        end.operands.push_back(nothing(into, at, function_->results[i]));
      end.operands.push_back(constant(into, at, kBool, 1));
    }
    into.push_back(function_->ops.add(std::move(end)));
  }

  // Any value of the type; nobody looks at it.
  ValueId nothing(std::vector<OpId>& into, const Op& at, Type type) {
    if (type.is_scalar()) return constant(into, at, type, 0);
    if (type.space == Space::Shared) return value(into, like(at, OpKind::DynamicShared), type);
    for (ValueId param : function_->params())
      if (function_->type(param) == type) return param;
    Op local = like(at, OpKind::LocalArray);
    local.immediate = int64_t{1};
    Type held = type.element().pointer(Space::Local);
    LANEWISE_CHECK(type.space == Space::Generic || type.space == Space::Local,
                   "a function that ends the thread returns a pointer that it was not given");
    ValueId address = value(into, std::move(local), held);
    if (type == held) return address;
    Op cast = like(at, OpKind::SpaceCast);
    cast.operands = {address};
    return value(into, std::move(cast), type);
  }

  ValueId constant(std::vector<OpId>& into, const Op& at, Type type, int64_t number) {
    Op op = like(at, OpKind::Const);
    op.immediate = type.is_float() ? Immediate(static_cast<double>(number)) : Immediate(number);
    return value(into, std::move(op), type);
  }

  ValueId value(std::vector<OpId>& into, Op op, Type type) {
    op.results = {function_->values.add({"", type})};
    ValueId result = op.results[0];
    into.push_back(function_->ops.add(std::move(op)));
    return result;
  }

  static Op like(const Op& at, OpKind kind) {
    Op op;
    op.kind = kind;
    op.range = at.range;
    op.call_site = at.call_site;
    return op;
  }

  RegionId new_region(std::vector<OpId> ops) { return function_->regions.add({{}, std::move(ops)}); }

  Module& module_;
  std::vector<bool> may_exit_;
  Function* function_ = nullptr;
  bool has_status_ = false;
};

}  // namespace

bool lower_exits(Module& module) { return Lowering(module).run(); }

}  // namespace lanewise::ir
