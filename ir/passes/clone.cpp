// See clone.h. Operands are always mapped before their uses are copied, since definitions come first.
#include "ir/passes/clone.h"

#include "ir/error.h"
#include "ir/ir.h"

namespace lanewise::ir {

void Cloner::called_at(uint32_t site) {
  called_ = true;
  site_ = site;
  first_site_ = static_cast<uint32_t>(to_.call_sites.size());
  for (CallSite inner : from_.call_sites) {
    inner.parent = inner.parent == kNoCallSite ? site : inner.parent + first_site_;
    to_.call_sites.push_back(std::move(inner));
  }
}

ValueId Cloner::define(ValueId id) { return values_[id.index] = to_.values.add(from_.values[id]); }

RegionId Cloner::region(RegionId id, bool params) {
  const Region& source = from_.regions[id];
  RegionId copy = to_.regions.add({});
  if (params)
    for (ValueId param : source.params) {
      ValueId defined = define(param);
      to_.regions[copy].params.push_back(defined);
    }
  bool outermost = nesting_++ == 0;
  for (OpId inner : source.ops) {
    OpId copied = op(inner, outermost);
    to_.regions[copy].ops.push_back(copied);
  }
  --nesting_;
  return copy;
}

OpId Cloner::op(OpId id, bool outermost) {
  Op copy = from_.ops[id];
  for (ValueId& operand : copy.operands) {
    operand = values_[operand.index];
    LANEWISE_CHECK(operand.valid(), "an operand must be copied before its use");
  }
  if (called_) copy.call_site = copy.call_site == kNoCallSite ? site_ : copy.call_site + first_site_;
  if (return_to_scope_ && copy.kind == OpKind::Return) {
    copy.kind = outermost ? OpKind::Yield : OpKind::Leave;
    if (!outermost) copy.immediate = scopes_;
  }
  bool is_scope = copy.kind == OpKind::Scope;
  scopes_ += is_scope;
  for (RegionId& nested : copy.regions) nested = region(nested);
  scopes_ -= is_scope;
  for (ValueId& result : copy.results) result = define(result);
  return to_.ops.add(std::move(copy));
}

void compact(Function& function) {
  Function fresh;
  fresh.name = std::move(function.name);
  fresh.is_kernel = function.is_kernel;
  fresh.float_mode = function.float_mode;
  fresh.results = std::move(function.results);
  fresh.call_sites = std::move(function.call_sites);
  fresh.body = Cloner(function, fresh).region(function.body);
  function = std::move(fresh);
}

}  // namespace lanewise::ir
