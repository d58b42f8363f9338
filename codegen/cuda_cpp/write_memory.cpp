// Loads, stores, pointers. A bool in memory is a byte: any but 0 is true.
#include "codegen/cuda_cpp/writer.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpKind;
using ir::Space;
using ir::Type;

namespace {

// What the cache hints stand for: load_cg -> __ldcg.
std::string hint_function(OpKind kind) {
  std::string_view name = ir::info(kind).text;
  return (ir::is_load(kind) ? "__ld" : "__st") + std::string(name.substr(name.size() - 2));
}

// The hints are for global memory.
bool is_hinted(OpKind kind, Space space) {
  return kind != OpKind::Load && kind != OpKind::Store && !ir::has_order(kind) && space == Space::Global;
}

}  // namespace

// `x[i]`
Expr FunctionWriter::element(const ir::Op& op) {
  Type pointer = f_.type(op.operands[0]);
  Expr e = primary(within(expr(op.operands[0]), Binding::Postfix) + "[" + expr(op.operands[1]).text + "]",
                   pointer.element());
  e.binding = Binding::Postfix;
  return e;
}

Expr FunctionWriter::load(const ir::Op& op, ir::OpId id) {
  Type type = f_.type(op.operands[0]).element();
  Expr e = element(op);
  if (exit_loads_[id.index] || op.kind == OpKind::AtomicLoad ||
      (op.kind == OpKind::LoadCv && !is_hinted(op.kind, f_.type(op.operands[0]).space))) {
    if (type.is_float() && type.bits == 16) {
      Expr bits = call(file_.helpers.use("load_anew"), ir::kU16, "&" + e.text + ".bits");
      return from_bits(bits, type);
    }
    e = call(file_.helpers.use("load_anew"), type, "&" + e.text);
  } else if (is_hinted(op.kind, f_.type(op.operands[0]).space)) {
    bool half = type.is_float() && type.bits == 16;
    e = call(hint_function(op.kind), half ? ir::kU16 : type, "&" + e.text + (half ? ".bits" : ""));
    if (half) return from_bits(e, type);
  }
  return type.is_bool() ? binary(e, "!=", int_literal(0), Binding::Equality, type) : e;
}

void FunctionWriter::store(const ir::Op& op) {
  Expr target = element(op), value = expr(op.operands[2]);
  Type type = f_.type(op.operands[0]).element();
  if (is_hinted(op.kind, f_.type(op.operands[0]).space)) {
    bool half = type.is_float() && type.bits == 16;
    std::string address = "&" + target.text + (half ? ".bits" : "");
    std::string stored = half             ? to_bits(value, type).text
                         : type.is_bool() ? "(unsigned char)" + within(value, Binding::Unary)
                                          : as(value, type).text;
    return line(hint_function(op.kind) + "(" + address + ", " + stored + ");");
  }
  if (op.kind == OpKind::AtomicStore) {
    bool half = type.is_float() && type.bits == 16;
    std::string word = half ? "unsigned short" : type_name(type);
    return line("*(volatile " + word + " *)&" + target.text + (half ? ".bits" : "") + " = " +
                (half ? to_bits(value, type) : value).text + ";");
  }
  if (value.left == target.text && !type.is_bool())
    return line(target.text + " " + value.op + "= " + value.right + ";");
  line(target.text + " = " + value.text + ";");
}

Expr FunctionWriter::pointer(const ir::Op& op) {
  Type type = f_.type(op.results[0]);
  bool is_const = type.space == Space::Constant || !file_.written[id_.index][op.results[0].index];
  switch (op.kind) {
    case OpKind::Data: {
      auto index = static_cast<size_t>(std::get<int64_t>(op.immediate));
      return primary(file_.use_array(index), type);
    }
    case OpKind::SharedArray:
    case OpKind::LocalArray: break;
    case OpKind::DynamicShared:
      file_.uses_dynamic_shared = true;
      return type.element() == ir::kU8 || type.element().is_bool()
                 ? primary("dynamic_shared", type)
                 : c_cast(pointer_name(type, is_const), primary("dynamic_shared", type), type);
    case OpKind::Offset: {
      Expr e = binary(expr(op.operands[0]), "+", expr(op.operands[1]), Binding::Sum, type);
      e.left.clear();
      return e;
    }
    case OpKind::PtrCast: return c_cast(pointer_name(type, is_const), expr(op.operands[0]), type);
    case OpKind::SpaceCast: return expr(op.operands[0]);
    default: return c_cast("long long", expr(op.operands[0]), ir::kI64);  // Address
  }
  return primary("", type);
}

}  // namespace lanewise::codegen::cuda_cpp
