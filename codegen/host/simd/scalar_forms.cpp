#include "codegen/host/simd/scalar_forms.h"

#include <algorithm>

#include "codegen/host/simd/lanes.h"

namespace lanewise::codegen::host {
namespace {

using ir::OpKind;
using ir::ValueId;

// In the order of the text: what a loop carries and what an `if` gives counts as a vector.
class FormFinder {
 public:
  FormFinder(const ir::Function& kernel, const BlockShape& block)
      : f_(kernel), tree_(kernel), forms_(kernel.values.size(), Form::Vector) {
    bool table = layout_of(block) == ThreadLayout::Table && block[0] * block[1] * block[2] > int64_t{kGang};
    thread_ = table ? Form::Vector : Form::Line;
  }

  std::vector<bool> run() {
    for (ValueId v : f_.params()) forms_[v.index] = Form::Uniform;
    region(f_.body);
    std::vector<bool> scalar;
    for (Form form : forms_) scalar.push_back(form != Form::Vector);
    return scalar;
  }

 private:
  enum class Form { Uniform, Line, Vector };

  Form of(ValueId v) const { return forms_[v.index]; }

  void region(ir::RegionId id) {
    for (ir::OpId op : f_.regions[id].ops) visit(f_.ops[op]);
  }

  void visit(const ir::Op& op) {
    if (op.kind == OpKind::For && of(op.operands[2]) == Form::Uniform)
      forms_[f_.regions[op.regions[0]].params[0].index] = of(op.operands[0]);
    for (ir::RegionId inner : op.regions) region(inner);
    if (op.results.size() == 1 && op.regions.empty()) forms_[op.results[0].index] = form(op);
  }

  Form form(const ir::Op& op) const {
    bool uniform = true;
    for (ValueId v : op.operands) uniform = uniform && of(v) == Form::Uniform;
    switch (op.kind) {
      case OpKind::ThreadIdX:
      case OpKind::ThreadIdY:
      case OpKind::ThreadIdZ: return thread_;
      case OpKind::LaneId: return Form::Line;
      case OpKind::Const: return Form::Uniform;
      case OpKind::Add:
      case OpKind::Sub: return std::max(of(op.operands[0]), of(op.operands[1]));
      case OpKind::Neg: return of(op.operands[0]);
      case OpKind::Mul:
        if (of(op.operands[1]) == Form::Uniform) return of(op.operands[0]);
        return of(op.operands[0]) == Form::Uniform ? of(op.operands[1]) : Form::Vector;
      case OpKind::Cast:
        return f_.type(op.operands[0]).is_int() && f_.type(op.results[0]).is_int() ? of(op.operands[0])
               : uniform                                                           ? Form::Uniform
                                                                                   : Form::Vector;
      case OpKind::Select:
        if (uniform) return Form::Uniform;
        return counts_from_end(op) ? of(op.operands[2]) : Form::Vector;
      default: break;
    }
    bool pure = ir::info(op.kind).effect == ir::Effect::None;
    return pure && uniform ? Form::Uniform : Form::Vector;
  }

  // select(number < 0, number + n, number): see gang_index.cpp
  bool counts_from_end(const ir::Op& select) const {
    ValueId number = select.operands[2];
    const ir::Op *test = definition(select.operands[0]), *added = definition(select.operands[1]);
    return test && test->kind == OpKind::Lt && test->operands[0] == number &&
           of(test->operands[1]) == Form::Uniform && added && added->kind == OpKind::Add &&
           of(added->results[0]) == of(number) &&
           (added->operands[0] == number || added->operands[1] == number);
  }
  const ir::Op* definition(ValueId v) const {
    ir::OpId id = tree_.definition(v);
    return id.valid() ? &f_.ops[id] : nullptr;
  }

  const ir::Function& f_;
  Tree tree_;
  Form thread_ = Form::Line;
  std::vector<Form> forms_;
};

constexpr double kTurns = 8;  // of a loop

class IntegerCost {
 public:
  IntegerCost(const ir::Function& kernel, const BlockShape& block)
      : f_(kernel), scalar_(scalar_forms(kernel, block)), only_index_(kernel.values.size(), true) {
    for (const ir::Op& op : kernel.ops)
      for (size_t i = 0; i < op.operands.size(); ++i)
        if (i != 1 || !(ir::is_load(op.kind) || ir::is_store(op.kind)))
          only_index_[op.operands[i].index] = false;
  }

  double region(ir::RegionId id) const {
    double total = carried(f_.regions[id].params);
    for (ir::OpId child : f_.regions[id].ops) {
      const ir::Op& op = f_.ops[child];
      bool loop = op.kind == OpKind::For || op.kind == OpKind::While;
      for (ir::RegionId inner : op.regions) total += (loop ? kTurns : 1) * region(inner);
      total += op.regions.empty() ? own(op) : carried(op.results);
    }
    return total;
  }

 private:
  bool is_vector(ValueId v) const { return !scalar_[v.index] && f_.type(v).is_int(); }
  double width(ValueId v) const { return f_.type(v).bits == 64 ? 2 : 1; }
  double carried(const std::vector<ValueId>& values) const {
    double total = 0;
    for (ValueId v : values)
      if (is_vector(v)) total += width(v);
    return total;
  }

  double own(const ir::Op& op) const {
    if (op.results.size() != 1 || ir::info(op.kind).effect != ir::Effect::None || op.operands.empty())
      return 0;
    ValueId result = op.results[0], first = op.operands[op.kind == OpKind::Select ? 1 : 0];
    bool from_vector = is_vector(first), to_vector = is_vector(result);
    if (op.kind == OpKind::Cast) {
      bool same = to_vector && f_.type(first).bits == f_.type(result).bits;
      if (!from_vector || same || (to_vector && only_index_[result.index])) return 0;
      return 1.5 * std::max(width(first), to_vector ? width(result) : 1);
    }
    if (op.kind >= OpKind::Eq && op.kind <= OpKind::Ge)
      return is_vector(op.operands[0]) || is_vector(op.operands[1]) ? width(first) : 0;
    if (!to_vector) return 0;
    bool wide = f_.type(result).bits == 64;
    switch (op.kind) {
      case OpKind::Mul: return wide ? 6 : 2;
      case OpKind::FloorDiv:
      case OpKind::FloorMod: return wide ? 20 : 8;
      default: return width(result);
    }
  }

  const ir::Function& f_;
  std::vector<bool> scalar_, only_index_;
};

}  // namespace

double vector_integer_cost(const ir::Function& kernel, const BlockShape& block) {
  return IntegerCost(kernel, block).region(kernel.body);
}

std::vector<bool> scalar_forms(const ir::Function& kernel, const BlockShape& block) {
  return FormFinder(kernel, block).run();
}

}  // namespace lanewise::codegen::host
