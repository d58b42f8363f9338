// Flattens structured regions into steps with jumps. Every value has the register of its index; each loop
// has a few more. Labels are numbered while steps are made and replaced by step indices at the end.
#include "ir/interpreter_code.h"

#include "ir/error.h"

namespace lanewise::ir::interpreter {
namespace {

constexpr uint64_t kAlignment = 64;

class Flattener {
 public:
  Flattener(const Function& function, uint64_t& shared_bytes, std::vector<OutputSite>& sites)
      : function_(function), shared_bytes_(shared_bytes), sites_(sites) {}

  Code run() {
    code_.registers = static_cast<uint32_t>(function_.values.size());
    for (ValueId param : function_.params()) {
      code_.params.push_back(param.index);
      code_.param_types.push_back(function_.type(param));
    }
    region(function_.body, Region::Body, nullptr);
    for (Step& step : code_.steps)
      if (jumps(step.kind)) step.target = labels_[step.target];
    return std::move(code_);
  }

 private:
  enum class Region : uint8_t { Body, Arm, ForBody, WhileCond, WhileBody };
  struct Loop {
    const Op* op;
    uint32_t head, end, registers;
  };
  struct Scope {
    const Op* op;
    uint32_t end;
  };

  static bool jumps(StepKind kind) {
    return kind == StepKind::Jump || kind == StepKind::JumpIfFalse || kind == StepKind::ForHead ||
           kind == StepKind::LoopNext;
  }
  uint32_t new_label() {
    labels_.push_back(0);
    return static_cast<uint32_t>(labels_.size() - 1);
  }
  void place(uint32_t label) { labels_[label] = static_cast<uint32_t>(code_.steps.size()); }
  Type type(ValueId v) const { return function_.type(v); }

  Step& add(StepKind kind, const Op& op) {
    Step& step = code_.steps.emplace_back();
    step.kind = kind;
    step.op = op.kind;
    step.range = op.range;
    return step;
  }
  Step& add_plain(StepKind kind, const Op& op) {
    Step& step = add(kind, op);
    for (size_t i = 0; i < op.operands.size() && i < 4; ++i) step.operands[i] = op.operands[i].index;
    if (!op.results.empty()) {
      step.result = op.results[0].index;
      step.result_type = type(op.results[0]);
    }
    return step;
  }
  void jump(uint32_t label, const Op& op) { add(StepKind::Jump, op).target = label; }
  void move(const std::vector<ValueId>& from, size_t skip_from, const std::vector<ValueId>& to,
            size_t skip_to, const Op& op) {
    LANEWISE_CHECK(from.size() - skip_from == to.size() - skip_to,
                   "as many values must be handed over as are taken");
    if (to.size() == skip_to) return;
    Step& step = add(StepKind::Move, op);
    step.begin = static_cast<uint32_t>(code_.moves.size());
    for (size_t i = skip_to; i < to.size(); ++i)
      code_.moves.emplace_back(from[i - skip_to + skip_from].index, to[i].index);
    step.end = static_cast<uint32_t>(code_.moves.size());
  }
  uint64_t allocate(const Op& op, uint64_t& bytes) {
    uint64_t at = bytes;
    auto count = static_cast<uint64_t>(std::get<int64_t>(op.immediate));
    bytes += (count * type(op.results[0]).element_size() + kAlignment - 1) / kAlignment * kAlignment;
    return at;
  }

  void region(RegionId id, Region kind, const Op* owner) {
    for (OpId op : function_.regions[id].ops) one(function_.ops[op], kind, owner);
  }

  // Regions nest a thousand deep: what stays on the stack meanwhile is kept apart from all else.
  void one(const Op& op, Region kind, const Op* owner) {
    switch (op.kind) {
      case OpKind::If: if_op(op); return;
      case OpKind::For: for_op(op); return;
      case OpKind::While: while_op(op); return;
      case OpKind::Scope: scope_op(op); return;
      default: without_regions(op, kind, owner); return;
    }
  }

  [[gnu::noinline]] void without_regions(const Op& op, Region kind, const Op* owner) {
    if (is_scalar_op(op.kind)) {
      Step& step = add_plain(StepKind::Scalar, op);
      step.type = type(op.operands[op.kind == OpKind::Select ? 1 : 0]);
      return;
    }
    if (op.kind >= OpKind::ThreadIdX && op.kind <= OpKind::LaneId) {
      add_plain(StepKind::Special, op);
      return;
    }
    if (is_atomic(op.kind)) {
      add_plain(StepKind::Atomic, op).type = type(op.operands[0]).element();
      return;
    }
    if (is_load(op.kind) || is_store(op.kind)) {
      add_plain(is_load(op.kind) ? StepKind::Load : StepKind::Store, op).type =
          type(op.operands[0]).element();
      return;
    }
    bool is_clock = is_machine_op(op.kind) && !op.results.empty();
    if (is_clock) {
      add_plain(StepKind::Special, op);
      return;
    }
    if (is_fence(op.kind) || is_machine_op(op.kind)) return;  // one thread runs at a time
    if (meets_others(op.kind)) {
      Step& step = add_plain(is_barrier(op.kind) ? StepKind::Barrier : StepKind::Warp, op);
      if (op.operands.size() > 1) step.type = type(op.operands[1]);
      set_list(loop_turns());
      return;
    }
    memory_or_end(op, kind, owner);
  }

