// Memory that is reached by bytes: records, texts, fields of records, misaligned arrays. An element is where
// base + sum(index * stride) bytes is; aligned ones are loaded through a pointer cast to their type, others
// byte by byte, so that the IR knows aligned elements only.
#include <algorithm>

#include "frontend/lower.h"
#include "frontend/record_type.h"

namespace lanewise::frontend {

using ir::OpKind;
using ir::ValueId;

namespace {

ir::Type unsigned_of(unsigned bytes) { return {ir::Type::Kind::UInt, static_cast<uint8_t>(8 * bytes)}; }

// Copies of more bytes are loops.
constexpr unsigned kUnrolledPieces = 16;

}  // namespace

ValueId FunctionLowering::typed_pointer(ValueId bytes, ValueId offset, ir::Type element) {
  ValueId moved = constant_of(offset) == 0 ? bytes : op(OpKind::Offset, {bytes, offset});
  ir::Type type = build_.type(bytes);
  return type.element() == element ? moved
                                   : build_.emit(OpKind::PtrCast, {moved}, element.pointer(type.space));
}

ValueId FunctionLowering::in_bytes(ValueId pointer) { return typed_pointer(pointer, i64(0), ir::kU8); }

ValueId FunctionLowering::load_in_bytes(ValueId bytes, ValueId offset, ir::Type type, bool unaligned) {
  unsigned size = type.element_size();
  if (!unaligned || size == 1) return op(OpKind::Load, {typed_pointer(bytes, offset, type), i64(0)});
  ir::Type whole = unsigned_of(size);
  ValueId base = typed_pointer(bytes, offset, ir::kU8), bits;
  for (unsigned i = 0; i < size; ++i) {
    ValueId part = build_.cast(op(OpKind::Load, {base, i64(i)}), whole);
    if (i > 0) part = op(OpKind::Shl, {part, i64(8 * i)});
    bits = i > 0 ? op(OpKind::Or, {bits, part}) : part;
  }
  return type == whole ? bits : build_.emit(OpKind::Bitcast, {bits}, type);
}

void FunctionLowering::store_in_bytes(ValueId bytes, ValueId offset, ValueId value, bool unaligned) {
  ir::Type type = build_.type(value);
  unsigned size = type.element_size();
  if (!unaligned || size == 1) {
    build_.emit_void(OpKind::Store, {typed_pointer(bytes, offset, type), i64(0), value});
    return;
  }
  ir::Type whole = unsigned_of(size);
  ValueId bits = type == whole ? value : build_.emit(OpKind::Bitcast, {value}, whole);
  ValueId base = typed_pointer(bytes, offset, ir::kU8);
  for (unsigned i = 0; i < size; ++i) {
    ValueId part = i > 0 ? op(OpKind::Shr, {bits, i64(8 * i)}) : bits;
    build_.emit_void(OpKind::Store, {base, i64(i), build_.cast(part, ir::kU8)});
  }
}

Values FunctionLowering::load_in_bytes(ValueId bytes, ValueId offset, const ValueType& array) {
  const ElementType& element = array.element;
  Values values;
  for (unsigned i = 0; i < element.lanes; ++i) {
    ValueId at = add(offset, i64(i * element.scalar.element_size()));
    values.push_back(load_in_bytes(bytes, at, element.scalar, array.unaligned));
  }
  return values;
}

void FunctionLowering::store_in_bytes(ValueId bytes, ValueId offset, const ValueType& array,
                                      const Values& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    ValueId at = add(offset, i64(static_cast<int64_t>(i * array.element.scalar.element_size())));
    store_in_bytes(bytes, at, values[i], array.unaligned);
  }
}

// One whole record or text, in the widest pieces that are aligned on both sides; all is read before anything
// is written.
void FunctionLowering::copy_bytes(ValueId to, ValueId offset, const ValueType& target, ValueId from,
                                  const ValueType& source) {
  unsigned size = target.element.size();
  bool unaligned = target.unaligned || source.unaligned;
  unsigned piece = unaligned ? 1 : std::min(target.element.alignment(), 8u);
  ir::Type type = unsigned_of(piece);
  unsigned count = size / piece;
  ValueId target_pointer = typed_pointer(to, offset, type),
          source_pointer = typed_pointer(from, i64(0), type);
  if (count <= kUnrolledPieces) {
    Values values;
    for (unsigned i = 0; i < count; ++i) values.push_back(op(OpKind::Load, {source_pointer, i64(i)}));
    for (unsigned i = 0; i < count; ++i) build_.emit_void(OpKind::Store, {target_pointer, i64(i), values[i]});
    return;
  }
  Values bounds = {i64(0), i64(count), i64(1)};
  ir::RegionId region = build_.new_region({ir::kI64});
  {
    ir::Builder::Inside inside(build_, region);
    ValueId i = build_.params(region)[0];
    build_.emit_void(OpKind::Store, {target_pointer, i, op(OpKind::Load, {source_pointer, i})});
    end(OpKind::Yield);
  }
  build_.emit_control(OpKind::For, bounds, {region});
}

Values FunctionLowering::field(const TExpr& e) {
  ArrayView out = array(expr(e.children[0]), fn_.exprs[e.children[0]].type);
  ir::Type element = e.type.in_bytes() ? ir::kU8 : e.type.element.scalar;
  out.pointer = typed_pointer(out.pointer, i64(e.index), element);
  int64_t stride = e.type.element.size();
  size_t outer = out.shape.size();
  for (size_t d = e.shape.size(); d-- > 0;) {
    out.shape.insert(out.shape.begin() + static_cast<ptrdiff_t>(outer), i64(e.shape[d]));
    out.strides.insert(out.strides.begin() + static_cast<ptrdiff_t>(outer), i64(stride));
    stride *= e.shape[d];
  }
  return flatten_array(out, e.type);
}

Values FunctionLowering::reinterpret(const TExpr& e) {
  const ValueType& source = fn_.exprs[e.children[0]].type;
  ArrayView out = array(expr(e.children[0]), source);
  int64_t from = source.element.size(), to = e.type.element.size();
  if (from != to && !out.shape.empty()) {
    ValueId bytes = mul(out.shape.back(), i64(from));
    std::optional<int64_t> known = constant_of(bytes);
    out.shape.back() = known ? i64(*known / to) : to == 1 ? bytes : op(OpKind::FloorDiv, {bytes, i64(to)});
  }
  if (e.type.layout == Layout::Bytes && !source.in_bytes())
    for (ValueId& stride : out.strides) stride = mul(stride, i64(from));
  if (from != to && !out.strides.empty()) out.strides.back() = i64(e.type.in_bytes() ? to : 1);
  out.pointer = typed_pointer(out.pointer, i64(0), e.type.in_bytes() ? ir::kU8 : e.type.element.scalar);
  return flatten_array(out, e.type);
}

}  // namespace lanewise::frontend
