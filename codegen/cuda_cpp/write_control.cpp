// if, for, while, scope, and what ends a region: values are handed over by assignment.
#include <algorithm>

#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpId;
using ir::OpKind;
using ir::Type;
using ir::ValueId;

void FunctionWriter::region(ir::RegionId id) {
  const std::vector<OpId>& ops = f_.regions[id].ops;
  for (size_t i = 0; i + 1 < ops.size(); ++i)
    if (!folding_.folded[ops[i].index]) statement(ops[i]);
  declare_before(ops.back());
  end_region(f_.ops[ops.back()], id);
}

// Assigns the operands to the variables of `to`, all at once.
void FunctionWriter::hand_over(const Values& to, const Values& from, size_t skip) {
  struct Move {
    uint32_t variable;
    Expr value;
    std::vector<uint32_t> reads;
  };
  std::vector<Move> moves;
  for (size_t i = 0; i < to.size(); ++i) {
    uint32_t variable = variables_.of[to[i].index];
    ValueId source = from[i + skip];
    if (variable == Variables::kNone || variable == variables_.of[source.index]) continue;
    Move move{variable, expr(source), {}};
    Values reads;
    collect_reads(f_, places_, folding_, source, reads);
    for (ValueId read : reads) move.reads.push_back(variables_.of[read.index]);
    moves.push_back(std::move(move));
  }
  auto reads = [](const Move& move, uint32_t variable) {
    return std::find(move.reads.begin(), move.reads.end(), variable) != move.reads.end();
  };
  while (!moves.empty()) {
    size_t next = moves.size();
    for (size_t i = 0; i < moves.size() && next == moves.size(); ++i) {
      bool free = true;
      for (size_t k = 0; k < moves.size(); ++k)
        free = free && (k == i || !reads(moves[k], moves[i].variable));
      if (free) next = i;
    }
    if (next == moves.size()) {  // each is read by another: the first one's value waits
      Move& first = moves.front();
      Type type = variables_.all[first.variable].type;
      std::string kept = names_.make("next_" + name_of(first.variable));
      line((type.is_pointer() ? "auto " : "const " + type_name(type) + " ") + kept + " = " +
           first.value.text + ";");
      first.value = primary(kept, type);
      first.reads.clear();
      continue;
    }
    set(moves[next].variable, moves[next].value);
    moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(next));
  }
}

void FunctionWriter::end_region(const ir::Op& op, ir::RegionId id) {
  OpId owner = places_.owner[id.index];
  bool in_loop = owner.valid() && (f_.ops[owner].kind == OpKind::For || f_.ops[owner].kind == OpKind::While);
  auto next_turn = [&] {
    const ir::Op& loop = *loops_.back();
    Values params = f_.regions[loop.regions[0]].params;
    if (loop.kind == OpKind::For) params.erase(params.begin());
    hand_over(params, op.operands);
  };
  switch (op.kind) {
    case OpKind::Yield:
      if (in_loop) return next_turn();  // a `cond` is written by write_while
      return hand_over(f_.ops[owner].results, op.operands);
    case OpKind::Continue:
      next_turn();
      if (!in_loop) line("continue;");
      return;
    case OpKind::Break: hand_over(loops_.back()->results, op.operands); return line("break;");
    case OpKind::Leave: {
      Scope& scope = scopes_[scopes_.size() - 1 - static_cast<size_t>(std::get<int64_t>(op.immediate))];
      hand_over(scope.op->results, op.operands);
      if (owner.valid() && &f_.ops[owner] == scope.op) return;
      if (scope.label.empty()) scope.label = names_.make("done");
      return line("goto " + scope.label + ";");
    }
    case OpKind::Return: {
      if (op.operands.empty()) {
        if (owner.valid()) line("return;");
        return;
      }
      if (op.operands.size() == 1) return line("return " + expr(op.operands[0]).text + ";");
      std::string all;
      for (size_t i = 0; i < op.operands.size(); ++i) {
        Type type = f_.type(op.operands[i]);
        Expr value = expr(op.operands[i]);
        all += (i > 0 ? ", " : "") + (type.is_int() ? as(value, type).text : value.text);
      }
      return line("return {" + all + "};");
    }
    case OpKind::Exit: return line(file_.helpers.use("end_thread") + "();");
    case OpKind::Unreachable: return line("__builtin_unreachable();");
    default: refuse(op);
  }
}

