// Loops: the types at a loop's head are found by trying; counters, arrays and tuples as what is looped over.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {

constexpr unsigned kMaxRounds = 12;
constexpr size_t kMaxUnrolled = 256;  // items of a tuple

// Whether what was assumed is no more than what came out.
bool covers(const Known& assumed, const Known& computed) {
  if (assumed.constant && !same_constant(assumed.constant, computed.constant)) return false;
  if (assumed.non_negative && !computed.non_negative) return false;
  if (assumed.memory != 0 && assumed.memory != computed.memory) return false;
  for (size_t i = 0; i < assumed.items.size(); ++i)
    if (!covers(assumed.items[i], i < computed.items.size() ? computed.items[i] : Known{})) return false;
  return true;
}

bool same_type(const BoundName& a, const BoundName& b) {
  return a.type == b.type && a.conflict == b.conflict;
}

bool covers(const State& assumed, const State& computed) {
  for (const std::string& name : assumed.names.differing(computed.names)) {
    const BoundName *before = assumed.names.find(name), *found = computed.names.find(name);
    if (!before || !found || !same_type(*before, *found)) return false;
    if (found->maybe_unbound && !before->maybe_unbound) return false;
    if (!covers(before->known, found->known)) return false;
  }
  return true;
}

}  // namespace

State FunctionInference::settle(const Stmt& s, std::vector<TStmtId>& body, Loop& loop,
                                const std::function<void()>& turn) {
  State entry = state_, head = state_;
  bool writes = false;  // the turns begin with memory that the turn before has written to
  for (unsigned round = 0;; ++round) {
    Mark start = mark();
    for (const std::string& name : head.names.differing(entry.names))
      if (const BoundName* binding = head.names.find(name)) head.names.set(name, with_local(name, *binding));
    body.clear();
    loop.breaks.clear();
    loop.continues.clear();
    state_ = head;
    loops_.push_back(&loop);
    in_list(body, turn);
    loops_.pop_back();

    std::vector<Edge> edges = {{entry, nullptr, {}}, {state_, nullptr, {}}};
    for (const Edge& edge : loop.continues) edges.push_back({edge.state, nullptr, {}});
    State next = join_states(edges);
    keep_conflicts(head, edges, next);
    bool enough = session_.work > Session::kMaxWork || round == kMaxRounds;
    bool settled = covers(head, next);
    if (enough && !settled) report_unsettled(s, head, next);
    bool news = named_deferred_ && !writes && next.memory != head.memory;
    if (enough || (settled && !news)) break;
    writes |= news;
    next.memory = news ? ++memory_ : head.memory;
    rollback(start);
    for (const std::string& name : next.names.differing(head.names)) {
      const BoundName *before = head.names.find(name), *found = next.names.find(name);
      if (!before || !found || before->type != found->type) continue;
      BoundName binding = *found;
      binding.known = common(before->known, binding.known);
      binding.maybe_unbound |= before->maybe_unbound;
      next.names.set(name, std::move(binding));
    }
    head = std::move(next);
  }
  Edge back{state_, &body, {}};
  convert_edge(back, head);
  for (Edge& edge : loop.continues) convert_edge(edge, head);
  Edge before{std::move(entry), out_, {}};
  convert_edge(before, head);
  return head;
}

// A conflict that made the turn give up on the name stays one: it must be found in every round.
void FunctionInference::keep_conflicts(const State& head, std::span<const Edge> edges, State& next) const {
  for (const std::string& name : head.names.differing(next.names)) {
    const BoundName* binding = head.names.find(name);
    if (!binding || !binding->conflict) continue;
    bool gave_up = std::ranges::any_of(edges, [&](const Edge& edge) {
      const BoundName* found = edge.state.names.find(name);
      return edge.state.reachable && found && found->type.is_error();
    });
    if (gave_up) next.names.set(name, *binding);
  }
}

void FunctionInference::report_unsettled(const Stmt& s, State& head, const State& next) {
  for (const std::string& name : head.names.differing(next.names)) {
    const BoundName *before = head.names.find(name), *found = next.names.find(name);
    if (!before || !found || same_type(*before, *found)) continue;
    BoundName binding = *before;
    report(DiagnosticId::LoopTypes, s.name_range, {name, to_string(binding.type), to_string(found->type)})
        .label(binding.where, "assigned here")
        .label(found->where, "assigned here")
        .with_hint("give `" + name + "` one type: convert what the loop assigns to it");
    binding.type = ValueType::error();
    head.names.set(name, std::move(binding));
    return;
  }
}

