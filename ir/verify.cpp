// The verifier: is a Module what every pass and back end may rely on? An error is a fault of the compiler.
//
// Module
//   - There is a function. Names are not empty and all different. Only the first may be a kernel.
//   - A data array has scalar elements and a whole number of them.
// Function
//   - A kernel has no results. Params and results are scalars or pointers, of the widths that exist.
//   - The parent of a call site comes before it; an op's call site exists.
// Structure
//   - Every id is in its table. A region is owned once, an op stands in one place, a value is defined once.
//     What nothing owns any more (passes leave it behind) is not looked at.
//   - Regions are nested at most kMaxRegionDepth deep (text.h).
//   - A region's last op is a terminator, and no other is.
//   - A value is used only after its definition, in the same region or one nested in a later op of it.
//     Params are defined in the whole of their region; an op's results are not defined in its own regions.
// Ops
//   - Operands and results fit the row of ops.def. Region counts are those of the row's labels.
//   - A var<> is the result of `var` and used by `get` and `set` only.
//   - An immediate is there exactly for const (canonical for its type, literal.h), data (an array of the
//   module
//     with the pointer's element), print and report (a message of the module), shared_array and local_array
//     (1 .. 2**31 - 1 elements), leave (>= 0) and inline_ptx (a text of the module that names all results and
//     operands, of 16, 32 or 64 bits); on atomics and fence it is their order, if not relaxed of the device.
//   - Spaces: data gives const, shared_array and dynamic_shared give shared, local_array gives local,
//   space_cast
//     gives generic, offset and ptr_cast keep their operand's. Stores and atomics do not go to const.
//   - Atomics: elements as atomics.h says. bitcast keeps the width.
//   - A call names a function of the module that is no kernel; argument and result types are the function's.
// Control
//   - if: no params; both regions yield the result types.
//   - for: carried operands, region params after the counter, and results have the same types; the counter's
//   type
//     is the bounds'; the region yields the next carried values.
//   - while: `cond` has params of the operand types and yields a bool and the result types; `do` has params
//   of
//     the result types and yields the operand types.
//   - scope: no params; its region yields the result types.
//   - continue gives what the nearest loop's `do` yields, break what the loop results in; neither stands in a
//     `cond` without a loop of its own. leave names an enclosing scope and gives its results. return gives
//     the function's results. The body of a function does not yield.
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ir/atomics.h"
#include "ir/format.h"
#include "ir/inline_ptx.h"
#include "ir/ir.h"
#include "ir/literal.h"
#include "ir/memory_order.h"
#include "ir/signature.h"
#include "ir/text.h"

namespace lanewise::ir {
namespace {

using Types = std::vector<Type>;

bool is_value_type(Type type) {
  if (type.is_var() || type.is_void()) return false;
  switch (type.kind) {
    case Type::Kind::Void: return false;
    case Type::Kind::Bool: return type.bits == 1;
    case Type::Kind::Int:
    case Type::Kind::UInt: return type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64;
    case Type::Kind::BFloat: return type.bits == 16;
    case Type::Kind::Float: return type.bits == 16 || type.bits == 32 || type.bits == 64;
  }
  return false;
}

std::string type_list(const Types& types) {
  std::string out = "(";
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) out += ", ";
    out += to_string(types[i]);
  }
  return out + ")";
}

Types tail(const Types& types, size_t from) {
  return {types.begin() + static_cast<std::ptrdiff_t>(from), types.end()};
}

// Checks one function. Every check returns whether it holds; the first that does not leaves its message.
class FunctionVerifier {
 public:
  FunctionVerifier(const Function& function, const Module& module)
      : function_(function),
        module_(module),
        value_states_(function.values.size(), State::Undefined),
        op_seen_(function.ops.size()),
        region_seen_(function.regions.size()) {}

  std::optional<VerifyError> run() {
    if (signature() && call_sites() && walk()) return std::nullopt;
    return VerifyError{"@" + function_.name + ": " + message_};
  }

 private:
  enum class State : uint8_t { Undefined, Visible, OutOfScope };
  // A region that is being walked: which one it is of its owner (null for the body), and how far it is.
  struct Place {
    const Op* owner;
    size_t index;
    RegionId region;
    size_t scope;  // how many values were visible before it
    size_t next_op = 0, next_region = 0;
  };