// The condition that is true where this one is not.
Expr FunctionWriter::negated(ValueId condition) {
  OpId definition = places_.definition[condition.index];
  if (definition.valid() && folding_.folded[definition.index]) {
    const ir::Op& op = f_.ops[definition];
    if (op.kind == OpKind::Not) return expr(op.operands[0]);
    bool compares = op.kind >= OpKind::Eq && op.kind <= OpKind::Ge;
    bool equality = op.kind == OpKind::Eq || op.kind == OpKind::Ne;
    Type type = compares ? f_.type(op.operands[0]) : ir::kVoid;
    bool narrow = type.is_float() && type.bits == 16;
    if (compares && !narrow && (!type.is_float() || equality))
      return compare(ir::negated_comparison(op.kind), type, expr(op.operands[0]), expr(op.operands[1]));
  }
  return unary("!", expr(condition), ir::kBool);
}

// Whether the region is nothing but one `if`, which can follow an `else`.
bool FunctionWriter::only_an_if(ir::RegionId id) {
  const std::vector<OpId>& ops = f_.regions[id].ops;
  const ir::Op& last = f_.ops[ops.back()];
  if (last.kind != OpKind::Yield) return false;
  const ir::Op* found = nullptr;
  for (size_t i = 0; i + 1 < ops.size(); ++i) {
    if (folding_.folded[ops[i].index]) continue;
    const ir::Op& op = f_.ops[ops[i]];
    if (found || op.kind != OpKind::If || folding_.conditional[ops[i].index]) return false;
    if (declared_before_.count(ops[i].index)) return false;
    found = &op;
  }
  if (!found) return false;
  OpId owner = places_.owner[id.index];
  for (size_t i = 0; i < last.operands.size(); ++i) {
    uint32_t to = variables_.of[f_.ops[owner].results[i].index];
    if (to != Variables::kNone && to != variables_.of[last.operands[i].index]) return false;
  }
  return true;
}

namespace {

bool is_jump(const std::string& text) {
  size_t end = text.size() - (text.empty() ? 0 : 1);
  size_t begin = text.rfind('\n', end == 0 ? 0 : end - 1);
  std::string last = text.substr(begin == std::string::npos ? 0 : begin + 1);
  last = last.substr(std::min(last.find_first_not_of(' '), last.size()));
  return last.starts_with("return") || last.starts_with("break;") || last.starts_with("continue;") ||
         last.starts_with("goto ") || last.starts_with("__builtin_unreachable");
}

bool is_one_jump(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && is_jump(text) && text.size() < 60;
}

// Lines that stand two columns further left; labels stand at the left already.
std::string outdented(std::string text) {
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    if (text.compare(at, 2, "  ") == 0) text.erase(at, 2);
  return text;
}

std::string trimmed(const std::string& text) {
  size_t first = text.find_first_not_of(' ');
  return text.substr(first, text.size() - first - 1);
}

}  // namespace

void FunctionWriter::write_if(OpId id, bool after_else) {
  const ir::Op& op = f_.ops[id];
  Expr condition = expr(op.operands[0]);
  ++indent_;
  std::string yes = captured([&] { region(op.regions[0]); });
  bool chain = only_an_if(op.regions[1]);
  --indent_;
  std::string start = after_else ? std::string(static_cast<size_t>(2 * indent_), ' ') + "} else if ("
                                 : std::string(static_cast<size_t>(2 * indent_), ' ') + "if (";
  std::string end = std::string(static_cast<size_t>(2 * indent_), ' ') + "}\n";
  if (chain && !yes.empty() && !is_jump(yes)) {
    text_ += start + condition.text + ") {\n" + yes;
    for (OpId inner : f_.regions[op.regions[1]].ops)
      if (!folding_.folded[inner.index] && f_.ops[inner].kind == OpKind::If) write_if(inner, true);
    return;
  }
  ++indent_;
  std::string no = captured([&] { region(op.regions[1]); });
  --indent_;
  if (yes.empty() && !no.empty()) {
    condition = negated(op.operands[0]);
    yes = std::exchange(no, {});
  }
  if (is_one_jump(yes) && !after_else) {
    text_ += start + condition.text + ") " + trimmed(yes) + "\n";
  } else {
    text_ += start + condition.text + ") {\n" + yes;
    if (!no.empty() && (!is_jump(yes) || after_else)) {
      text_ += std::string(static_cast<size_t>(2 * indent_), ' ') + "} else {\n" + no + end;
      return;
    }
    text_ += end;
  }
  if (no.empty()) return;
  // Nothing falls out of the first arm: the second one needs no braces.
  text_ += outdented(no);
}

