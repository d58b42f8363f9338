// What has parts, in random kernels: whole arrays, complex numbers, nested tuples, records; and checks that
// hold.
#include <algorithm>

#include "tests/fuzz/writer.h"

namespace lanewise::fuzz {
namespace {

constexpr size_t kRecords = 4;

struct Field {
  const char* name;
  const char* dtype;
  ir::Type type;
  std::vector<int64_t> dims;
};
const std::vector<Field>& fields() {
  static const std::vector<Field> kFields = {
      {"flag", "np.bool_", ir::kBool, {}}, {"x", "np.float32", ir::kF32, {}},
      {"k", "np.int64", ir::kI64, {}},     {"m", "np.int16", ir::kI16, {2, 3}},
      {"u", "np.uint8", ir::kU8, {}},      {"d", "np.float64", ir::kF64, {2}}};
  return kFields;
}

}  // namespace

std::string Writer::base_of(const std::string& name) const {
  auto found = bases_.find(name);
  return found == bases_.end() ? name : found->second;
}

Stmt Writer::aggregate() {
  if (in_function_) return random_.one_in(2) ? nested_tuple() : check_that_holds();
  switch (random_.below(9)) {
    case 0:
    case 1:
    case 2: return array_assignment();
    case 3:
    case 4: return reduction();
    case 5: return complex_.empty() || random_.one_in(2) ? complex_number() : whole_complex();
    case 6: return nested_tuple();
    case 7: return records_.empty() ? reduction() : record_copy();
    default: return check_that_holds();
  }
}

// --- whole arrays
// An array of these dimensions or of the last of them, or a number. Of the memory that is written only the
// target itself is read, element by element.
Expr Writer::array_leaf(Category category, const std::vector<int64_t>& dims, const Place* target) {
  std::vector<const Place*> fitting;
  for (const Place& place : places_) {
    bool fits = !place.name.empty() && place.dims.size() <= dims.size() &&
                std::equal(place.dims.rbegin(), place.dims.rend(), dims.rbegin());
    if (fits && target && place.name != target->name && base_of(place.name) == base_of(target->name))
      fits = false;
    if (fits && category_of(place.type) == category) fitting.push_back(&place);
  }
  // No calls: one that may write is refused beside arrays that were read.
  if (fitting.empty() || random_.one_in(5)) return variable(category);
  return {category, {fitting[random_.below(fitting.size())]->name}, {}, false};
}

Expr Writer::array_expr(Category category, const std::vector<int64_t>& dims, const Place* target, int depth) {
  if (depth <= 0) return array_leaf(category, dims, target);
  static constexpr std::array<const char*, 12> kInt = {"({i} + {i})",          "({i} * {i})",
                                                       "({i} - {i})",          "({i} // {i})",
                                                       "({i} & {i})",          "(-{i})",
                                                       "np.maximum({i}, {i})", "gpu.int32({f})",
                                                       "({i} >> 3)",           "np.where({b}, {i}, {i})",
                                                       "np.minimum({i}, {i})", "abs({i})"};
  static constexpr std::array<const char*, 12> kFloat = {
      "({f} + {f})", "({f} * {f})",  "({f} - {f})",      "({f} / {f})",          "({f} * 0.5)",
      "(-{f})",      "np.sqrt({f})", "gpu.float32({i})", "np.maximum({f}, {f})", "np.where({b}, {f}, {f})",
      "({i} + {f})", "np.floor({f})"};
  static constexpr std::array<const char*, 6> kBool = {"({i} < {i})", "({f} >= {f})", "({b} & {b})",
                                                       "({b} ^ {b})", "({i} == {i})", "(~{b})"};
  std::string_view form = category == Category::Int     ? random_.pick(kInt)
                          : category == Category::Float ? random_.pick(kFloat)
                                                        : random_.pick(kBool);
  Expr out{category, {""}, {}, false};
  for (size_t brace; (brace = form.find('{')) != form.npos; form.remove_prefix(brace + 3)) {
    out.text.back() += form.substr(0, brace);
    char what = form[brace + 1];
    Category of = what == 'b' ? Category::Bool : what == 'i' ? Category::Int : Category::Float;
    out.parts.push_back(array_expr(of, dims, target, depth - 1));
    out.text.emplace_back();
  }
  out.text.back() += form;
  return out;
}

// r[...] = a + b * c, and the like.
Stmt Writer::array_assignment() {
  std::vector<const Place*> all;
  for (const Place& place : places_)
    if (place.writable && !place.name.empty()) all.push_back(&place);
  if (all.empty()) return new_name();
  Place target = *all[random_.below(all.size())];
  Category category = category_of(target.type);
  std::string left = target.name + (target.dims.size() > 1 || random_.one_in(2) ? "[...]" : "[:]");
  if (random_.one_in(8))
    return line(around(Category::Text, target.name + ".fill({})", {changing(category, 2)}));
  const char* op = " = ";
  if (category != Category::Bool && random_.one_in(3)) op = random_.one_in(2) ? " += " : " *= ";
  return line(around(Category::Text, left + op + "{}",
                     {array_expr(category, target.dims, &target, 1 + static_cast<int>(random_.below(2)))}));
}

Stmt Writer::reduction() {
  std::vector<const Place*> all;
  for (const Place& place : places_)
    if (!place.name.empty()) all.push_back(&place);
  if (all.empty()) return new_name();
  Place place = *all[random_.below(all.size())];
  Category category = category_of(place.type), result = category;
  static constexpr std::array<const char*, 8> kNumbers = {".sum()",    ".min()",    ".max()",  ".prod()",
                                                          ".argmin()", ".argmax()", ".mean()", ".sum()"};
  std::string end = category == Category::Bool ? "" : random_.pick(kNumbers);
  if (category == Category::Bool || random_.one_in(5)) {
    result = Category::Bool;
    end = random_.one_in(2) ? ".any()" : ".all()";
  } else if (end.starts_with(".arg")) {
    result = Category::Int;
  } else if (end == ".mean()") {
    result = Category::Float;
  }
  // One operand is an array for certain.
  Expr operand{category, {place.name}, {}, false};
  operand.category = Category::Text;
  std::string name = fresh("x"), form = "{}";
  std::vector<Expr> parts{std::move(operand)};
  if (category != Category::Bool && random_.one_in(2)) {
    form = random_.one_in(2) ? "({} + {})" : "({} * {})";
    parts.push_back(array_expr(category, place.dims, nullptr, 1));
  }
  std::string value = form + end;
  if (form == "{}" && place.dims.size() == 1 && category != Category::Bool && random_.one_in(4)) {
    static constexpr std::array<const char*, 3> kPython = {"sum({})", "min({})", "max({})"};
    value = random_.pick(kPython), result = category;
  } else if (form == "{}" && place.dims.size() == 1 && category == Category::Float && random_.one_in(4)) {
    value = "np.dot({}, " + place.name + ")", result = Category::Float;
  }
  Stmt made = line(around(Category::Text, name + " = " + value, std::move(parts)));
  names_.push_back({name, result, "", false});
  return made;
}

// --- numbers with parts
// z = complex(...); for ...: z = z * z + c
Stmt Writer::complex_number() {
  std::string z = fresh("z"), i = fresh("i");
  static constexpr std::array<const char*, 3> kFirst = {
      " = complex({}, {})", " = gpu.complex64(complex({}, {}))", " = complex({}, {}) * 1j"};
  static constexpr std::array<const char*, 5> kUpdates = {"{z} * {z} + complex({}, {})", "{z} - 2j * {} + {}",
                                                          "{z}.conjugate() * {} - {}",
                                                          "{z} * complex({}, {})", "-{z} + {} + {}"};
  Stmt made;
  made.clauses.push_back({around(Category::Text, z + random_.pick(kFirst),
                                 {changing(Category::Float, 1), changing(Category::Float, 1)}),
                          {},
                          false});
  std::string update = random_.pick(kUpdates);
  for (size_t at; (at = update.find("{z}")) != update.npos;) update.replace(at, 3, z);
  Stmt step = line(around(Category::Text, z + " = " + update,
                          {changing(Category::Float, 1), changing(Category::Float, 1)}));
  if (random_.one_in(2))
    made.clauses.push_back({text("for " + i + " in range(3):"), {std::move(step)}, false});
  else
    made.clauses.push_back(
        {around(Category::Text, "if {}:", {expr(Category::Bool, 2)}), {std::move(step)}, false});
  names_.push_back({z + ".real", Category::Float, "", false});
  names_.push_back({z + ".imag", Category::Float, "", false});
  return made;
}

// A complex array changed as a whole, and a number made of all of it.
Stmt Writer::whole_complex() {
  const std::string& z = random_.pick(complex_);
  std::string x = fresh("z");
  static constexpr std::array<const char*, 6> kChanges = {
      "{z}[:] = {z} * {} + {}",   "{z}[:] += {}",
      "{z}[1:] = {z}[:-1] - {}",  "{z}[:] = np.conj({z}) * {}",
      "{z}[:] = complex({}, {})", "{z}[::2] *= complex({}, {})"};
  static constexpr std::array<const char*, 8> kNumbers = {
      "np.sum({z})",     "{z}.mean()", "({z} * {} + {}).sum()",    "np.dot({z}, {z})",
      "{z}[1:4].prod()", "sum({z})",   "complex(np.var({z}), {})", "np.where({z} == {}, {z}, 1j).sum()"};
  auto written = [&](std::string form) {
    for (size_t at; (at = form.find("{z}")) != form.npos;) form.replace(at, 3, z);
    std::vector<Expr> parts;
    for (size_t at = 0; (at = form.find("{}", at)) != form.npos; at += 2)
      parts.push_back(variable(Category::Float));
    return line(around(Category::Text, form, std::move(parts)));
  };
  Stmt made = written(x + " = " + random_.pick(kNumbers));
  if (random_.one_in(2)) {
    Stmt change = written(random_.pick(kChanges));
    made.clauses.insert(made.clauses.begin(), change.clauses.begin(), change.clauses.end());
  }
  names_.push_back({x + ".real", Category::Float, "", false});
  names_.push_back({x + ".imag", Category::Float, "", false});
  return made;
}

// t = (1, (2.0, True)), with other values on some paths.
Stmt Writer::nested_tuple() {
  std::string name = fresh("t");
  auto value = [&] {
    return around(Category::Text, name + " = (gpu.int32({}), (gpu.float32({}), bool({})))",
                  {changing(Category::Int, 2), changing(Category::Float, 2), changing(Category::Bool, 1)});
  };
  Stmt made;
  made.clauses.push_back({value(), {}, false});
  if (random_.one_in(2))
    made.clauses.push_back(
        {around(Category::Text, "if {}:", {expr(Category::Bool, 2)}), {line(value())}, false});
  names_.push_back({name + "[0]", Category::Int, "", false});
  names_.push_back({name + "[1][0]", Category::Float, "", false});
  names_.push_back({name + "[-1][-1]", Category::Bool, "", false});
  return made;
}

// --- memory with parts
void Writer::complex_arrays() {
  if (!random_.one_in(3)) return;
  std::string name = fresh("z"), q = fresh("q");
  bool wide = random_.one_in(2);
  ir::Type part = wide ? ir::kF64 : ir::kF32;
  Stmt fill = line(text(name + "[" + q + "] = complex(" + q + " * 0.5, 1 - " + q + ")"));
  fill.pinned = true;
  Stmt made;
  made.clauses.push_back(
      {text(name + " = gpu.local.array(5, " + (wide ? "gpu.complex128)" : "gpu.complex64)")), {}, false});
  made.clauses.push_back({text("for " + q + " in range(5):"), {fill}, false});
  made.pinned = true;
  program_.body.push_back(std::move(made));
  complex_.push_back(name);
  for (const char* half : {".real", ".imag"}) {
    places_.push_back({name + half + "[", "]", {5}, part, true, true, false, false, name + half});
    places_.push_back({name + "[", std::string("]") + half, {5}, part, false, false, false, false, ""});
    bases_[name + half] = name;
  }
}

// Records in local memory: their fields, the fields of all as a view, sub-arrays.
void Writer::record_arrays() {
  if (!random_.one_in(3)) return;
  std::vector<Field> chosen = fields();
  for (size_t k = chosen.size(); k > 1; --k) std::swap(chosen[k - 1], chosen[random_.below(k)]);
  chosen.resize(2 + random_.below(4));
  std::string name = fresh("rec"), q = fresh("q"), list;
  Stmt made, loop;
  std::vector<Stmt> fill;
  for (const Field& field : chosen) {
    list += std::string(list.empty() ? "" : ", ") + "(\"" + field.name + "\", " + field.dtype;
    if (!field.dims.empty()) list += field.dims.size() == 1 ? ", (2,)" : ", (2, 3)";
    list += ")";
    std::string value = field.type.is_bool() ? q + " % 2 == 1" : q + " * 3 + 1";
    std::string at = name + "[" + q + "]." + field.name;
    fill.push_back(line(text(at + (field.dims.empty() ? "" : "[...]") + " = " + value)));
    fill.back().pinned = true;
  }
  std::string dtype = "T" + std::to_string(program_.types.size());
  program_.types.push_back(dtype + " = np.dtype([" + list + "]" +
                           (random_.one_in(2) ? ", align=True)" : ")"));
  made.clauses.push_back(
      {text(name + " = gpu.local.array(" + std::to_string(kRecords) + ", " + dtype + ")"), {}, false});
  made.clauses.push_back(
      {text("for " + q + " in range(" + std::to_string(kRecords) + "):"), std::move(fill), false});
  made.pinned = true;
  program_.body.push_back(std::move(made));
  records_.push_back(name);
  constexpr auto kCount = static_cast<int64_t>(kRecords);
  for (const Field& field : chosen) {
    std::string dot = std::string(".") + field.name, quoted = std::string("[\"") + field.name + "\"]";
    if (field.dims.empty()) {
      places_.push_back({name + "[", "]" + dot, {kCount}, field.type, true, false, false, false, ""});
      std::string view = name + (random_.one_in(2) ? dot : quoted);
      places_.push_back({view + "[", "]", {kCount}, field.type, true, true, false, false, view});
      bases_[view] = name;
    } else {
      std::string record = name + "[" + std::to_string(random_.below(kRecords)) + "]", view = record + dot;
      places_.push_back({view + "[", "]", field.dims, field.type, true, true, false, false, view});
      bases_[view] = name;
    }
  }
}

Stmt Writer::record_copy() {
  const std::string& name = random_.pick(records_);
  constexpr auto kCount = static_cast<int64_t>(kRecords);
  return line(around(Category::Text, name + "[{}] = " + name + "[{}]",
                     {index(kCount, false, 2), index(kCount, false, 2)}));
}

// --- checks
// assert and raise that nobody meets, though no compiler may know.
Stmt Writer::check_that_holds() {
  std::string number = in_function_ ? "p0" : "t";
  static constexpr std::array<const char*, 4> kForms = {"assert ({} & 7) < 8, {}", "assert ({} & 1) >= 0",
                                                        "assert gpu.int64({}) % 5 != 5, f\"not {{}} of\"",
                                                        "assert ({} | 1) != 0, \"even\""};
  if (random_.one_in(2)) {
    std::string form = random_.pick(kForms);
    std::vector<Expr> parts;
    for (size_t at = 0; (at = form.find("{}", at)) != form.npos; at += 2)
      parts.push_back(variable(Category::Int));
    return line(around(Category::Text, form, std::move(parts)));
  }
  Stmt made;
  made.clauses.push_back(
      {around(Category::Text, "if {} and gpu.int64(" + number + ") % 3 > 3:", {expr(Category::Bool, 1)}),
       {line(around(Category::Text, "raise ValueError(\"never\", {})", {variable(Category::Int)}))},
       false});
  return made;
}

}  // namespace lanewise::fuzz