  // `message` is made only when needed: checking is on the way of every compile.
  bool fail(std::string message) {
    if (message_.empty()) message_ = std::move(message);
    return false;
  }
  bool fail(OpId op, const std::string& message) {
    std::string whole = "`";
    return fail(whole.append(print_op(function_, module_, op)).append("`: ").append(message));
  }

  Type type(ValueId value) const { return function_.type(value); }
  Types types(const std::vector<ValueId>& values) const {
    Types out;
    for (ValueId value : values) out.push_back(type(value));
    return out;
  }

  bool signature() {
    if (function_.body.index >= function_.regions.size()) return fail("has no body");
    if (function_.is_kernel && !function_.results.empty()) return fail("a kernel has results");
    for (Type result : function_.results)
      if (!is_value_type(result)) return fail("has a result of type " + to_string(result));
    return true;
  }

  bool call_sites() {
    for (size_t i = 0; i < function_.call_sites.size(); ++i) {
      uint32_t parent = function_.call_sites[i].parent;
      if (parent != kNoCallSite && parent >= i)
        return fail("call site " + std::to_string(i) + " comes before its parent");
    }
    return true;
  }

  bool define(ValueId value) {
    if (value.index >= value_states_.size()) return fail("a definition of a value that is in no table");
    State& state = value_states_[value.index];
    if (state != State::Undefined)
      return fail("a second definition of value %" + function_.values[value].name);
    state = State::Visible;
    scope_.push_back(value);
    return true;
  }

  // Walks the tree without recursion: this runs on whatever the passes made of the deepest legal text.
  bool walk() {
    if (!enter(nullptr, 0, function_.body)) return false;
    while (!places_.empty()) {
      Place& at = places_.back();
      const std::vector<OpId>& ops = function_.regions[at.region].ops;
      if (at.next_op == ops.size()) {
        leave();
        continue;
      }
      OpId id = ops[at.next_op];
      if (at.next_region == 0 && !check(id, at.next_op + 1 == ops.size())) return false;
      const Op& op = function_.ops[id];
      if (at.next_region < op.regions.size()) {
        size_t region = at.next_region++;
        if (!takes(id, op, region) || !enter(&op, region, op.regions[region])) return false;
        continue;
      }
      for (ValueId result : op.results)
        if (!define(result)) return false;
      at.next_region = 0;
      ++at.next_op;
    }
    return true;
  }

  bool enter(const Op* owner, size_t index, RegionId id) {
    if (id.index >= region_seen_.size()) return fail("a region is in no table");
    if (region_seen_[id.index]) return fail("a region is owned twice");
    region_seen_[id.index] = true;
    if (places_.size() >= kMaxRegionDepth) return fail("regions are nested too deep");
    const Region& region = function_.regions[id];
    places_.push_back({owner, index, id, scope_.size()});
    for (ValueId param : region.params) {
      if (!define(param)) return false;
      if (!is_value_type(type(param))) return fail("a region param has type " + to_string(type(param)));
    }
    return !region.ops.empty() || fail("a region is empty");
  }

  void leave() {
    size_t outer = places_.back().scope;
    for (size_t i = outer; i < scope_.size(); ++i) value_states_[scope_[i].index] = State::OutOfScope;
    scope_.resize(outer);
    places_.pop_back();
  }

  // All of an op but its regions.
  bool check(OpId id, bool last) {
    if (id.index >= op_seen_.size()) return fail("an op is in no table");
    const Op& op = function_.ops[id];
    if (op_seen_[id.index]) return fail(id, "stands in two places");
    op_seen_[id.index] = true;
    if (is_terminator(op.kind) && !last) return fail(id, "a terminator is not the last op of its region");
    if (!is_terminator(op.kind) && last) return fail(id, "the last op of a region is no terminator");
    if (op.call_site != kNoCallSite && op.call_site >= function_.call_sites.size())
      return fail(id, "has a call site that does not exist");
    if (!uses(id, op)) return false;
    for (ValueId result : op.results)
      if (result.index >= value_states_.size()) return fail(id, "defines a value that is in no table");
    if (!row(id, op) || !immediate(id, op) || !rules(id, op)) return false;
    return !is_terminator(op.kind) || terminator(id, op);
  }