void FunctionWriter::write_for(OpId id) {
  const ir::Op& op = f_.ops[id];
  const Values& params = f_.regions[op.regions[0]].params;
  hand_over({params.begin() + 1, params.end()}, op.operands, 3);
  ValueId counter = params[0];
  Type type = f_.type(counter);
  uint32_t variable = variables_.of[counter.index];
  declared_[variable] = 1;
  const std::string name = name_of(variable);
  Expr k = primary(name, type), hi = expr(op.operands[1]), step = expr(op.operands[2]);
  int steady = step.literal && step.text == "1" ? 1 : counts_[id.index];
  std::string head = "for (" + type_name(type) + " " + name + " = " + expr(op.operands[0]).text + "; ";
  if (steady != 0) {
    bool down = steady < 0;
    head += compare(down ? OpKind::Gt : OpKind::Lt, type, k, hi).text + "; ";
    bool minus = step.literal && step.text[0] == '-';
    std::string by = minus ? step.text.substr(1) : step.text;
    head += by == "1" ? (minus ? "--" : "++") + name : name + (minus ? " -= " : " += ") + by;
  } else {
    std::string turns = names_.make("turns");
    bool wide = type == ir::kU64;
    line("unsigned long long " + turns + " = " + file_.helpers.use(wide ? "utrip_count" : "trip_count") +
         "(" + expr(op.operands[0]).text + ", " + hi.text + ", " + step.text + ");");
    Expr next = integer(OpKind::Add, type, {k, step}, false, false);
    head += turns + " != 0; --" + turns + ", " + name + " = " + next.text;
  }
  std::string comment = source_line(op);
  bool short_enough = head.size() + comment.size() + static_cast<size_t>(2 * indent_) < 100;
  line(head + ") {" + (comment.starts_with("for ") && short_enough ? "  // " + comment : ""));
  loops_.push_back(&op);
  ++indent_;
  region(op.regions[0]);
  --indent_;
  loops_.pop_back();
  line("}");
}

void FunctionWriter::write_while(OpId id) {
  const ir::Op& op = f_.ops[id];
  hand_over(f_.regions[op.regions[0]].params, op.operands);
  const std::vector<OpId>& ops = f_.regions[op.regions[0]].ops;
  const ir::Op& decision = f_.ops[ops.back()];
  std::string comment = source_line(op);
  std::string note =
      comment.starts_with("while ") && comment.find("True") == comment.npos ? "  // " + comment : "";
  ++indent_;
  std::string before = captured([&] {
    for (size_t i = 0; i + 1 < ops.size(); ++i)
      if (!folding_.folded[ops[i].index]) statement(ops[i]);
    declare_before(ops.back());
  });
  if (decision.kind != OpKind::Yield) {
    before += captured([&] { end_region(decision, op.regions[0]); });
    --indent_;
    line("while (true) {");
    text_ += before;
    return line("}");
  }
  std::string handed = captured([&] { hand_over(f_.regions[op.regions[1]].params, decision.operands, 1); });
  std::string condition;
  if (before.empty() && handed.empty()) {
    condition = expr(decision.operands[0]).text;
  } else {
    condition = "true";
    if (!handed.empty()) {
      std::string goes_on = names_.make("goes_on");
      before +=
          captured([&] { line("const bool " + goes_on + " = " + expr(decision.operands[0]).text + ";"); });
      before += handed + captured([&] { line("if (!" + goes_on + ") break;"); });
    } else {
      before += captured([&] { line("if (" + negated(decision.operands[0]).text + ") break;"); });
    }
  }
  loops_.push_back(&op);
  std::string body = captured([&] { region(op.regions[1]); });
  loops_.pop_back();
  --indent_;
  line("while (" + condition + ") {");
  text_ += before + body;
  line("}");
}

void FunctionWriter::write_scope(OpId id) {
  const ir::Op& op = f_.ops[id];
  scopes_.push_back({&op, {}});
  ++indent_;
  std::string body = captured([&] { region(op.regions[0]); });
  --indent_;
  std::string label = scopes_.back().label;
  scopes_.pop_back();
  if (label.empty()) {
    text_ += outdented(body);
    return;
  }
  line("{");
  text_ += body;
  line("}");
  text_ += label + ":;\n";
}

}  // namespace lanewise::codegen::cuda_cpp
