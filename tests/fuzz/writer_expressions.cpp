// Expressions of random kernels. What the language has is listed as patterns; a new builtin is a new line.
#include <algorithm>

#include "tests/fuzz/writer.h"

namespace lanewise::fuzz {
namespace {

// All of them exact: the same bits on every back end. {i} Int, {f} Float, {b} Bool; {I} {F} no constants.
constexpr std::string_view kInts[] = {
    "({i} + {i})",
    "({i} - {i})",
    "({i} * {i})",
    "({i} // {i})",
    "({i} % {i})",
    "({i} & {i})",
    "({i} | {i})",
    "({i} ^ {i})",
    "({i} + {i})",
    "({i} - {i})",
    "({i} << ({i} & 15))",
    "({i} >> ({i} & 31))",
    "({i} << {i})",
    "({i} >> {i})",
    "(-{i})",
    "(~{i})",
    "(+{i})",
    "abs({i})",
    "min({i}, {i})",
    "max({i}, {i}, {i})",
    "({i} if {b} else {i})",
    "({i} if {b} else {i})",
    "np.where({b}, {i}, {i})",
    "gpu.selp({b}, {i}, {i})",
    "({i} ** 2)",
    "({i} ** ({i} & 3))",
    "({i} ** {i})",
    "pow({i}, 3)",
    "divmod({i}, {i})[0]",
    "divmod({i}, {i})[1]",
    "({i} and {i})",
    "({i} or {i})",
    "int({f})",
    "int({b})",
    "int({i})",
    "({b} + {b})",
    "({i} - {b})",
    "round({f})",
    "gpu.int8({i})",
    "gpu.int16({i})",
    "gpu.int32({i})",
    "gpu.int64({i})",
    "gpu.uint8({i})",
    "np.uint16({i})",
    "gpu.uint32({i})",
    "np.uint64({i})",
    "gpu.int8({f})",
    "np.int16({f})",
    "gpu.int32({f})",
    "gpu.int64({f})",
    "gpu.uint8({f})",
    "gpu.uint16({f})",
    "gpu.uint32({f})",
    "gpu.uint64({f})",
    "np.int32({b})",
    "np.sign({i})",
    "np.square({i})",
    "np.clip({i}, {i}, {i})",
    "np.maximum({i}, {i})",
    "np.bitwise_xor({i}, {i})",
    "sum(({i}, {i}, {i}))",
    "({i}, {I}, {i})[1]",
    "({I}, {f})[0]",
    "len(({i}, {f}))",
    "math.frexp({f})[1]",
    "gpu.popc({i})",
    "gpu.clz({i})",
    "gpu.ffs({i})",
    "gpu.brev({i})",
    "(lambda a, b: a * 3 - b)({i}, {i})",
};
constexpr std::string_view kFloats[] = {
    "({f} + {f})",
    "({f} - {f})",
    "({f} * {f})",
    "({f} / {f})",
    "({f} + {i})",
    "({i} * {f})",
    "({f} - {b})",
    "({i} / {i})",
    "({f} // {f})",
    "({f} % {f})",
    "({f} * 0.5)",
    "(1.5 - {f})",
    "(-{f})",
    "abs({f})",
    "min({f}, {f})",
    "max({f}, {f})",
    "min({f}, {i})",
    "({f} if {b} else {f})",
    "({f} if {b} else {i})",
    "np.where({b}, {f}, {f})",
    "({f} ** 2)",
    "({f} ** 3)",
    "({f} ** -1)",
    "({f} and {f})",
    "({f} or {f})",
    "float({i})",
    "float({f})",
    "gpu.float16({f})",
    "gpu.float32({f})",
    "gpu.float64({f})",
    "np.float16({i})",
    "gpu.float32({i})",
    "np.float64({i})",
    "gpu.float32({b})",
    "math.sqrt({f})",
    "math.sqrt({i})",
    "math.floor({f})",
    "math.ceil({f})",
    "math.trunc({f})",
    "np.rint({f})",
    "math.fabs({f})",
    "gpu.fma({f}, {f}, {f})",
    "math.fmod({f}, {f})",
    "math.remainder({f}, {f})",
    "math.ldexp({f}, ({i} % 40))",
    "math.nextafter({f}, {f})",
    "math.modf({f})[0]",
    "math.modf({f})[1]",
    "math.frexp({f})[0]",
    "math.copysign({f}, max({f}, -3000.0))",
    "math.degrees({f})",
    "math.radians({f})",
    "np.sign({f})",
    "np.square({f})",
    "np.reciprocal({f})",
    "np.clip({f}, {f}, {f})",
    "round({f}, 2)",
    "divmod({f}, {f})[1]",
    "({i}, {F})[1]",
    "sum(({f}, {f}))",
    "complex({F}, {F}).real",
    "complex({F}, {I}).conjugate().imag",
    "(complex({f}, {F}) * {f}).imag",
    "(complex({F}, {f}) * complex({f}, {f})).real",
    "(complex({F}, {F}) - {i}).real",
    "(complex({F}, {f}) / complex({f}, {F})).imag",
    "(complex({F}, {f}) ** 2).imag",
    "np.complex64(complex({F}, {F})).real",
    "(2j * {F}).imag",
    "({F} if {b} else complex({F}, {F})).imag",
};
constexpr std::string_view kBools[] = {
    "({i} < {i})",
    "({i} <= {i})",
    "({i} == {i})",
    "({i} != {i})",
    "({i} > {i})",
    "({i} >= {i})",
    "({f} < {f})",
    "({f} >= {f})",
    "({f} == {f})",
    "({f} != {i})",
    "({i} < {f})",
    "({i} < {i} <= {i})",
    "({i} > {f} != {i})",
    "({i} in (1, 2, {i}))",
    "({i} not in (0, 5))",
    "({i} in range(10))",
    "({i} in range({i}, 20, 3))",
    "(not {b})",
    "(not {i})",
    "({b} and {b})",
    "({b} or {b})",
    "({b} & {b})",
    "({b} | {b})",
    "({b} ^ {b})",
    "(~{b})",
    "({b} == {b})",
    "({b} if {b} else {b})",
    "bool({i})",
    "bool({f})",
    "gpu.boolean({f})",
    "math.isnan({f})",
    "math.isinf({f})",
    "math.isfinite({f})",
    "np.signbit(max({f}, -3000.0))",
    "np.logical_xor({b}, {i})",
    "(({i}, {i}) == ({i}, {i}))",
    "(({i}, ({f}, {I})) < ({i}, ({f}, {i})))",
    "(complex({f}, {F}) == complex({F}, {i}))",
};

template <size_t N>
std::string_view pick(test::Random& random, const std::string_view (&from)[N]) {
  return from[random.below(N)];
}

}  // namespace

Expr Writer::pattern(Category category, std::string_view form, int depth) {
  Expr out{category, {""}, {}, false};
  std::string_view whole = form;
  while (!form.empty()) {
    size_t brace = form.find('{');
    out.text.back() += form.substr(0, brace);
    if (brace == form.npos) break;
    std::string_view what = form.substr(brace + 1, form.find('}', brace) - brace - 1);
    form.remove_prefix(brace + what.size() + 2);
    Category of = what == "b" ? Category::Bool : what == "i" || what == "I" ? Category::Int : Category::Float;
    out.parts.push_back(what == "I" || what == "F" ? changing(of, depth - 1) : expr(of, depth - 1));
    out.text.emplace_back();
  }
  // An expression of constants only could be a number that fits no type; an operation has one that is none.
  if (std::all_of(out.parts.begin(), out.parts.end(), [](const Expr& part) { return part.constant; }))
    out.parts[0] = variable(out.parts[0].category);
  // What may turn out to be one of its parts is a constant where that is one.
  if (whole.find(" if ") != whole.npos || whole.find(" and ") != whole.npos ||
      whole.find(" or ") != whole.npos)
    out.constant =
        std::any_of(out.parts.begin(), out.parts.end(), [](const Expr& part) { return part.constant; });
  if (whole.starts_with("len(")) out.constant = true;
  return out;
}

Expr Writer::around(Category category, std::string_view form, std::vector<Expr> parts) {
  Expr out{category, {""}, std::move(parts), false};
  for (size_t hole; (hole = form.find("{}")) != form.npos; form.remove_prefix(hole + 2)) {
    out.text.back() += form.substr(0, hole);
    out.text.emplace_back();
  }
  out.text.back() += form;
  return out;
}

Expr Writer::variable(Category category) {
  for (int tries = 0; tries < 6 && !names_.empty(); ++tries) {
    const Name& name = random_.pick(names_);
    if (name.category == category) return {category, {name.text}, {}, false};
  }
  if (category == Category::Int && !counters_.empty() && random_.one_in(2))
    return {category, {random_.pick(counters_).text}, {}, false};
  for (const Name& name : names_)
    if (name.category == category) return {category, {name.text}, {}, false};
  const Name& name = names_.front();  // an int
  if (category == Category::Int) return {category, {name.text}, {}, false};
  return around(category, category == Category::Float ? "({} * 0.25)" : "({} > 2)", {text(name.text)});
}

Expr Writer::leaf(Category category) {
  static constexpr std::array<const char*, 16> kInt = {"0",  "1",   "2",   "3", "5", "7",  "8",  "31",
                                                       "64", "100", "127", "1", "2", "-1", "-3", "-100"};
  static constexpr std::array<const char*, 12> kFloat = {"0.0", "1.0",  "0.5",   "-1.5", "2.0",  "3.25",
                                                         "0.1", "-0.0", "100.0", "1e3",  "-7.0", "0.3"};
  if (!random_.one_in(3)) return variable(category);
  if (category == Category::Int && !program_.constants.empty() && random_.one_in(4))
    return {category, {"K" + std::to_string(random_.below(program_.constants.size()))}, {}, true};
  if (category == Category::Int) return {category, {random_.pick(kInt)}, {}, true};
  if (category == Category::Float) return {category, {random_.pick(kFloat)}, {}, true};
  return {category, {random_.one_in(2) ? "True" : "False"}, {}, true};
}

Expr Writer::expr(Category category, int depth) {
  if (depth <= 0) return leaf(category);
  size_t kind = random_.below(12);
  if (kind < 3 && !places_.empty()) {
    for (int tries = 0; tries < 8; ++tries)
      if (const Place& place = random_.pick(places_); category_of(place.type) == category)
        return element(Place(place), depth);
  }
  if (kind == 3 && !functions_.empty()) {
    const DeviceFunction& function = random_.pick(functions_);
    for (size_t r = 0; r < function.results.size(); ++r)
      if (function.results[r] == category) return call(function, r, depth);
  }
  if (kind == 4) {
    for (int tries = 0; tries < 4; ++tries) {
      const Name& name = random_.pick(names_);
      if (name.category == category && !name.assign.empty() && !in_function_)
        return around(category, "(" + name.text + " := " + name.assign + ")",
                      {changing(category, depth - 1)});
    }
  }
  if (kind == 5) return leaf(category);
  switch (category) {
    case Category::Int: return pattern(category, pick(random_, kInts), depth);
    case Category::Float: return pattern(category, pick(random_, kFloats), depth);
    case Category::Bool: return pattern(category, pick(random_, kBools), depth);
    case Category::Index:
    case Category::Text: break;
  }
  return leaf(Category::Int);
}

Expr Writer::changing(Category category, int depth) {
  Expr e = expr(category, depth);
  return e.constant ? variable(category) : e;
}

Expr Writer::call(const DeviceFunction& function, size_t result, int depth) {
  std::string form = function.name + "(";
  size_t count = function.least + random_.below(function.params.size() - function.least + 1);
  std::vector<Expr> parts;
  for (size_t i = 0; i < count; ++i) {
    form += i > 0 ? ", " : "";
    if (i > 0 && i + 1 == count && random_.one_in(4)) form += "p" + std::to_string(i) + "=";
    form += "{}";
    parts.push_back(expr(function.params[i], depth - 1));
  }
  form += ")";
  if (function.results.size() > 1) form += "[" + std::to_string(result) + "]";
  return around(function.results[result], form, std::move(parts));
}

Expr Writer::index(int64_t size, bool non_negative, int depth) {
  std::string n = std::to_string(size);
  auto made = [&](std::string_view form, Category of) {
    return around(Category::Index, form, {changing(of, std::max(depth - 1, 0))});
  };
  bool power = (size & (size - 1)) == 0;
  switch (random_.below(9)) {
    case 0: {
      int64_t low = non_negative || random_.one_in(2) ? 0 : -size;
      int64_t at = low + static_cast<int64_t>(random_.below(static_cast<size_t>(size - low)));
      return {Category::Index, {std::to_string(at)}, {}, true};
    }
    case 1:
    case 2:
      for (int tries = 0; tries < 4 && !counters_.empty(); ++tries) {
        const Counter& counter = random_.pick(counters_);
        int64_t first = non_negative || counter.may_be_unsigned ? 0 : -size,
                spread = size - first - 1 - (counter.high - counter.low);
        if (spread < 0) continue;
        int64_t shift =
            first - counter.low + static_cast<int64_t>(random_.below(static_cast<size_t>(spread) + 1));
        bool direct = counter.low >= first && counter.high < size;
        if (direct && random_.one_in(2)) shift = 0;
        std::string form = counter.text;
        if (shift != 0) form += (shift > 0 ? " + " : " - ") + std::to_string(std::abs(shift));
        if (random_.one_in(4) && first + (counter.high - counter.low) < size) {  // downwards
          int64_t top = size - 1 + counter.low;
          form = std::to_string(top) + " - " + counter.text;
        }
        return {Category::Index, {form}, {}, false};
      }
      break;
    case 3:
      if (!non_negative) return made("gpu.int64({} % " + n + ") - " + n, Category::Int);
      break;
    case 4: return made("min(max({}, 0), " + std::to_string(size - 1) + ")", Category::Int);
    case 5: return made("abs({} % " + n + ")", Category::Int);
    case 6:  // a float with a whole value is an index, but cannot be added to one
      if (!non_negative && random_.one_in(3))
        return made("math.floor(max(min({}, " + std::to_string(size - 1) + ".0), 0.0))", Category::Float);
      break;
    default: break;
  }
  if (power && random_.one_in(2)) return made("{} & " + std::to_string(size - 1), Category::Int);
  return made("{} % " + n, Category::Int);
}

Expr Writer::element(const Place& place, int depth) {
  std::string form = place.open;
  std::vector<Expr> parts;
  bool chained = place.chained && random_.one_in(3);
  for (size_t d = 0; d < place.dims.size(); ++d) {
    if (d > 0) form += chained ? "][" : ", ";
    form += place.non_negative ? "({})" : "{}";
    parts.push_back(index(place.dims[d], place.non_negative, depth - 1));
  }
  return around(category_of(place.type), form + place.close, std::move(parts));
}

Expr Writer::uniform(int depth) {
  std::vector<const Name*> names;
  for (const Name& name : names_)
    if (name.uniform && name.category == Category::Int) names.push_back(&name);
  if (depth <= 0 || random_.one_in(4))
    return {Category::Int, {names[random_.below(names.size())]->text}, {}, false};
  static constexpr std::array<const char*, 6> kForms = {"({} + {})", "({} & {})",   "({} - {})",
                                                        "({} ^ {})", "max({}, {})", "({} // {})"};
  return around(Category::Int, random_.pick(kForms), {uniform(depth - 1), uniform(depth - 1)});
}

Expr Writer::uniform_condition() {
  static constexpr std::array<const char*, 5> kForms = {"({} & 1) == 0", "{} % 3 > 0", "{} < 4",
                                                        "{} % 5 != 2", "{} >= 1"};
  return around(Category::Bool, random_.pick(kForms), {uniform(1)});
}

Expr Writer::exact_float(ir::Type) {
  return around(Category::Float, "(({} & 7) * 1.0)", {variable(Category::Int)});
}

}  // namespace lanewise::fuzz