  bool uses(OpId id, const Op& op) {
    for (ValueId operand : op.operands) {
      if (operand.index >= value_states_.size()) return fail(id, "uses a value that is in no table");
      switch (value_states_[operand.index]) {
        case State::Visible: break;
        case State::Undefined: return fail(id, "uses a value before its definition");
        case State::OutOfScope: return fail(id, "uses a value outside the region that defines it");
      }
      if (type(operand).is_var() && op.kind != OpKind::Get && op.kind != OpKind::Set)
        return fail(id, "only get and set take a var");
    }
    return true;
  }

  // The row of ops.def.
  bool row(OpId id, const Op& op) {
    const OpInfo& about = info(op.kind);
    const Signature& signature = about.signature;
    bool good = op.operands.size() == signature.operand_count ||
                (signature.more_operands && op.operands.size() > signature.operand_count);
    SignatureMatcher matcher;
    for (size_t i = 0; good && i < signature.operand_count; ++i)
      good = matcher.match(signature.operands[i], type(op.operands[i]));
    if (!signature.more_results) {
      good = good && op.results.size() == (signature.has_result ? 1u : 0u);
      if (good && signature.has_result) good = matcher.match(signature.result, type(op.results[0]));
    }
    if (!good)
      return fail(id, "expects " + std::string(about.signature_text) + ", got " +
                          type_list(types(op.operands)) + " -> " + type_list(types(op.results)));
    for (ValueId result : op.results) {
      Type t = type(result);
      bool is_var = op.kind == OpKind::Var && t.is_var() && is_value_type(t.value());
      if (!is_var && !is_value_type(t)) return fail(id, "has a result of type " + to_string(t));
    }
    size_t regions = about.regions.empty() ? 0 : 1;
    for (char c : about.regions) regions += c == ',';
    if (op.regions.size() != regions)
      return fail(id, "has " + std::to_string(op.regions.size()) + " regions");
    if ((op.kind == OpKind::Call) != op.callee.valid())
      return fail(id, "a callee goes with a call and nothing else");
    return true;
  }

  bool immediate(OpId id, const Op& op) {
    auto* integer = std::get_if<int64_t>(&op.immediate);
    auto within = [&](int64_t low, int64_t high) {
      return (integer && *integer >= low && *integer <= high) ||
             fail(id, "has no immediate, or one out of range");
    };
    if (op.kind == OpKind::Const)
      return is_literal(type(op.results[0]), op.immediate) ||
             fail(id, "the immediate is no literal of the type");
    if (op.kind == OpKind::SharedArray || op.kind == OpKind::LocalArray) return within(1, INT32_MAX);
    if (op.kind == OpKind::Leave) return within(0, INT32_MAX);
    if (op.kind == OpKind::Print || op.kind == OpKind::Report)
      return within(0, static_cast<int64_t>(module_.messages.size()) - 1) && message(id, op);
    if (op.kind == OpKind::CallExternal)
      return within(0, static_cast<int64_t>(module_.externals.size()) - 1) && external(id, op);
    if (op.kind == OpKind::Data) {
      if (!within(0, static_cast<int64_t>(module_.data.size()) - 1)) return false;
      Type element = module_.data[static_cast<size_t>(*integer)].element;
      return type(op.results[0]).element() == element ||
             fail(id, "the array's elements are " + to_string(element));
    }
    if (op.kind == OpKind::InlinePtx)
      return within(0, static_cast<int64_t>(module_.ptx.size()) - 1) && inline_ptx(id, op);
    if (has_order(op.kind)) {
      if (integer && !within(0, kOrderings - 1)) return false;
      if (integer && immediate_of(ordering_of(op)) != op.immediate)
        return fail(id, "the usual order is written out");
      return order_fits(op.kind, ordering_of(op).order) || fail(id, "has an order that is not for it");
    }
    return std::holds_alternative<std::monostate>(op.immediate) || fail(id, "has an immediate");
  }

