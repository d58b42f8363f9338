// The typed tree as text: what `--emit typed` shows. In: a TypedModule. Out: one function after the other
// in a Python-like form where every conversion is written out. Locals carry their type where they are set;
// two locals of one name (a variable rebound to another type) are told apart as `x` and `x.1`.
#include <charconv>
#include <cmath>
#include <map>

#include "frontend/frontend.h"
#include "frontend/record_type.h"
#include "ir/format.h"
#include "ir/op.h"

namespace lanewise::frontend {
namespace {

class Printer {
 public:
  Printer(const TypedModule& module, const TypedFunction& function) : module_(module), fn_(function) {
    std::map<std::string, int> seen;
    for (const Local& local : fn_.locals) {
      int count = seen[local.name]++;
      names_.push_back(count == 0 ? local.name : local.name + "." + std::to_string(count));
    }
  }

  std::string run() {
    out_ += fn_.is_kernel ? "kernel " : "def ";
    out_ += fn_.name + "(";
    for (size_t i = 0; i < fn_.params.size(); ++i)
      out_ += (i ? ", " : "") + name(fn_.params[i]) + ": " + to_string(fn_.locals[fn_.params[i]].type);
    out_ += ")";
    if (fn_.result.kind != ValueType::Kind::None) out_ += " -> " + to_string(fn_.result);
    out_ += ":\n";
    body(fn_.body, 1);
    return std::move(out_);
  }

 private:
  const std::string& name(LocalId id) const { return names_[id.index]; }
  void line(int depth, const std::string& text) { out_ += std::string(size_t(depth) * 2, ' ') + text + "\n"; }

  void body(const std::vector<TStmtId>& stmts, int depth) {
    if (stmts.empty()) line(depth, "pass");
    for (TStmtId id : stmts) stmt(fn_.stmts[id], depth);
  }

  void orelse(const std::vector<TStmtId>& stmts, int depth) {
    if (stmts.empty()) return;
    line(depth, "else:");
    body(stmts, depth + 1);
  }

  void stmt(const TStmt& s, int depth) {
    switch (s.kind) {
      case TStmtKind::Set:
        line(depth, name(s.local) + ": " + to_string(fn_.locals[s.local].type) + " = " + expr(s.value));
        return;
      case TStmtKind::StoreElement:
        line(depth, expr(s.array) + "[" + indices(s.indices, 0, s.indices.size(), s.wrap) +
                        "] = " + expr(s.value) +
                        (s.op == ir::OpKind::Store ? "" : "  # " + std::string(ir::info(s.op).text)));
        return;
      case TStmtKind::Expr: line(depth, expr(s.value)); return;
      case TStmtKind::If:
        line(depth, "if " + expr(s.value) + ":");
        body(s.body, depth + 1);
        orelse(s.orelse, depth);
        return;
      case TStmtKind::While:
        if (s.before.empty()) {
          line(depth, "while " + expr(s.value) + ":");
        } else {
          line(depth, "while:");
          body(s.before, depth + 2);
          line(depth + 1, "test " + expr(s.value) + ":");
        }
        body(s.body, depth + 1);
        orelse(s.orelse, depth);
        return;
      case TStmtKind::For:
        line(depth, "for " + name(s.local) + ": " + to_string(fn_.locals[s.local].type) + " in range(" +
                        expr(s.value) + ", " + expr(s.upper) + ", " + expr(s.step) + "):");
        body(s.body, depth + 1);
        orelse(s.orelse, depth);
        return;
      case TStmtKind::Break: line(depth, "break"); return;
      case TStmtKind::Continue: line(depth, "continue"); return;
      case TStmtKind::Print: line(depth, "print(" + message(s) + ")"); return;
      case TStmtKind::Report: line(depth, "report " + s.message->exception + "(" + message(s) + ")"); return;
      case TStmtKind::Fail: line(depth, "raise " + s.message->exception + "(" + message(s) + ")"); return;
      case TStmtKind::Return: line(depth, s.value.valid() ? "return " + expr(s.value) : "return"); return;
    }
  }

  // The text as a Python literal, then the values of its fields.
  std::string message(const TStmt& s) {
    std::string values = list(s.indices);
    return ir::text_literal(s.message->format) + (values.empty() ? "" : ", " + values);
  }

  // "i, j~": an index that may be negative and then counts from the end is marked.
  std::string indices(const std::vector<TExprId>& items, size_t first, size_t last,
                      const std::vector<bool>& wrap) {
    std::string out;
    for (size_t i = first; i < last; ++i) {
      out += (i > first ? ", " : "") + expr(items[i]);
      if (i - first < wrap.size() && wrap[i - first]) out += "~";
    }
    return out;
  }

  std::string list(const std::vector<TExprId>& items, size_t first = 0) {
    std::string out;
    for (size_t i = first; i < items.size(); ++i) out += (i > first ? ", " : "") + expr(items[i]);
    return out;
  }

  static std::string shape(const std::vector<int64_t>& dims) {
    std::string out;
    for (size_t i = 0; i < dims.size(); ++i) out += (i ? ", " : "") + std::to_string(dims[i]);
    return "(" + out + (dims.size() == 1 ? ",)" : ")");
  }

