// Statements of random kernels.
#include "tests/fuzz/writer.h"

namespace lanewise::fuzz {
namespace {

constexpr int kMostTurns = 60;  // of nested loops, multiplied

Clause clause(Expr line, std::vector<Stmt> body = {}, bool optional = false) {
  return {std::move(line), std::move(body), optional};
}

}  // namespace

std::vector<Stmt> Writer::block(Mood mood, int most) {
  Scope before = scope();
  std::vector<Stmt> out;
  for (size_t n = 1 + random_.below(static_cast<size_t>(most)); n > 0; --n) out.push_back(statement(mood));
  leave(before);
  return out;
}

Stmt Writer::statement(Mood mood) {
  size_t kind = random_.below(mood.depth < 3 ? 20 : 8);
  bool meets = mood.together && !in_function_;
  if (program_.divergent && !in_function_ && random_.one_in(15)) return line(text("gpu.syncthreads()"));
  if (meets && random_.one_in(3)) {
    if (!shared_.empty() && random_.one_in(2)) return exchange();
    if (!shared_sums_.empty() && random_.one_in(2)) return shared_sum();
    if (random_.one_in(3)) return line(text("gpu.syncthreads()"));
  }
  if (!in_function_ && random_.one_in(20)) return warp_operation(mood);
  switch (kind) {
    case 8:
    case 9:
    case 10: return if_statement(mood);
    case 11: return guarded(mood);
    case 12:
    case 13: return for_range(mood);
    case 14: return for_sequence(mood);
    case 15: return while_loop(mood);
    case 16: return accumulate();
    case 17: return match_statement(mood);
    case 18: return exit(mood);
    case 19: return meets ? uneven_loop(mood) : exit(mood);
    default: return simple(mood);
  }
}

Stmt Writer::simple(Mood) {
  switch (random_.below(11)) {
    case 0:
    case 1: return assign_variable();
    case 2:
    case 3: return assign_element();
    case 4: return new_tuple();
    case 5: return atomic();
    case 6: return inexact();
    case 7:
    case 8: return aggregate();
    default: return new_name();
  }
}

// v = gpu.int32(...), v += gpu.int32(...), v, w = ..., v = w = ...
Stmt Writer::assign_variable() {
  std::vector<const Name*> all;
  for (const Name& name : names_)
    if (!name.assign.empty()) all.push_back(&name);
  if (all.empty()) return line(text("pass"));
  const Name& a = *all[random_.below(all.size())];
  const Name& b = *all[random_.below(all.size())];
  if (random_.one_in(4) && &a != &b)
    return line(around(Category::Text, a.text + ", " + b.text + " = " + a.assign + ", " + b.assign,
                       {changing(a.category, 2), changing(b.category, 2)}));
  std::string op = " = ";
  if (a.category != Category::Bool && random_.one_in(3)) op = random_.one_in(2) ? " += " : " -= ";
  return line(around(Category::Text, a.text + op + a.assign, {changing(a.category, 3)}));
}

Stmt Writer::assign_element() {
  std::vector<const Place*> all;
  for (const Place& place : places_)
    if (place.writable) all.push_back(&place);
  if (all.empty()) return new_name();
  Place place = *all[random_.below(all.size())];
  Category category = category_of(place.type);
  std::string op = " = ";
  if (category != Category::Bool && random_.one_in(3))
    op = random_.one_in(2) ? " += " : random_.one_in(2) ? " *= " : " -= ";
  if (category == Category::Int && random_.one_in(6)) op = random_.one_in(2) ? " ^= " : " //= ";
  Expr value = random_.one_in(5) ? number(2) : expr(category, 3);
  if (value.constant) value = variable(category);
  if (category == Category::Int && (op == " ^= " || op == " //= ")) value = variable(category);
  Expr target = element(place, 2);
  target.category = Category::Text;
  return line(around(Category::Text, "{}" + op + "{}", {std::move(target), std::move(value)}));
}

// A name of any type, or one whose type is joined where two paths meet.
Stmt Writer::new_name() {
  Category category = random_.one_in(4)   ? Category::Bool
                      : random_.one_in(2) ? Category::Int
                                          : Category::Float;
  auto value = [&] { return changing(category, 3); };
  std::string name = fresh("x");
  Stmt made;
  if (random_.one_in(4)) {
    Expr condition = around(Category::Text, "if {}:", {expr(Category::Bool, 2)});
    made.clauses.push_back(clause(condition, {line(around(Category::Text, name + " = {}", {value()}))}));
    made.clauses.push_back(clause(text("else:"), {line(around(Category::Text, name + " = {}", {value()}))}));
  } else {
    made = line(around(Category::Text, name + " = {}", {value()}));
  }
  names_.push_back({name, category, "", false});
  return made;
}

Stmt Writer::new_tuple() {
  Expr a = changing(Category::Int, 2), b = changing(Category::Float, 2);
  switch (random_.below(3)) {
    case 0: {
      std::string name = fresh("t");
      names_.push_back({name + "[0]", Category::Int, "", false});
      names_.push_back({name + "[-1]", Category::Float, "", false});
      return line(around(Category::Text, name + " = ({}, {})", {a, b}));
    }
    case 1: {
      std::string first = fresh("x"), second = fresh("x");
      Stmt made = line(around(Category::Text, first + ", " + second + " = {}, {}", {a, b}));
      names_.push_back({first, Category::Int, "", false});
      names_.push_back({second, Category::Float, "", false});
      return made;
    }
    default: {
      std::string first = fresh("x"), second = fresh("x");
      Category category = random_.one_in(2) ? Category::Int : Category::Float;
      Expr c = expr(category, 2), d = variable(category);
      Stmt made = line(around(Category::Text, first + ", " + second + " = divmod({}, {})", {c, d}));
      names_.push_back({first, category, "", false});
      names_.push_back({second, category, "", false});
      return made;
    }
  }
}

// The end of an atomic's arguments: an order and a scope now and then.
std::string Writer::any_order() {
  static constexpr std::array<const char*, 5> kOrders = {"relaxed", "acquire", "release", "acq_rel",
                                                         "seq_cst"};
  static constexpr std::array<const char*, 3> kScopes = {"block", "device", "system"};
  std::string out;
  if (random_.one_in(4)) out += std::string(", order=\"") + random_.pick(kOrders) + "\"";
  if (random_.one_in(4)) out += std::string(", scope=\"") + random_.pick(kScopes) + "\"";
  return out + ")";
}

// On a sum, or on what belongs to this thread, where the old value is known too.
Stmt Writer::atomic() {
  std::vector<const Place*> own;
  for (const Place& place : places_)
    if (place.atomic && place.writable && place.type.is_int() && place.type.bits >= 32 && !place.name.empty())
      own.push_back(&place);
  if (!own.empty() && (sums_.empty() || random_.one_in(2))) {
    static constexpr std::array<const char*, 10> kOps = {"inc", "dec",  "add", "sub", "min",
                                                         "max", "and_", "or_", "xor", "exch"};
    Place place = *own[random_.below(own.size())];
    std::string name = fresh("x"), at;
    std::vector<Expr> parts;
    for (size_t d = 0; d < place.dims.size(); ++d) {
      at += d > 0 ? ", {}" : "{}";
      parts.push_back(index(place.dims[d], false, 1));
    }
    if (place.dims.size() > 1) at = "(" + at + ")";
    parts.push_back(variable(Category::Int));
    std::string call =
        std::string("gpu.atomic.") + random_.pick(kOps) + "(" + place.name + ", " + at + ", {}" + any_order();
    if (random_.one_in(5)) {
      parts.push_back(variable(Category::Int));
      call = "gpu.atomic.cas(" + place.name + ", " + at + ", {}, {}" + any_order();
    }
    Stmt made = line(around(Category::Text, name + " = " + call, std::move(parts)));
    names_.push_back({name, Category::Int, "", false});
    return made;
  }
  if (sums_.empty()) return new_name();
  const Sum& sum = random_.pick(sums_);
  Expr value = sum.type.is_float() ? exact_float(sum.type) : variable(Category::Int);
  return line(around(Category::Text,
                     "gpu.atomic." + random_.pick(sum.operations) + "(" + sum.name + ", {}, {}" + any_order(),
                     {index(sum.size, false, 2), std::move(value)}));
}

// Functions that the back ends may round differently: into an array of their own, which nobody reads.
Stmt Writer::inexact() {
  static constexpr std::array<const char*, 30> kForms = {
      "math.sin({})",       "math.cos({})",   "math.tan({})",     "math.asin({})",      "math.acos({})",
      "math.atan({})",      "math.sinh({})",  "math.cosh({})",    "math.tanh({})",      "np.arcsinh({})",
      "math.acosh({})",     "np.arctanh({})", "math.exp({})",     "math.exp2({})",      "np.expm1({})",
      "math.log({})",       "np.log2({})",    "math.log10({})",   "math.log1p({})",     "math.erf({})",
      "math.erfc({})",      "gpu.rsqrt({})",  "gpu.cbrt({})",     "math.atan2({}, {})", "math.pow({}, {})",
      "math.hypot({}, {})", "({} ** {})",     "np.power({}, {})", "math.sin({})",       "np.exp({})"};
  if (inexact_.empty()) return assign_element();
  Place place = random_.pick(inexact_);
  std::string form = random_.pick(kForms), cast = spelling(place.type) + "({})";
  std::vector<Expr> parts;
  for (size_t hole = 0; (hole = form.find("{}", hole)) != form.npos; hole += cast.size()) {
    form.replace(hole, 2, cast);
    parts.push_back(changing(Category::Float, 1));
  }
  Expr target = element(place, 1);
  target.category = Category::Text;
  parts.insert(parts.begin(), std::move(target));
  return line(around(Category::Text, "{} = " + form, std::move(parts)));
}

Stmt Writer::if_statement(Mood mood) {
  Mood body = inside(mood, false);
  if (random_.one_in(2)) body = apart(body);
  auto condition = [&](const char* form) {
    return around(Category::Text, form, {body.together ? uniform_condition() : expr(Category::Bool, 2)});
  };
  Stmt made;
  made.clauses.push_back(clause(condition("if {}:"), block(body, 3)));
  if (random_.one_in(4)) made.clauses.push_back(clause(condition("elif {}:"), block(body, 2), true));
  if (random_.one_in(2)) made.clauses.push_back(clause(text("else:"), block(body, 3), true));
  return made;
}

// k = ...; if -4 <= k < 4: with k as an index
Stmt Writer::guarded(Mood mood) {
  static constexpr std::array<const char*, 4> kForms = {
      "if -4 <= {k} < 4:", "if {k} >= 0 and {k} < 8:", "if not ({k} < 0 or 3 < {k}):", "if -3 < {k} < 3:"};
  static constexpr int64_t kBounds[][2] = {{-4, 3}, {0, 7}, {0, 3}, {-2, 2}};
  size_t which = random_.below(kForms.size());
  std::string name = fresh("k"), form = kForms[which];
  for (size_t at; (at = form.find("{k}")) != form.npos;) form.replace(at, 3, name);
  Expr value = around(Category::Int, random_.one_in(2) ? "gpu.int32({})" : "int(gpu.int64({}) % 16) - 6",
                      {changing(Category::Int, 2)});
  Mood body = apart(inside(mood, false));
  Stmt made;
  made.clauses.push_back(clause(around(Category::Text, name + " = {}", {value})));
  Scope before = scope();
  counters_.push_back({name, kBounds[which][0], kBounds[which][1], false});
  made.clauses.push_back(clause(text(form), block(body, 3)));
  leave(before);
  return made;
}

Stmt Writer::match_statement(Mood mood) {
  Mood body = apart(inside(mood, false));
  Stmt made;
  std::vector<Stmt> cases;
  Expr subject = changing(Category::Int, 2);
  auto add = [&](Expr line) { cases.push_back({{clause(std::move(line), block(body, 2))}, false}); };
  add(text("case 1 | 3:"));
  if (random_.one_in(2)) add(around(Category::Text, "case 0 if {}:", {expr(Category::Bool, 1)}));
  if (random_.one_in(2)) add(text("case _:"));
  made.clauses.push_back(clause(around(Category::Text, "match {}:", {subject}), std::move(cases)));
  return made;
}

void Writer::add_else(Stmt& loop, Mood mood) {
  if (random_.one_in(4)) loop.clauses.push_back(clause(text("else:"), block(inside(mood, false), 2), true));
}

Stmt Writer::for_range(Mood mood) {
  if (nested_turns_ >= kMostTurns) return simple(mood);
  Mood body = inside(mood, true);
  if (body.together && random_.one_in(2)) body.together = false;
  // Once bounds differ between threads, nothing below is together.
  auto below = [&](int64_t n) {
    std::string form = "{} % " + std::to_string(n);
    Expr value = body.together ? uniform(1) : changing(Category::Int, 2);
    return around(Category::Index, form, {std::move(value)});
  };
  static constexpr std::array<const char*, 3> kSteps = {"1", "2", "3"};
  std::string name = fresh("i");
  Counter counter{name, 0, 3, false};
  Expr head;
  int turns = 4;
  switch (random_.below(8)) {
    case 0: head = text("for " + name + " in range(4):"); break;
    case 1:
      head = around(Category::Text, "for " + name + " in range({}):", {below(5)});
      counter.may_be_unsigned = true;
      break;
    case 2:
      head = around(Category::Text, "for " + name + " in range({}, {}):", {below(3), below(5)});
      counter.may_be_unsigned = true;
      break;
    case 3: head = text("for " + name + " in range(3, -1, -1):"); break;
    case 4:
      head = around(Category::Text, "for " + name + " in range({}, -2, -1):", {below(4)});
      counter.low = -1, turns = 5;
      break;
    case 5:
      head = around(Category::Text,
                    "for " + name + " in range(-3, {}, " + random_.pick(kSteps) + "):", {below(4)});
      counter = {name, -3, 2, false}, turns = 6;
      break;
    case 6: {  // a step that is zero, forwards or backwards
      Expr step = around(Category::Index, "gpu.int64({}) - 2", {below(5)});
      step.parts[0].category = Category::Int;
      head = around(Category::Text, "for " + name + " in range({}, {}, {}):", {below(5), below(5), step});
      counter.high = 4, turns = 4;
      break;
    }
    default:
      head = around(Category::Text, "for " + name + " in reversed(range({})):", {below(4)});
      counter.high = 2, counter.may_be_unsigned = true;
      break;
  }
  Scope before = scope();
  counters_.push_back(counter);
  names_.push_back({name, Category::Int, "", body.together});
  nested_turns_ *= turns;
  Stmt made;
  made.clauses.push_back(clause(std::move(head), block(body, 3)));
  nested_turns_ /= turns;
  leave(before);
  add_else(made, body.together ? mood : apart(mood));
  return made;
}

// Over tuples, rows, enumerate, zip, reversed.
Stmt Writer::for_sequence(Mood mood) {
  if (nested_turns_ >= kMostTurns) return simple(mood);
  Mood body = inside(mood, true);
  std::string a = fresh("i"), b = fresh("i");
  auto integer = [&] { return changing(Category::Int, 1); };
  Scope before = scope();
  Expr head;
  std::vector<const Place*> rows;
  for (const Place& place : places_)
    if (place.dims.size() == 1 && !place.name.empty() && place.dims[0] <= 8) rows.push_back(&place);
  switch (random_.below(5)) {
    case 0:
      head = around(Category::Text, "for " + a + " in ({}, {}, {}):", {integer(), integer(), integer()});
      names_.push_back({a, Category::Int, "", false});
      break;
    case 1:
      head = around(Category::Text,
                    "for " + a + ", " + b + " in enumerate(({}, {}), " + (in_function_ ? "p0" : "n") + "):",
                    {integer(), integer()});
      names_.push_back({b, Category::Int, "", false});
      names_.push_back({a, Category::Int, "", false});
      break;
    case 2:
      head = around(Category::Text,
                    "for " + a + ", " + b + " in zip(range(3), range({} % 4, 9, 2)):", {integer()});
      names_.push_back({b, Category::Int, "", false});
      counters_.push_back({a, 0, 2, false});
      break;
    default: {
      if (rows.empty()) {
        head = text("for " + a + " in range(1, 6, 2):");
        counters_.push_back({a, 1, 5, false});
        break;
      }
      const Place& row = *rows[random_.below(rows.size())];
      bool counted = random_.one_in(2);
      head = text("for " + (counted ? b + ", " + a : a) + " in " +
                  (counted             ? "enumerate(" + row.name + ")"
                   : random_.one_in(2) ? "reversed(" + row.name + ")"
                                       : row.name) +
                  ":");
      if (counted) counters_.push_back({b, 0, row.dims[0] - 1, false});
      names_.push_back({a, category_of(row.type), "", false});
      break;
    }
  }
  body.together = false;
  nested_turns_ *= 4;
  Stmt made;
  made.clauses.push_back(clause(std::move(head), block(body, 3)));
  nested_turns_ /= 4;
  leave(before);
  add_else(made, apart(mood));
  return made;
}

// The counter's change comes first, so that continue does not miss it.
Stmt Writer::while_loop(Mood mood) {
  if (nested_turns_ >= kMostTurns) return simple(mood);
  Mood body = inside(mood, true);
  if (body.together && random_.one_in(2)) body.together = false;
  std::string name = fresh("c");
  bool down = random_.one_in(2);
  Expr turns = body.together ? uniform(1) : changing(Category::Int, 1);
  std::string first = down ? name + " = int({} % 5)" : name + " = -int(gpu.int64({}) % 4)";
  std::string head = down ? "while " + name + " > 0" : "while " + name + " < 2";
  Stmt made;
  made.clauses.push_back(clause(around(Category::Text, first, {around(Category::Index, "{}", {turns})})));
  Expr condition;
  if (random_.one_in(2))
    condition = around(Category::Text,
                       head + " and {}:", {body.together ? uniform_condition() : expr(Category::Bool, 2)});
  else
    condition = text(head + ":");
  Scope before = scope();
  counters_.push_back(down ? Counter{name, 0, 3, true} : Counter{name, -2, 2, false});
  nested_turns_ *= 5;
  std::vector<Stmt> lines = block(body, 3);
  nested_turns_ /= 5;
  leave(before);
  lines.insert(lines.begin(), {{clause(text(name + (down ? " -= 1" : " += 1")))}, true});
  made.clauses.push_back(clause(std::move(condition), std::move(lines)));
  add_else(made, body.together ? mood : apart(mood));
  return made;
}

// s = 0; for ...: s += ... with the type of s found by the loop
Stmt Writer::accumulate() {
  std::string sum = fresh("s"), i = fresh("i");
  Category category = random_.one_in(2) ? Category::Int : Category::Float;
  static constexpr std::array<const char*, 3> kFirst = {" = 0", " = 1", " = 3"};
  static constexpr std::array<const char*, 3> kFirstFloat = {" = 0.0", " = 1.0", " = 0"};
  static constexpr std::array<const char*, 4> kOps = {" += ", " -= ", " *= ", " += "};
  Stmt made;
  made.clauses.push_back(
      clause(text(sum + (category == Category::Int ? random_.pick(kFirst) : random_.pick(kFirstFloat)))));
  Scope before = scope();
  counters_.push_back({i, 0, 3, false});
  std::string update = sum + random_.pick(kOps) + "{}";
  if (random_.one_in(4)) update = sum + " = max(" + sum + ", {})";
  Expr value = changing(category, 2);
  made.clauses.push_back(
      clause(text("for " + i + " in range(4):"), {line(around(Category::Text, update, {std::move(value)}))}));
  leave(before);
  names_.push_back({sum, category, "", false});
  return made;
}

// Some threads make more turns than others, but all meet at the barriers.
Stmt Writer::uneven_loop(Mood mood) {
  if (nested_turns_ >= kMostTurns || shared_.empty()) return simple(mood);
  std::string name = fresh("i"), meet = std::to_string(1 + random_.below(3));
  Expr more = changing(Category::Int, 1);
  Mood together{true, false, mood.depth + 1}, apart{false, true, mood.depth + 1};
  Scope before = scope();
  counters_.push_back({name, 0, 5, false});
  nested_turns_ *= 6;
  Stmt branch;
  branch.clauses.push_back(clause(text("if " + name + " < " + meet + ":"), block(together, 2)));
  branch.clauses.push_back(clause(text("else:"), block(apart, 2), true));
  nested_turns_ /= 6;
  leave(before);
  Stmt made;
  made.clauses.push_back(clause(around(Category::Text, "for " + name + " in range(" + meet + " + {}):",
                                       {around(Category::Index, "gpu.int64({}) % 3", {more})}),
                                {std::move(branch)}));
  return made;
}

// Each thread writes its element of a shared array and reads another's.
Stmt Writer::exchange() {
  Place shared = random_.pick(shared_);
  std::string name = fresh("x"), at = fresh("k");
  auto barrier = [&] { return clause(text("gpu.syncthreads()")); };
  Category category = category_of(shared.type);
  Expr value = changing(category, 2);
  bool two = shared.dims.size() == 2;
  auto slot = [&](const std::string& index) {
    return two ? shared.name + "[" + index + " // 8, " + index + " % 8]" : shared.name + "[" + index + "]";
  };
  Expr other = changing(Category::Int, 2);
  Stmt made;
  made.clauses = {barrier(),
                  clause(around(Category::Text, slot("lt") + " = {}", {std::move(value)})),
                  barrier(),
                  clause(around(Category::Text, at + " = int({} % nt)", {std::move(other)})),
                  clause(text(name + " = " + slot(at))),
                  barrier()};
  names_.push_back({name, category, "", false});
  return made;
}

// Where threads come one by one, and where a lane asks one that may not be there, CUDA says nothing.
Stmt Writer::warp_operation(Mood mood) {
  static constexpr std::array<const char*, 4> kShuffles = {"shfl_sync", "shfl_up_sync", "shfl_down_sync",
                                                           "shfl_xor_sync"};
  static constexpr std::array<const char*, 6> kReductions = {"add", "min", "max", "and", "or", "xor"};
  static constexpr std::array<const char*, 3> kVotes = {"all_sync", "any_sync", "eq_sync"};
  std::string name = fresh("x");
  Category category = Category::Int;
  Expr value;
  // A mask that does not name exactly those that come is the program's fault on CUDA.
  bool full = random_.one_in(2);
  Expr mask = text("0xFFFFFFFF");
  if (!full)
    // Who is there after a barrier that some have missed is not said.
    mask = random_.one_in(3) && !program_.divergent
               ? text("gpu.activemask()")
               : around(Category::Text, "gpu.uint32({})", {variable(Category::Int)});
  if (!full) program_.undefined_on_cuda = true;
  switch (random_.below(6)) {
    case 0: {
      category = random_.one_in(2) ? Category::Float : random_.one_in(3) ? Category::Bool : Category::Int;
      value = around(category, std::string("gpu.") + random_.pick(kShuffles) + "({}, {}, gpu.int32({}))",
                     {mask, changing(category, 2), variable(Category::Int)});
      program_.undefined_on_cuda = true;
      break;
    }
    case 1: {  // of several parts
      category = random_.one_in(2) ? Category::Float : Category::Int;
      value = around(category,
                     std::string("gpu.") + random_.pick(kShuffles) +
                         (category == Category::Int ? "({}, ({}, {}), gpu.int32({}))[0]"
                                                    : "({}, complex({}, {}), gpu.int32({})).real"),
                     {mask, changing(category, 1), changing(Category::Float, 1), variable(Category::Int)});
      program_.undefined_on_cuda = true;
      break;
    }
    case 2:
      value = around(category, std::string("gpu.reduce_") + random_.pick(kReductions) + "_sync({}, {})",
                     {mask, changing(category, 2)});
      break;
    case 3:
      value =
          around(category, random_.one_in(2) ? "gpu.ballot_sync({}, {})" : "gpu.match_any_sync({}, {} & 3)",
                 {mask, variable(category)});
      break;
    case 4:
      category = random_.one_in(2) ? Category::Bool : Category::Int;
      value =
          around(category,
                 std::string("gpu.match_all_sync({}, {} & 1)[") + (category == Category::Bool ? "1]" : "0]"),
                 {mask, variable(Category::Int)});
      break;
    default:
      category = Category::Bool;
      value = around(category, std::string("gpu.") + random_.pick(kVotes) + "({}, {})",
                     {mask, changing(category, 2)});
      break;
  }
  if (!mood.together || program_.divergent) program_.undefined_on_cuda = true;
  value.category = Category::Text;
  Stmt made = line(around(Category::Text, name + " = {}", {std::move(value)}));
  names_.push_back({name, category, "", false});
  return made;
}

Stmt Writer::shared_sum() {
  const Sum& sum = random_.pick(shared_sums_);
  std::string name = fresh("x"), q = fresh("q");
  auto barrier = [&] { return clause(text("gpu.syncthreads()")); };
  Expr value = sum.type.is_float() ? exact_float(sum.type) : variable(Category::Int);
  Stmt zero;
  zero.clauses.push_back(clause(text("for " + q + " in range(" + std::to_string(sum.size) + "):"),
                                {line(text(sum.name + "[" + q + "] = 0"))}));
  zero.pinned = true;
  zero.clauses[0].body[0].pinned = true;
  Stmt made;
  made.clauses = {
      barrier(),
      clause(text("if lt == 0:"), {std::move(zero)}),
      barrier(),
      clause(around(Category::Text,
                    "gpu.atomic." + random_.pick(sum.operations) + "(" + sum.name + ", {}, {}" + any_order(),
                    {index(sum.size, false, 2), std::move(value)})),
      barrier(),
      clause(around(Category::Text, name + " = " + sum.name + "[{}]", {index(sum.size, false, 2)})),
      barrier()};
  names_.push_back({name, category_of(sum.type), "", false});
  return made;
}

Stmt Writer::exit(Mood mood) {
  if (in_function_) return new_name();
  bool leaves = mood.in_loop && !random_.one_in(5);
  bool agreed = mood.together && leaves;
  Expr condition = agreed ? uniform_condition() : expr(Category::Bool, 2);
  const char* what = !leaves ? "return" : random_.one_in(2) ? "break" : "continue";
  if (!leaves && !random_.one_in(3)) return new_name();
  Stmt made;
  made.clauses.push_back(
      clause(around(Category::Text, "if {}:", {std::move(condition)}), {line(text(what))}));
  return made;
}

}  // namespace lanewise::fuzz