  bool inline_ptx(OpId id, const Op& op) {
    const PtxText& ptx = module_.ptx[static_cast<size_t>(std::get<int64_t>(op.immediate))];
    auto pieces = split_ptx(ptx.text, op.results.size() + op.operands.size());
    if (auto* error = std::get_if<PtxTextError>(&pieces)) return fail(id, error->message);
    for (ValueId v : op.operands)
      if (!is_ptx_value(type(v)) && !type(v).is_pointer())
        return fail(id, "an operand of type " + to_string(type(v)));
    for (ValueId v : op.results)
      if (!is_ptx_value(type(v))) return fail(id, "a result of type " + to_string(type(v)));
    return true;
  }

  // The operands are what the message has fields for.
  bool message(OpId id, const Op& op) {
    const Message& message = module_.messages[static_cast<size_t>(std::get<int64_t>(op.immediate))];
    if (message.exception.empty() != (op.kind == OpKind::Print))
      return fail(id, "a report names an exception, a print does not");
    std::optional<std::vector<FormatPiece>> pieces = split_format(message.format);
    if (!pieces) return fail(id, "the message's format cannot be read");
    size_t fields = 0;
    for (const FormatPiece& piece : *pieces) {
      if (!piece.field) continue;
      if (fields >= op.operands.size() || !can_format(type(op.operands[fields]), piece.spec))
        return fail(id, "the operands do not fit the message");
      ++fields;
    }
    return fields == op.operands.size() || fail(id, "the operands do not fit the message");
  }

  // What the row cannot say.
  bool rules(OpId id, const Op& op) {
    if (is_atomic(op.kind)) return atomic(id, op);
    auto in_space = [&](Space space) {
      return type(op.results[0]).space == space ||
             fail(id, "gives a pointer in " + std::string(to_string(space)));
    };
    if (op.kind == OpKind::Data) return in_space(Space::Constant);
    if (op.kind == OpKind::SharedArray || op.kind == OpKind::DynamicShared) return in_space(Space::Shared);
    if (op.kind == OpKind::LocalArray) return in_space(Space::Local);
    if (op.kind == OpKind::SpaceCast) return in_space(Space::Generic);
    if (op.kind == OpKind::Offset || op.kind == OpKind::PtrCast) return in_space(type(op.operands[0]).space);
    if (is_store(op.kind))
      return type(op.operands[0]).space != Space::Constant || fail(id, "writes to const memory");
    if (op.kind == OpKind::Bitcast)
      return type(op.operands[0]).bits == type(op.results[0]).bits || fail(id, "changes the width");
    if (op.kind == OpKind::For)
      return carried(op) == types(op.results) ||
             fail(id,
                  "carries " + type_list(carried(op)) + " and results in " + type_list(types(op.results)));
    if (op.kind == OpKind::Call) return call(id, op);
    return true;
  }

  bool atomic(OpId id, const Op& op) {
    Type element = type(op.operands[0]).element();
    if (!atomic_works_on(op.kind, element)) return fail(id, "an atomic on " + to_string(element));
    return type(op.operands[0]).space != Space::Constant || fail(id, "writes to const memory");
  }

  bool external(OpId id, const Op& op) {
    for (ValueId result : op.results)
      if (!type(result).is_scalar())
        return fail(id, "an external function returns " + to_string(type(result)));
    return true;
  }

  bool call(OpId id, const Op& op) {
    if (op.callee.index >= module_.functions.size())
      return fail(id, "calls a function that is not in the module");
    const Function& callee = module_[op.callee];
    if (callee.is_kernel) return fail(id, "calls a kernel");
    if (callee.body.index >= callee.regions.size()) return fail(id, "calls a function without a body");
    Types wanted;
    for (ValueId param : callee.params()) {
      if (param.index >= callee.values.size())
        return fail(id, "calls a function whose params are in no table");
      wanted.push_back(callee.type(param));
    }
    if (types(op.operands) != wanted) return fail(id, "the function takes " + type_list(wanted));
    return types(op.results) == callee.results ||
           fail(id, "the function returns " + type_list(callee.results));
  }