  // Python numbers are written bare, typed ones with their type: 2, 0.5, True, float32(0.5), int32(7).
  static std::string constant(const TExpr& e) {
    std::string text;
    ir::Type type = e.type.scalar;
    if (const double* d = std::get_if<double>(&e.immediate)) {
      char buffer[40];
      auto end = std::to_chars(buffer, buffer + sizeof buffer, *d).ptr;
      text.assign(buffer, end);
      if (std::isfinite(*d) && text.find_first_of(".e") == text.npos) text += ".0";
    } else if (const int64_t* i = std::get_if<int64_t>(&e.immediate)) {
      if (type.kind == ir::Type::Kind::Bool) {
        text = *i ? "True" : "False";
      } else {
        text = type.kind == ir::Type::Kind::UInt ? std::to_string(uint64_t(*i)) : std::to_string(*i);
      }
    }
    bool plain = e.type.python || type == ir::kBool;
    return plain ? text : to_string(e.type) + "(" + text + ")";
  }

  std::string subscript(const TSubscript& s) {
    switch (s.kind) {
      case TSubscript::Kind::Index: return expr(s.lower) + (s.wrap ? "~" : "");
      case TSubscript::Kind::Whole: return ":";
      case TSubscript::Kind::New: return "None";
      case TSubscript::Kind::Slice: break;
    }
    std::string out = s.lower.valid() ? expr(s.lower) : "";
    out += ":";
    if (s.upper.valid()) out += expr(s.upper);
    if (s.step.valid()) (out += ":") += expr(s.step);
    return out;
  }

  std::string view(const TExpr& e) {
    std::string out = expr(e.children[0]) + "[";
    for (size_t i = 0; i < e.subscripts.size(); ++i) out += (i ? ", " : "") + subscript(e.subscripts[i]);
    return out + "]";
  }

  std::string expr(TExprId id) {
    const TExpr& e = fn_.exprs[id];
    switch (e.kind) {
      case TExprKind::Const: return constant(e);
      case TExprKind::Local: return name(e.local);
      case TExprKind::Convert:
        if (e.type.is_scalar()) return to_string(e.type) + "(" + expr(e.children[0]) + ")";
        return "convert<" + to_string(e.type) + ">(" + expr(e.children[0]) + ")";
      case TExprKind::Op: return std::string(ir::info(e.op).text) + "(" + list(e.children) + ")";
      case TExprKind::And: return "(" + expr(e.children[0]) + " and " + expr(e.children[1]) + ")";
      case TExprKind::Or: return "(" + expr(e.children[0]) + " or " + expr(e.children[1]) + ")";
      case TExprKind::Ternary:
        return "(" + expr(e.children[1]) + " if " + expr(e.children[0]) + " else " + expr(e.children[2]) +
               ")";
      case TExprKind::Tuple: return "(" + list(e.children) + (e.children.size() == 1 ? ",)" : ")");
      case TExprKind::TupleItem: return expr(e.children[0]) + "." + std::to_string(e.index);
      case TExprKind::Element:
        if (ir::is_load(e.op)) return std::string(ir::info(e.op).text) + "(" + list(e.children) + ")";
        return expr(e.children[0]) + "[" + indices(e.children, 1, e.children.size(), e.wrap) + "]";
      case TExprKind::Atomic: return atomic(e);
      case TExprKind::View: return view(e);
      case TExprKind::Field: return expr(e.children[0]) + field(e);
      case TExprKind::Reinterpret: return expr(e.children[0]) + ".view<" + to_string(e.type) + ">()";
      case TExprKind::Component: return expr(e.children[0]) + ".component" + std::to_string(e.index);
      case TExprKind::Transpose:
        return expr(e.children[0]) + (e.shape.empty() ? ".T" : ".transpose" + shape(e.shape));
      case TExprKind::Reshape: return expr(e.children[0]) + ".reshape(" + list(e.children, 1) + ")";
      case TExprKind::Shape: return expr(e.children[0]) + ".shape" + std::to_string(e.index);
      case TExprKind::Address: return "address(" + expr(e.children[0]) + ")";
      case TExprKind::Stride: return expr(e.children[0]) + ".stride" + std::to_string(e.index);
      case TExprKind::Size: return expr(e.children[0]) + ".size";
      case TExprKind::SharedArray: return "shared_array<" + to_string(e.type) + ">" + shape(e.shape);
      case TExprKind::LocalArray: return "local_array<" + to_string(e.type) + ">" + shape(e.shape);
      case TExprKind::DynamicShared: return "dynamic_shared<" + to_string(e.type) + ">()";
      case TExprKind::Data:
        return "data " + (e.index < module_.data.size() ? module_.data[e.index].name : "?");
      case TExprKind::External:
        return (e.index < module_.externals.size() ? module_.externals[e.index].symbol : "?") + "(" +
               list(e.children) + ")";
      case TExprKind::Call:
        return (e.index < module_.functions.size() ? module_.functions[e.index].name : "?") + "(" +
               list(e.children) + ")";
    }
    return "?";
  }

  // ".name", or of a text its characters.
  std::string field(const TExpr& e) const {
    const ElementType& base = fn_.exprs[e.children[0]].type.element;
    if (!base.is_record()) return ".characters";
    for (const RecordField& f : base.record->fields)
      if (f.offset == e.index) return "." + f.name;
    return ".?";
  }

  std::string atomic(const TExpr& e) {
    size_t dims = fn_.exprs[e.children[0]].type.ndim;
    return std::string(ir::info(e.op).text) + "(" + expr(e.children[0]) + "[" +
           indices(e.children, 1, 1 + dims, e.wrap) + "], " + list(e.children, 1 + dims) + ")";
  }

  const TypedModule& module_;
  const TypedFunction& fn_;
  std::vector<std::string> names_;
  std::string out_;
};

}  // namespace

std::string print_typed(const TypedModule& module) {
  std::string out;
  for (const TypedFunction& function : module.functions) {
    if (!out.empty()) out += "\n";
    out += Printer(module, function).run();
  }
  return out;
}

}  // namespace lanewise::frontend