// The state after the loop: where it ended by itself, past its else, and where it was broken out of.
void FunctionInference::leave_loop(const Stmt& s, State normal_exit, Loop& loop, TStmt statement) {
  std::vector<TStmtId> orelse;
  state_ = std::move(normal_exit);
  in_list(orelse, [&] { infer_block(s.orelse); });
  std::vector<Edge> edges;
  edges.push_back({std::move(state_), &orelse, {}});
  for (Edge& edge : loop.breaks) edges.push_back(std::move(edge));
  state_ = merge(edges);
  statement.orelse = std::move(orelse);
  emit(std::move(statement));
}

void FunctionInference::infer_while(const Stmt& s) {
  Loop loop;
  std::vector<TStmtId> before, body;
  Value condition;
  State normal_exit;
  settle(s, body, loop, [&] {
    before.clear();
    condition = in_list(before, [&] { return infer_condition(s.value); });
    normal_exit = state_;
    if (!condition.is_error() && condition.known.constant)
      (*truth(*condition.known.constant) ? normal_exit : state_).reachable = false;
    infer_block(s.body);
  });
  if (condition.is_error()) condition = number({true}, s.range);
  leave_loop(s, std::move(normal_exit), loop,
             {.kind = TStmtKind::While,
              .range = s.range,
              .value = condition.expr,
              .before = std::move(before),
              .body = std::move(body)});
}

void FunctionInference::infer_jump(const Stmt& s) {
  bool is_break = s.kind == StmtKind::Break;
  if (loops_.empty()) return;  // the parser has reported it
  Loop& loop = *loops_.back();
  if (loop.unrolled && is_break)
    set(loop.flag, const_expr(ValueType::typed(ir::kBool), int64_t{1}, s.range), s.range);
  TStmtKind kind = is_break || loop.unrolled ? TStmtKind::Break : TStmtKind::Continue;
  TStmtId stmt = emit({.kind = kind, .range = s.range});
  (is_break ? loop.breaks : loop.continues).push_back({state_, nullptr, stmt});
  state_.reachable = false;
}

void FunctionInference::infer_for(const Stmt& s) {
  Sequence sequence = infer_sequence(s.value);
  if (std::optional<std::vector<Value>> values = sequence_values(sequence)) {
    if (values->size() <= kMaxUnrolled) return for_tuple(s, std::move(*values));
    Value whole = tuple(std::move(*values), sequence.range);
    std::optional<Value> array = whole.is_error() ? std::nullopt : array_of_items(whole, sequence.range);
    if (!array) {
      if (!whole.is_error())
        not_supported(ast_[s.value].range,
                      "a loop over a tuple of more than " + std::to_string(kMaxUnrolled) +
                          " items that are not all numbers",
                      "loop over an array");
      poison(s.targets[0]);
      return;
    }
    sequence = sequence_of(std::move(*array));
  }
  if (sequence.kind == Sequence::Kind::Counter) return for_counter(s, sequence.counter, nullptr);
  freeze(sequence);
  Value length = sequence_length(sequence, s.range);
  Counter counter;
  counter.type = ValueType::python_number(ir::kI64);
  counter.start = const_expr(counter.type, int64_t{0}, s.range);
  counter.step = const_expr(counter.type, int64_t{1}, s.range);
  counter.stop = length.is_error() ? counter.start : length.expr;
  counter.non_negative = true;
  for_counter(s, counter, [&](Value i) { return sequence_item(sequence, std::move(i), i.range); });
}

void FunctionInference::for_counter(const Stmt& s, const Counter& counter,
                                    const std::function<Value(Value)>& item) {
  Loop loop;
  std::vector<TStmtId> body;
  LocalId local_id;
  const Expr& target = ast_[s.targets[0]];
  State head = settle(s, body, loop, [&] {
    Value i = scalar(counter.type, TExprId{}, target.range);
    i.known.non_negative |= counter.non_negative;
    bool plain = target.kind == ExprKind::Name && !item;
    local_id = plain ? local(target.text, counter.type) : temporary(counter.type);
    i.expr = local_expr(local_id, target.range);
    if (plain) {
      BoundName binding;
      binding.type = counter.type;
      binding.local = local_id;
      binding.known.non_negative = i.known.non_negative;
      binding.where = target.range;
      state_.names.set(target.text, std::move(binding));
    } else {
      assign(s.targets[0], item ? item(i) : i);
    }
    infer_block(s.body);
  });
  State normal_exit = counter.runs ? exit_after_turns(head, loop) : head;
  leave_loop(s, std::move(normal_exit), loop,
             {.kind = TStmtKind::For,
              .range = s.range,
              .local = local_id,
              .value = counter.start,
              .upper = counter.stop,
              .step = counter.step,
              .body = std::move(body)});
}