  // Whether the params of a region are what its op hands it.
  bool takes(OpId id, const Op& op, size_t index) {
    if (op.regions[index].index >= function_.regions.size()) return fail(id, "a region is in no table");
    Types params;
    for (ValueId param : function_.regions[op.regions[index]].params) {
      if (param.index >= value_states_.size()) return fail(id, "a region param is in no table");
      params.push_back(type(param));
    }
    Types wanted = region_params(op, index);
    return params == wanted ||
           fail(id, "a region takes " + type_list(params) + " instead of " + type_list(wanted));
  }

  // The types that a loop hands from turn to turn.
  Types carried(const Op& loop) const { return tail(types(loop.operands), loop.kind == OpKind::For ? 3 : 0); }

  Types region_params(const Op& op, size_t region) const {
    if (op.kind == OpKind::For) return tail(types(op.operands), 2);  // the counter has the step's type
    if (op.kind == OpKind::While) return region == 0 ? types(op.operands) : types(op.results);
    return {};
  }

  Types yielded(const Place& place) const {
    const Op& owner = *place.owner;
    if (owner.kind == OpKind::For) return carried(owner);
    if (owner.kind != OpKind::While) return types(owner.results);
    if (place.index == 1) return types(owner.operands);
    Types out{kBool};
    for (ValueId result : owner.results) out.push_back(type(result));
    return out;
  }

  bool terminator(OpId id, const Op& op) {
    Types wanted;
    if (op.kind == OpKind::Return) {
      wanted = function_.results;
    } else if (op.kind == OpKind::Yield) {
      if (!places_.back().owner) return fail(id, "the body of a function does not yield");
      wanted = yielded(places_.back());
    } else if (op.kind == OpKind::Break || op.kind == OpKind::Continue) {
      const Place* loop = nearest_loop();
      if (!loop) return fail(id, "is in no loop");
      if (loop->owner->kind == OpKind::While && loop->index == 0)
        return fail(id, "is in the condition of its loop");
      wanted = op.kind == OpKind::Break ? types(loop->owner->results) : yielded(*loop);
    } else if (op.kind == OpKind::Leave) {
      const Op* scope = enclosing_scope(std::get<int64_t>(op.immediate));
      if (!scope) return fail(id, "is in no such scope");
      wanted = types(scope->results);
    }
    return types(op.operands) == wanted ||
           fail(id, "must give " + type_list(wanted) + ", gives " + type_list(types(op.operands)));
  }

  const Place* nearest_loop() const {
    for (auto place = places_.rbegin(); place != places_.rend() && place->owner; ++place)
      if (place->owner->kind == OpKind::For || place->owner->kind == OpKind::While) return &*place;
    return nullptr;
  }

  const Op* enclosing_scope(int64_t skip) const {
    for (auto place = places_.rbegin(); place != places_.rend() && place->owner; ++place)
      if (place->owner->kind == OpKind::Scope && skip-- == 0) return place->owner;
    return nullptr;
  }

  const Function& function_;
  const Module& module_;
  std::vector<State> value_states_;
  std::vector<bool> op_seen_, region_seen_;
  std::vector<ValueId> scope_;  // visible values, innermost region last
  std::vector<Place> places_;   // the regions around the current op, the body first
  std::string message_;
};

}  // namespace

std::optional<VerifyError> verify(const Module& module) {
  if (module.functions.empty()) return VerifyError{"the module has no function"};
  for (const DataArray& array : module.data) {
    if (!is_value_type(array.element) || !array.element.is_scalar())
      return VerifyError{"a data array has elements of type " + to_string(array.element)};
    if (array.bytes.size() % array.element.element_size() != 0)
      return VerifyError{"a data array ends in the middle of an element"};
  }
  std::unordered_set<std::string_view> names;
  for (const Function& function : module.functions) {
    if (function.name.empty()) return VerifyError{"a function has no name"};
    if (!names.insert(function.name).second) return VerifyError{"two functions are called @" + function.name};
    if (function.is_kernel && &function != &module.functions.front())
      return VerifyError{"@" + function.name + ": a kernel is not the first function"};
  }
  for (const Function& function : module.functions)
    if (auto error = FunctionVerifier(function, module).run()) return error;
  return std::nullopt;
}

}  // namespace lanewise::ir
