// Arrays of the typed tree -> pointers, shapes and index arithmetic. An element's index is the sum of
// index * stride in elements; strides of contiguous arrays come from the shape. Views move the pointer and
// pick new shapes and strides, slices clip as NumPy's do.
#include "frontend/lower.h"

namespace lanewise::frontend {

using ir::kBool;
using ir::kI64;
using ir::OpKind;
using ir::ValueId;

// Addressing asks for the same few numbers again and again: each is one op in the function's body. The op
// that owns the current region is not there yet, so that the constant comes before it.
ValueId FunctionLowering::i64(int64_t value) {
  auto [entry, is_new] = integers_.try_emplace(value);
  if (is_new) {
    ir::Builder::Inside inside(build_, out_.body);
    entry->second = build_.const_int(kI64, value);
    constants_[entry->second.index] = value;
  }
  return entry->second;
}

std::optional<int64_t> FunctionLowering::constant_of(ValueId value) const {
  auto found = constants_.find(value.index);
  return found == constants_.end() ? std::nullopt : std::optional(found->second);
}

ValueId FunctionLowering::add(ValueId a, ValueId b) {
  std::optional<int64_t> left = constant_of(a), right = constant_of(b);
  if (left == 0) return b;
  if (right == 0) return a;
  int64_t sum = 0;
  if (left && right && !__builtin_add_overflow(*left, *right, &sum)) return i64(sum);
  return op(OpKind::Add, {a, b});
}

ValueId FunctionLowering::mul(ValueId a, ValueId b) {
  std::optional<int64_t> left = constant_of(a), right = constant_of(b);
  if (left == 1 || right == 0) return b;
  if (right == 1 || left == 0) return a;
  int64_t product = 0;
  if (left && right && !__builtin_mul_overflow(*left, *right, &product)) return i64(product);
  return op(OpKind::Mul, {a, b});
}

FunctionLowering::ArrayView FunctionLowering::array(const Values& values, const ValueType& type) {
  size_t ndim = type.ndim;
  LANEWISE_CHECK(type.is_array() && values.size() >= 1 + ndim, "an array was wanted");
  ArrayView view{values[0], Values(values.begin() + 1, values.begin() + 1 + type.ndim), {}};
  if (type.has_strides()) {
    view.strides.assign(values.begin() + 1 + type.ndim, values.end());
    return view;
  }
  view.strides.resize(ndim);
  ValueId stride = i64(type.in_bytes() ? type.element.size() : 1);
  for (size_t i = 0; i < ndim; ++i) {
    size_t dim = type.layout == Layout::C ? ndim - 1 - i : i;
    view.strides[dim] = stride;
    if (i + 1 < ndim) stride = mul(stride, view.shape[dim]);
  }
  return view;
}

Values FunctionLowering::flatten_array(const ArrayView& view, const ValueType& type) {
  Values values = {view.pointer};
  values.insert(values.end(), view.shape.begin(), view.shape.end());
  if (type.has_strides()) values.insert(values.end(), view.strides.begin(), view.strides.end());
  return values;
}

Values FunctionLowering::new_array(const TExpr& e) {
  const ElementType& element = e.type.element;
  bool bytes_only = e.type.in_bytes();
  ir::Type pointer = (bytes_only ? ir::kU8 : element.scalar).pointer(e.type.space);
  if (e.kind == TExprKind::DynamicShared) {
    ValueId start = build_.emit(OpKind::DynamicShared, {}, pointer);
    ValueId bytes = build_.emit(OpKind::DynamicSharedBytes, {}, kI64);
    return {start, op(OpKind::FloorDiv, {bytes, i64(element.size())})};
  }
  int64_t immediate = e.index;
  if (e.kind != TExprKind::Data) {
    immediate = bytes_only ? element.size() : element.lanes;
    for (int64_t extent : e.shape) immediate *= extent;
  }
  OpKind kind = e.kind == TExprKind::Data          ? OpKind::Data
                : e.kind == TExprKind::SharedArray ? OpKind::SharedArray
                                                   : OpKind::LocalArray;
  ArrayView view{build_.emit_immediate(kind, immediate, pointer), {}, {}};
  for (int64_t extent : e.shape) view.shape.push_back(i64(extent));
  return flatten_array(view, e.type);
}

ValueId FunctionLowering::wrapped(TExprId id, bool wrap, ValueId extent) {
  ValueId index = scalar(id);
  if (!wrap) return index;
  if (std::optional<int64_t> known = constant_of(index)) return *known < 0 ? add(index, extent) : index;
  ValueId negative = op(OpKind::Lt, {index, i64(0)});
  return op(OpKind::Select, {negative, add(index, extent), index});
}

ValueId FunctionLowering::address(const ArrayView& view, const std::vector<TExprId>& indices, size_t first,
                                  const std::vector<bool>& wrap) {
  ValueId sum = i64(0);
  for (size_t d = 0; d < view.shape.size(); ++d) {
    ValueId index = wrapped(indices[first + d], d >= wrap.size() || wrap[d], view.shape[d]);
    sum = add(sum, mul(index, view.strides[d]));
  }
  return sum;
}

ValueId FunctionLowering::component_index(ValueId element, const ElementType& type, size_t index) {
  if (type.lanes == 1) return element;
  return add(mul(element, i64(type.lanes)), i64(static_cast<int64_t>(index)));
}

Values FunctionLowering::element(const TExpr& e) {
  const ValueType& type = fn_.exprs[e.children[0]].type;
  ArrayView source = array(expr(e.children[0]), type);
  ValueId index = address(source, e.children, 1, e.wrap);
  if (type.in_bytes()) return load_in_bytes(source.pointer, index, type);
  OpKind load = ir::is_load(e.op) ? e.op : OpKind::Load;
  Values values;
  for (size_t i = 0; i < type.element.lanes; ++i)
    values.push_back(op(load, {source.pointer, component_index(index, type.element, i)}));
  return values;
}

Values FunctionLowering::atomic(const TExpr& e) {
  const ValueType& type = fn_.exprs[e.children[0]].type;
  ArrayView target = array(expr(e.children[0]), type);
  Values operands = {target.pointer, address(target, e.children, 1, e.wrap)};
  if (type.in_bytes()) operands = {typed_pointer(operands[0], operands[1], type.element.scalar), i64(0)};
  for (size_t i = 1 + size_t{type.ndim}; i < e.children.size(); ++i)
    operands.push_back(scalar(e.children[i]));
  return build_.emit_many(e.op, std::move(operands), flatten(e.type), e.immediate);
}

Values FunctionLowering::component(const TExpr& e) {
  const ValueType& type = fn_.exprs[e.children[0]].type;
  ArrayView out = array(expr(e.children[0]), type);
  int64_t place = e.index;
  if (type.in_bytes())
    place *= type.element.scalar.element_size();
  else
    for (ValueId& stride : out.strides) stride = mul(stride, i64(type.element.lanes));
  if (place) out.pointer = op(OpKind::Offset, {out.pointer, i64(place)});
  return flatten_array(out, e.type);
}

Values FunctionLowering::view(const TExpr& e) {
  const ValueType& type = fn_.exprs[e.children[0]].type;
  ArrayView source = array(expr(e.children[0]), type);
  ArrayView out;
  ValueId offset = i64(0);
  size_t d = 0;
  for (const TSubscript& s : e.subscripts) {
    if (s.kind == TSubscript::Kind::New) {
      out.shape.push_back(i64(1));
      out.strides.push_back(i64(0));
      continue;
    }
    ValueId extent = source.shape[d], stride = source.strides[d];
    ++d;
    switch (s.kind) {
      case TSubscript::Kind::New: break;
      case TSubscript::Kind::Index:
        offset = add(offset, mul(wrapped(s.lower, s.wrap, extent), stride));
        break;
      case TSubscript::Kind::Whole:
        out.shape.push_back(extent);
        out.strides.push_back(stride);
        break;
      case TSubscript::Kind::Slice: slice(s, extent, stride, offset, out); break;
    }
  }
  for (; d < source.shape.size(); ++d) {
    out.shape.push_back(source.shape[d]);
    out.strides.push_back(source.strides[d]);
  }
  if (!type.in_bytes()) offset = component_index(offset, type.element, 0);
  out.pointer = constant_of(offset) == 0 ? source.pointer : op(OpKind::Offset, {source.pointer, offset});
  return flatten_array(out, e.type);
}

Values FunctionLowering::transpose(const TExpr& e) {
  ArrayView from = array(expr(e.children[0]), fn_.exprs[e.children[0]].type), to = from;
  size_t ndim = from.shape.size();
  for (size_t d = 0; d < ndim; ++d) {
    size_t source = e.shape.empty() ? ndim - 1 - d : static_cast<size_t>(e.shape[d]);
    to.shape[d] = from.shape[source];
    to.strides[d] = from.strides[source];
  }
  return flatten_array(to, e.type);
}

// A bound as NumPy reads it: negative counts from the end, then it is clipped to low .. high.
ValueId FunctionLowering::slice_bound(TExprId bound, bool wrap, ValueId extent, ValueId low, ValueId high) {
  ValueId value = wrapped(bound, wrap, extent);
  std::optional<int64_t> known = constant_of(value);
  bool not_below = (!wrap || (known && *known >= 0)) && constant_of(low) == 0;
  if (!not_below) value = op(OpKind::Max, {value, low});
  return op(OpKind::Min, {value, high});
}

void FunctionLowering::slice(const TSubscript& s, ValueId extent, ValueId stride, ValueId& offset,
                             ArrayView& out) {
  ValueId zero = i64(0), one = i64(1), minus_one = i64(-1);
  ValueId step = s.step.valid() ? scalar(s.step) : one;
  std::optional<int64_t> known = constant_of(step);
  // Where a slice may start and end: 0 .. n going up, -1 .. n - 1 going down.
  ValueId down, low = zero, high = extent;
  if (known && *known < 0) {
    low = minus_one, high = add(extent, minus_one);
  } else if (!known) {
    down = op(OpKind::Lt, {step, zero});
    low = op(OpKind::Select, {down, minus_one, zero});
    high = op(OpKind::Select, {down, add(extent, minus_one), extent});
  }
  auto pick = [&](ValueId if_up, ValueId if_down) {
    if (known) return *known < 0 ? if_down : if_up;
    return op(OpKind::Select, {down, if_down, if_up});
  };
  ValueId start = s.lower.valid() ? slice_bound(s.lower, s.wrap, extent, low, high) : pick(low, high);
  ValueId stop = s.upper.valid() ? slice_bound(s.upper, s.wrap_upper, extent, low, high) : pick(high, low);

  ValueId span = constant_of(start) == 0 ? stop : op(OpKind::Sub, {stop, start});
  ValueId count;
  if (known == 1) {
    bool from_zero = constant_of(start) == 0;
    count = from_zero ? span : op(OpKind::Max, {span, zero});
  } else {
    // As for range(): (stop - start - sign) // step + 1 if there is any element, else none.
    ValueId quotient = op(OpKind::FloorDiv, {add(span, pick(minus_one, one)), step});
    ValueId any = pick(op(OpKind::Gt, {span, zero}), op(OpKind::Lt, {span, zero}));
    if (!known) any = op(OpKind::And, {any, op(OpKind::Ne, {step, zero})});
    count = op(OpKind::Select, {any, add(quotient, one), zero});
  }
  offset = add(offset, mul(start, stride));
  out.shape.push_back(count);
  out.strides.push_back(mul(stride, step));
}

}  // namespace lanewise::frontend
