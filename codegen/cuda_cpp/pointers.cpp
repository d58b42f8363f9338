#include "codegen/cuda_cpp/pointers.h"

#include "codegen/cuda_cpp/places.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpId;
using ir::OpKind;
using ir::ValueId;

namespace {

class Finder {
 public:
  explicit Finder(const ir::Module& module) : m_(module) {
    for (const ir::Function& function : module.functions) written_.emplace_back(function.values.size());
  }

  std::vector<std::vector<bool>> run() {
    do {
      changed_ = false;
      for (size_t i = m_.functions.size(); i-- > 0;) {
        f_ = &m_.functions[i];
        marks_ = &written_[i];
        loops_.clear(), scopes_.clear();
        region(f_->body, nullptr);
      }
    } while (changed_);
    return std::move(written_);
  }

 private:
  void mark(ValueId v) {
    if (!f_->type(v).is_pointer() || (*marks_)[v.index]) return;
    (*marks_)[v.index] = true;
    changed_ = true;
  }
  void flow(ValueId from, ValueId to) {
    if ((*marks_)[to.index]) mark(from);
  }
  void flow(const std::vector<ValueId>& from, size_t skip_from, const std::vector<ValueId>& to,
            size_t skip_to) {
    for (size_t i = 0; i + skip_from < from.size() && i + skip_to < to.size(); ++i)
      flow(from[i + skip_from], to[i + skip_to]);
  }

  // `target`: what the region yields to.
  void region(ir::RegionId id, const ir::Op* target) {
    const std::vector<OpId>& ops = f_->regions[id].ops;
    for (size_t i = ops.size(); i-- > 0;) one(f_->ops[ops[i]], id, target);
  }

  void one(const ir::Op& op, ir::RegionId id, const ir::Op* target) {
    if (ir::is_store(op.kind) || ir::is_atomic(op.kind)) return mark(op.operands[0]);
    switch (op.kind) {
      case OpKind::Offset:
      case OpKind::PtrCast:
      case OpKind::SpaceCast: return flow(op.operands[0], op.results[0]);
      case OpKind::Select: flow(op.operands[1], op.results[0]); return flow(op.operands[2], op.results[0]);
      case OpKind::Call: {
        const std::vector<bool>& callee = written_[op.callee.index];
        const auto& params = m_[op.callee].params();
        for (size_t i = 0; i < params.size(); ++i)
          if (callee[params[i].index]) mark(op.operands[i]);
        return;
      }
      case OpKind::Return:
        for (ValueId v : op.operands) mark(v);  // the result's type is that of pointers that may be written
        return;
      case OpKind::If:
        for (ir::RegionId arm : op.regions) region(arm, &op);
        return;
      case OpKind::Scope:
        scopes_.push_back(&op);
        region(op.regions[0], &op);
        scopes_.pop_back();
        return;
      case OpKind::For:
      case OpKind::While: return loop(op);
      case OpKind::Continue: return flow(op.operands, 0, carried(*loops_.back()), first(*loops_.back()));
      case OpKind::Break: return flow(op.operands, 0, loops_.back()->results, 0);
      case OpKind::Leave: {
        auto further = static_cast<size_t>(std::get<int64_t>(op.immediate));
        return flow(op.operands, 0, scopes_[scopes_.size() - 1 - further]->results, 0);
      }
      case OpKind::Yield: return yield(op, id, *target);
      default: return;
    }
  }

  const std::vector<ValueId>& carried(const ir::Op& loop) const {
    return f_->regions[loop.regions[0]].params;
  }
  static size_t first(const ir::Op& loop) { return loop.kind == OpKind::For ? 1 : 0; }

  void loop(const ir::Op& op) {
    const auto& last = f_->regions[op.regions.back()].params;  // one with the results
    flow(last, first(op), op.results, 0);
    flow(op.results, 0, last, first(op));
    loops_.push_back(&op);
    for (size_t i = op.regions.size(); i-- > 0;) region(op.regions[i], &op);
    loops_.pop_back();
    flow(op.operands, op.kind == OpKind::For ? 3 : 0, carried(op), first(op));
  }

  void yield(const ir::Op& op, ir::RegionId id, const ir::Op& target) {
    bool is_loop = target.kind == OpKind::For || target.kind == OpKind::While;
    if (!is_loop) return flow(op.operands, 0, target.results, 0);
    bool decides = target.kind == OpKind::While && id == target.regions[0];
    if (decides) return flow(op.operands, 1, f_->regions[target.regions[1]].params, 0);
    flow(op.operands, 0, carried(target), first(target));
  }

  const ir::Module& m_;
  const ir::Function* f_ = nullptr;
  std::vector<bool>* marks_ = nullptr;
  std::vector<std::vector<bool>> written_;
  std::vector<const ir::Op*> loops_, scopes_;
  bool changed_ = false;
};

}  // namespace

std::vector<std::vector<bool>> written_pointers(const ir::Module& module) { return Finder(module).run(); }

}  // namespace lanewise::codegen::cuda_cpp
