// Python's operators on values known at compile time: chooses by the kinds of the operands, and does what is
// not arithmetic: logic, identity, membership, tuples and strings.
#include "frontend/host_value.h"

#include "frontend/host_numbers.h"
#include "frontend/infer/constants.h"

namespace lanewise::frontend {
namespace {

constexpr size_t kMaxItems = 1 << 14;  // of a tuple or bytes of a string made by an operator

bool is_typed(const HostValue& value) { return std::holds_alternative<HostValue::Typed>(value.value); }

template <class T>
const T* get(const HostValue& value) {
  return std::get_if<T>(&value.value);
}

// left == right; nullopt where that is not known at compile time. Tuples are finite trees made by the
// parser's bounded nesting, so the recursion is bounded as well.
std::optional<bool> equal(const HostValue& left, const HostValue& right) {
  if (is_number(left) && is_number(right)) {
    bool typed = is_typed(left) || is_typed(right);
    return (typed ? compare_typed(left, right) : compare_python(left, right)) == 0;
  }
  if (is_complex(left) || is_complex(right))
    if (std::optional<bool> same = complex_equal(left, right)) return same;
  if (auto* a = get<HostValue::Tuple>(left), *b = get<HostValue::Tuple>(right); a && b) {
    if (a->items.size() != b->items.size()) return false;
    for (size_t i = 0; i < a->items.size(); ++i) {
      std::optional<bool> same = equal(a->items[i], b->items[i]);
      if (!same || !*same) return same;
    }
    return true;
  }
  if (auto* a = get<std::string>(left), *b = get<std::string>(right); a && b) return *a == *b;
  if (auto* a = get<HostValue::DType>(left), *b = get<HostValue::DType>(right); a && b)
    return a->type == b->type && a->python == b->python;
  if (auto* a = get<HostValue::Function>(left), *b = get<HostValue::Function>(right); a && b)
    return *a == *b || ((*a)->identity && (*a)->identity == (*b)->identity);
  if (get<HostValue::None>(left) && get<HostValue::None>(right)) return true;
  auto comparable = [](const HostValue& v) {
    return is_number(v) || is_complex(v) || get<HostValue::Tuple>(v) || get<std::string>(v) ||
           get<HostValue::None>(v);
  };
  if (comparable(left) && comparable(right)) return false;  // of different kinds
  return std::nullopt;
}

// -1, 0, 1, or 2 if unordered; nullopt where Python raises.
std::optional<int> order(const HostValue& left, const HostValue& right) {
  if (is_number(left) && is_number(right))
    return is_typed(left) || is_typed(right) ? compare_typed(left, right) : compare_python(left, right);
  if (auto* a = get<std::string>(left), *b = get<std::string>(right); a && b)
    return *a < *b ? -1 : *a == *b ? 0 : 1;
  auto *a = get<HostValue::Tuple>(left), *b = get<HostValue::Tuple>(right);
  if (!a || !b) return std::nullopt;
  for (size_t i = 0; i < std::min(a->items.size(), b->items.size()); ++i) {
    std::optional<bool> same = equal(a->items[i], b->items[i]);
    if (!same) return std::nullopt;
    if (!*same) return order(a->items[i], b->items[i]);
  }
  if (a->items.size() == b->items.size()) return 0;
  return a->items.size() < b->items.size() ? -1 : 1;
}

std::optional<HostValue> compare(Operator op, const HostValue& left, const HostValue& right) {
  auto result = [&](bool value) -> HostValue {
    // Numbers keep their kind (docs/language.md, "Numbers"): a typed operand makes a typed bool.
    auto typed = [](const HostValue& v) {
      auto* complex = get<HostValue::Complex>(v);
      return is_typed(v) || (complex && !complex->part.is_void());
    };
    if (typed(left) || typed(right)) return make_typed(ir::kBool, int64_t{value});
    return {value};
  };
  if (op == Operator::Eq || op == Operator::Ne) {
    std::optional<bool> same = equal(left, right);
    if (!same) return std::nullopt;
    return result(*same == (op == Operator::Eq));
  }
  std::optional<int> ordered = order(left, right);
  if (!ordered) return std::nullopt;
  return result(holds(op, *ordered));
}

std::optional<bool> identical(const HostValue& left, const HostValue& right) {
  auto singleton = [](const HostValue& v) {
    return get<HostValue::None>(v) || get<bool>(v) || get<HostValue::DType>(v) || get<HostValue::Function>(v);
  };
  if (!singleton(left) && !singleton(right)) return std::nullopt;
  if (left.value.index() != right.value.index()) {
    if (get<HostValue::Unsupported>(left) || get<HostValue::Unsupported>(right)) return std::nullopt;
    return false;
  }
  return equal(left, right);
}

std::optional<bool> contains(const HostValue& container, const HostValue& item) {
  if (auto* text = get<std::string>(container), *part = get<std::string>(item); text && part)
    return text->find(*part) != std::string::npos;
  auto* tuple = get<HostValue::Tuple>(container);
  if (!tuple) return std::nullopt;
  for (const HostValue& one : tuple->items) {
    std::optional<bool> same = equal(one, item);
    if (!same || *same) return same;
  }
  return false;
}

std::optional<HostValue> concatenate(const HostValue& left, const HostValue& right) {
  if (auto* a = get<HostValue::Tuple>(left), *b = get<HostValue::Tuple>(right); a && b) {
    HostValue::Tuple out = *a;
    out.names = {};
    out.items.insert(out.items.end(), b->items.begin(), b->items.end());
    return HostValue{std::move(out)};
  }
  auto *a = get<std::string>(left), *b = get<std::string>(right);
  if (!a || !b) return std::nullopt;
  return HostValue{*a + *b};
}

std::optional<HostValue> repeat(const HostValue& items, const HostValue& count) {
  std::optional<int64_t> times = index_value(count);
  if (!times) return std::nullopt;
  if (*times < 0) times = 0;
  auto fits_limit = [&](size_t size) {
    return size == 0 || static_cast<uint64_t>(*times) <= kMaxItems / size;
  };
  if (auto* tuple = get<HostValue::Tuple>(items)) {
    if (!fits_limit(tuple->items.size())) return std::nullopt;
    HostValue::Tuple out;
    for (int64_t i = 0; i < (tuple->items.empty() ? 0 : *times); ++i)
      out.items.insert(out.items.end(), tuple->items.begin(), tuple->items.end());
    return HostValue{std::move(out)};
  }
  auto* text = get<std::string>(items);
  if (!text || !fits_limit(text->size())) return std::nullopt;
  std::string out;
  for (int64_t i = 0; i < (text->empty() ? 0 : *times); ++i) out += *text;
  return HostValue{std::move(out)};
}

}  // namespace

bool holds(Operator comparison, int order) {
  switch (comparison) {
    case Operator::Eq: return order == 0;
    case Operator::Ne: return order != 0;
    case Operator::Lt: return order == -1;
    case Operator::Le: return order == -1 || order == 0;
    case Operator::Gt: return order == 1;
    case Operator::Ge: return order == 1 || order == 0;
    default: return false;
  }
}

std::optional<HostValue> evaluate_binary(Operator op, const HostValue& left, const HostValue& right) {
  auto truth_value = [](std::optional<bool> value, bool wanted) -> std::optional<HostValue> {
    if (!value) return std::nullopt;
    return HostValue{*value == wanted};
  };
  switch (op) {
    case Operator::And:
    case Operator::Or: {
      std::optional<bool> decided = truth(left);
      if (!decided) return std::nullopt;
      return *decided == (op == Operator::And) ? right : left;
    }
    case Operator::Eq:
    case Operator::Ne:
    case Operator::Lt:
    case Operator::Le:
    case Operator::Gt:
    case Operator::Ge: return compare(op, left, right);
    case Operator::Is: return truth_value(identical(left, right), true);
    case Operator::IsNot: return truth_value(identical(left, right), false);
    case Operator::In: return truth_value(contains(right, left), true);
    case Operator::NotIn: return truth_value(contains(right, left), false);
    default: break;
  }
  if (is_number(left) && is_number(right))
    return is_typed(left) || is_typed(right) ? typed_binary(op, left, right) : python_binary(op, left, right);
  bool complex = is_complex(left) || is_complex(right);
  if (complex && !get<HostValue::Tuple>(left) && !get<HostValue::Tuple>(right))
    return complex_binary(op, left, right);
  if (op == Operator::Add) return concatenate(left, right);
  if (op == Operator::Mul) return is_number(right) ? repeat(left, right) : repeat(right, left);
  return std::nullopt;
}

std::optional<HostValue> evaluate_unary(Operator op, const HostValue& operand) {
  if (op == Operator::Not) {
    std::optional<bool> value = truth(operand);
    if (!value) return std::nullopt;
    return HostValue{!*value};
  }
  if (is_complex(operand)) return complex_unary(op, operand);
  if (!is_number(operand)) return std::nullopt;
  return is_typed(operand) ? typed_unary(op, operand) : python_unary(op, operand);
}

}  // namespace lanewise::frontend
