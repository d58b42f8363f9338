// Builder: appends ops to a region of a function. The convenient way for the front end, passes and tests to
// make IR. It keeps the place (region, source range, call site) so that callers name only what differs.
//
//   Builder b(module, function);
//   ValueId n = b.param(kI32, "n");
//   ValueId twice = b.emit(OpKind::Mul, {n, b.const_int(kI32, 2)});
//   RegionId then = b.new_region(), otherwise = b.new_region();
//   { Builder::Inside in(b, then);      b.emit_void(OpKind::Yield, {twice}); }
//   { Builder::Inside in(b, otherwise); b.emit_void(OpKind::Yield, {n}); }
//   ValueId r = b.result(b.emit_control(OpKind::If, {condition}, {then, otherwise}, {kI32}));
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/function.h"

namespace lanewise::ir {

class Builder {
 public:
  // Appends to the end of the function's body, which is made if there is none yet. Keeps references: no
  // function may be added to the module as long as the builder lives.
  Builder(Module& module, Function& function);

  Function& function() { return function_; }
  Module& module() { return module_; }

  // --- the place
  RegionId region() const { return region_; }
  void set_region(RegionId region) { region_ = region; }
  SourceRange range() const { return range_; }
  void set_range(SourceRange range) { range_ = range; }
  void set_call_site(uint32_t site) { call_site_ = site; }
  // Appends to another region as long as this lives.
  class Inside {
   public:
    Inside(Builder& builder, RegionId region) : builder_(builder), before_(builder.region_) {
      builder.region_ = region;
    }
    ~Inside() { builder_.region_ = before_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Builder& builder_;
    RegionId before_;
  };
  // Whether the region already ends in a terminator: nothing may follow.
  bool terminated() const;

  // --- values
  Type type(ValueId value) const { return function_.values[value].type; }
  // A further parameter of the function.
  ValueId param(Type type, std::string name = {});
  // A literal of a scalar type; wrapped or rounded into the type. Not shared between calls.
  ValueId constant(Type type, Immediate value);
  ValueId const_int(Type type, int64_t value) { return constant(type, value); }
  ValueId const_float(Type type, double value) { return constant(type, value); }

  // --- ops. `name` is the hint that printing makes unique.
  ValueId emit(OpKind kind, std::vector<ValueId> operands, Type result, std::string name = {});
  // As above where the operands decide the result's type: result_type().
  ValueId emit(OpKind kind, std::vector<ValueId> operands);
  // The value converted to a scalar type; itself if it has that type.
  ValueId cast(ValueId value, Type to);
  // SharedArray, LocalArray: `count` elements. Data: the index. The result is a pointer.
  ValueId emit_immediate(OpKind kind, int64_t immediate, Type result, std::string name = {});
  ValueId var(Type held, std::string name = {});
  // Any number of results, and an immediate.
  std::vector<ValueId> emit_many(OpKind kind, std::vector<ValueId> operands, const std::vector<Type>& results,
                                 Immediate immediate);
  // Ops without results: store, set, barrier and the terminators. `immediate` is for Leave (0 if left out).
  OpId emit_void(OpKind kind, std::vector<ValueId> operands = {}, Immediate immediate = {});
  OpId leave(int64_t scopes_to_skip, std::vector<ValueId> operands = {});
  // If, For, While, Scope. Results have the given types; see results().
  OpId emit_control(OpKind kind, std::vector<ValueId> operands, std::vector<RegionId> regions,
                    const std::vector<Type>& results = {});
  std::vector<ValueId> call(FunctionId callee, std::vector<ValueId> arguments);
  // `index` into Module::externals.
  std::vector<ValueId> call_external(uint32_t index, std::vector<ValueId> arguments,
                                     const std::vector<Type>& results);

  // --- regions
  // An empty region that an op to come will own. Names are hints for the params, may be fewer.
  RegionId new_region(const std::vector<Type>& params = {}, const std::vector<std::string>& names = {});
  const std::vector<ValueId>& params(RegionId region) const { return function_.regions[region].params; }

  const std::vector<ValueId>& results(OpId op) const { return function_.ops[op].results; }
  // The only result of an op.
  ValueId result(OpId op) const;

 private:
  OpId append(Op op);
  ValueId new_value(Type type, std::string name);

  Module& module_;
  Function& function_;
  RegionId region_;
  SourceRange range_;
  uint32_t call_site_ = kNoCallSite;
};

// The result type that ops.def gives an op on operands of these types; nullopt if they do not fit the
// signature, or if it leaves the result open (const, cast, calls, control).
std::optional<Type> result_type(OpKind kind, std::span<const Type> operands);

}  // namespace lanewise::ir