  void memory_or_end(const Op& op, Region kind, const Op* owner) {
    switch (op.kind) {
      case OpKind::Const:
        add_plain(StepKind::Constant, op).constant = bits_of(op.immediate, type(op.results[0]));
        return;
      case OpKind::Offset: add_plain(StepKind::Offset, op).type = type(op.operands[0]).element(); return;
      case OpKind::SharedArray:
        add_plain(StepKind::SharedArray, op).constant = allocate(op, shared_bytes_);
        return;
      case OpKind::LocalArray:
        add_plain(StepKind::LocalArray, op).constant = allocate(op, code_.local_bytes);
        return;
      case OpKind::Data:
      case OpKind::DynamicShared:
      case OpKind::DynamicSharedBytes: {
        Step& step = add_plain(StepKind::Special, op);
        if (op.kind == OpKind::Data) step.constant = static_cast<uint64_t>(std::get<int64_t>(op.immediate));
        return;
      }
      case OpKind::SpaceCast:
      case OpKind::PtrCast:
      case OpKind::Address:
      case OpKind::Get: add_plain(StepKind::Copy, op); return;
      case OpKind::Set: {
        Step& step = add(StepKind::Copy, op);
        step.operands[0] = op.operands[1].index;
        step.result = op.operands[0].index;
        return;
      }
      case OpKind::Var: return;  // registers are zero when a frame is made
      case OpKind::Print:
      case OpKind::Report: {
        add(StepKind::Output, op).constant = sites_.size();
        set_list(registers(op.operands));
        sites_.push_back(output_site(function_, op));
        return;
      }
      case OpKind::Call: call(op); return;
      case OpKind::CallExternal:
        throw InternalError("a function in CUDA C++ came to the interpreter, which cannot run it");
      default: terminator(op, kind, owner); return;
    }
  }

  void terminator(const Op& op, Region kind, const Op* owner) {
    switch (op.kind) {
      case OpKind::Yield: yield(op, kind, owner); return;
      case OpKind::Continue: next_turn(loops_.back(), op); return;
      case OpKind::Break:
        move(op.operands, 0, loops_.back().op->results, 0, op);
        jump(loops_.back().end, op);
        return;
      case OpKind::Leave: {
        const auto* depth = std::get_if<int64_t>(&op.immediate);
        const Scope& scope = scopes_[scopes_.size() - 1 - static_cast<size_t>(depth ? *depth : 0)];
        move(op.operands, 0, scope.op->results, 0, op);
        jump(scope.end, op);
        return;
      }
      case OpKind::Return:
        add(StepKind::Return, op);
        set_list(registers(op.operands));
        return;
      case OpKind::Exit: add(StepKind::Exit, op); return;
      case OpKind::Unreachable: add(StepKind::Unreachable, op); return;
      default: throw InternalError("the interpreter does not know `" + std::string(info(op.kind).text) + "`");
    }
  }

  void yield(const Op& op, Region kind, const Op* owner) {
    switch (kind) {
      case Region::Arm:
        move(op.operands, 0, owner->results, 0, op);
        jump(ends_.back(), op);
        return;
      case Region::ForBody:
      case Region::WhileBody: next_turn(loops_.back(), op); return;
      case Region::WhileCond: {
        uint32_t no = new_label();
        Step& test = add(StepKind::JumpIfFalse, op);
        test.operands[0] = op.operands[0].index;
        test.target = no;
        move(op.operands, 1, function_.regions[owner->regions[1]].params, 0, op);
        uint32_t yes = new_label();
        jump(yes, op);
        place(no);
        move(op.operands, 1, owner->results, 0, op);
        jump(loops_.back().end, op);
        place(yes);
        return;
      }
      case Region::Body: break;
    }
    throw InternalError("a function's body does not yield");
  }

  // The values of a continue or yield become those of the next turn.
  void next_turn(const Loop& loop, const Op& op) {
    bool is_for = loop.op->kind == OpKind::For;
    move(op.operands, 0, function_.regions[loop.op->regions[0]].params, is_for ? 1 : 0, op);
    Step& step = add(StepKind::LoopNext, op);
    step.loop = loop.registers;
    step.target = loop.head;
    step.type = is_for ? type(loop.op->operands[0]) : kVoid;
  }