// Of a loop that runs at least once: what every turn binds is bound.
State FunctionInference::exit_after_turns(const State& head, const Loop& loop) const {
  std::vector<Edge> ends = {{state_, nullptr, {}}};
  for (const Edge& edge : loop.continues) ends.push_back({edge.state, nullptr, {}});
  State exit = head;
  exit.reachable = std::ranges::any_of(ends, [](const Edge& edge) { return edge.state.reachable; });
  // What an end has in common with the head is bound in both or in neither.
  auto end = std::ranges::find_if(ends, [](const Edge& edge) { return edge.state.reachable; });
  if (end == ends.end()) return exit;
  for (const std::string& name : head.names.differing(end->state.names)) {
    const BoundName* before = head.names.find(name);
    bool bound = before && std::ranges::all_of(ends, [&](const Edge& edge) {
                   const BoundName* found = edge.state.names.find(name);
                   return !edge.state.reachable || (found && !found->maybe_unbound);
                 });
    if (!bound || !before->maybe_unbound) continue;
    BoundName binding = *before;
    binding.maybe_unbound = false;
    exit.names.set(name, std::move(binding));
  }
  return exit;
}

namespace {

// Whether the statements jump out of the loop whose body they are.
bool has_jump(const Ast& ast, const std::vector<StmtId>& body) {
  return std::ranges::any_of(body, [&](StmtId id) {
    const Stmt& s = ast[id];
    if (s.kind == StmtKind::Break || s.kind == StmtKind::Continue) return true;
    if (s.kind == StmtKind::FunctionDef || s.kind == StmtKind::ClassDef) return false;
    if (std::ranges::any_of(s.cases, [&](const MatchCase& c) { return has_jump(ast, c.body); })) return true;
    bool loop = s.kind == StmtKind::For || s.kind == StmtKind::While;
    return (!loop && has_jump(ast, s.body)) || has_jump(ast, s.orelse);
  });
}

}  // namespace

TStmtId FunctionInference::one_turn(std::vector<TStmtId> body, std::vector<TStmtId> orelse,
                                    SourceRange range) {
  ValueType type = ValueType::python_number(ir::kI64);
  TExprId zero = const_expr(type, int64_t{0}, range), one = const_expr(type, int64_t{1}, range);
  return make({.kind = TStmtKind::For,
               .range = range,
               .local = temporary(type),
               .value = zero,
               .upper = one,
               .step = one,
               .body = std::move(body),
               .orelse = std::move(orelse)});
}

// Over a tuple: unrolled, so that each turn has its own types and constants.
void FunctionInference::for_tuple(const Stmt& s, std::vector<Value> values) {
  for (Value& value : values) freeze(value);
  // The turns after one with a mistake would say the same again: loops in loops a hundred thousand times.
  size_t said = reports_.size();
  auto mistaken = [&] {
    return std::any_of(reports_.begin() + static_cast<ptrdiff_t>(said), reports_.end(),
                       [](const Report& r) { return is_error(r); });
  };
  if (!has_jump(ast_, s.body)) {
    Loop plain;
    loops_.push_back(&plain);
    for (Value& value : values) {
      if (!state_.reachable || mistaken()) break;
      assign(s.targets[0], value);
      infer_block(s.body);
    }
    loops_.pop_back();
    return infer_block(s.orelse);
  }
  Loop loop;
  loop.unrolled = true;
  ValueType truth_type = ValueType::typed(ir::kBool);
  loop.flag = temporary(truth_type);
  set(loop.flag, const_expr(truth_type, int64_t{0}, s.range), s.range);
  std::vector<TStmtId> all;
  in_list(all, [&] {
    for (Value& value : values) {
      if (!state_.reachable || mistaken()) break;
      std::vector<TStmtId> body;
      loop.continues.clear();
      loops_.push_back(&loop);
      in_list(body, [&] {
        assign(s.targets[0], value);
        infer_block(s.body);
      });
      loops_.pop_back();
      std::vector<Edge> edges;
      edges.push_back({std::move(state_), &body, {}});
      for (Edge& edge : loop.continues) edges.push_back(std::move(edge));
      state_ = merge(edges);
      out_->push_back(one_turn(std::move(body), {}, s.range));
      std::vector<TStmtId> jump = {make({.kind = TStmtKind::Break, .range = s.range})};
      emit({.kind = TStmtKind::If,
            .range = s.range,
            .value = local_expr(loop.flag, s.range),
            .body = std::move(jump)});
    }
  });
  TStmtId around = one_turn(std::move(all), {}, s.range);
  TStmt statement = stmts_[around.index];
  leave_loop(s, std::move(state_), loop, std::move(statement));
}

}  // namespace lanewise::frontend::inference