  [[gnu::noinline]] void start_if(const Op& op, uint32_t otherwise, uint32_t end) {
    add_plain(StepKind::JumpIfFalse, op).target = otherwise;
    ends_.push_back(end);
  }

  void if_op(const Op& op) {
    uint32_t otherwise = new_label(), end = new_label();
    start_if(op, otherwise, end);
    region(op.regions[0], Region::Arm, &op);
    place(otherwise);
    if (op.regions.size() > 1) region(op.regions[1], Region::Arm, &op);
    ends_.pop_back();
    place(end);
  }

  [[gnu::noinline]] void start_scope(const Op& op, uint32_t end) {
    scopes_.push_back({&op, end});
    ends_.push_back(end);
  }

  void scope_op(const Op& op) {
    uint32_t end = new_label();
    start_scope(op, end);
    region(op.regions[0], Region::Arm, &op);
    ends_.pop_back();
    scopes_.pop_back();
    place(end);
  }

  Loop start_loop(const Op& op) {
    Loop loop{&op, new_label(), new_label(), code_.registers};
    code_.registers += kLoopRegisters;
    Step& start = add_plain(StepKind::LoopStart, op);
    start.loop = loop.registers;
    start.type = op.kind == OpKind::For ? type(op.operands[0]) : kVoid;
    loops_.push_back(loop);
    return loop;
  }

  // Where the loop's exit is.
  [[gnu::noinline]] uint32_t start_for(const Op& op) {
    Loop loop = start_loop(op);
    const std::vector<ValueId>& params = function_.regions[op.regions[0]].params;
    move(op.operands, 3, params, 1, op);
    uint32_t exit = new_label();
    place(loop.head);
    Step& head = add(StepKind::ForHead, op);
    head.operands[0] = params[0].index;
    head.loop = loop.registers;
    head.target = exit;
    return exit;
  }

  [[gnu::noinline]] void end_for(const Op& op, uint32_t exit) {
    place(exit);
    move(function_.regions[op.regions[0]].params, 1, op.results, 0, op);
    end_loop();
  }

  void for_op(const Op& op) {
    uint32_t exit = start_for(op);
    region(op.regions[0], Region::ForBody, &op);
    end_for(op, exit);
  }

  [[gnu::noinline]] void start_while(const Op& op) {
    Loop loop = start_loop(op);
    move(op.operands, 0, function_.regions[op.regions[0]].params, 0, op);
    place(loop.head);
  }

  void while_op(const Op& op) {
    start_while(op);
    region(op.regions[0], Region::WhileCond, &op);
    region(op.regions[1], Region::WhileBody, &op);
    end_loop();
  }

  void end_loop() {
    place(loops_.back().end);
    loops_.pop_back();
  }

  void call(const Op& op) {
    Step& step = add(StepKind::Call, op);
    step.target = op.callee.index;
    step.arguments = static_cast<uint32_t>(op.operands.size());
    std::vector<uint32_t> list;
    for (ValueId v : op.operands) list.push_back(v.index);
    for (ValueId v : op.results) list.push_back(v.index);
    step.constant = list.size();  // the loop counters follow
    for (uint32_t turn : loop_turns()) list.push_back(turn);
    set_list(list);
  }

  static std::vector<uint32_t> registers(const std::vector<ValueId>& values) {
    std::vector<uint32_t> list;
    for (ValueId v : values) list.push_back(v.index);
    return list;
  }
  std::vector<uint32_t> loop_turns() const {
    std::vector<uint32_t> turns;
    for (const Loop& loop : loops_) turns.push_back(loop.registers + kTurn);
    return turns;
  }
  void set_list(const std::vector<uint32_t>& list) {
    Step& step = code_.steps.back();
    step.begin = static_cast<uint32_t>(code_.lists.size());
    code_.lists.insert(code_.lists.end(), list.begin(), list.end());
    step.end = static_cast<uint32_t>(code_.lists.size());
  }

  const Function& function_;
  uint64_t& shared_bytes_;
  std::vector<OutputSite>& sites_;
  Code code_;
  std::vector<uint32_t> labels_;
  std::vector<Loop> loops_;
  std::vector<Scope> scopes_;
  std::vector<uint32_t> ends_;  // where a yield of the enclosing if or scope goes
};

}  // namespace

Code flatten(const Function& function, uint64_t& shared_bytes, std::vector<OutputSite>& sites) {
  return Flattener(function, shared_bytes, sites).run();
}

}  // namespace lanewise::ir::interpreter
