// A random kernel as a whole: its launch, arguments, device functions and the names that its statements use.
#include <algorithm>

#include "ir/scalar_ops.h"
#include "tests/fuzz/writer.h"
#include "tests/support/op_instances.h"

namespace lanewise::fuzz {
namespace {

using namespace ir;

constexpr std::array<Type, 12> kTypes = {kI32, kF32, kU8,  kF64, kI64, kU32,
                                         kI16, kF16, kU64, kI8,  kU16, kBool};

struct Shape {
  std::array<int64_t, 3> grid, block;
};
constexpr Shape kShapes[] = {{{1, 1, 1}, {33, 1, 1}}, {{2, 1, 1}, {4, 1, 1}}, {{1, 1, 1}, {1, 1, 1}},
                             {{3, 1, 1}, {16, 1, 1}}, {{1, 1, 1}, {3, 5, 2}}, {{2, 2, 1}, {8, 2, 1}},
                             {{1, 1, 1}, {64, 1, 1}}, {{1, 2, 2}, {2, 2, 2}}, {{2, 1, 1}, {32, 1, 1}},
                             {{5, 1, 1}, {1, 1, 1}},  {{1, 1, 1}, {7, 1, 9}}};

std::string shape_text(const std::vector<int64_t>& shape) {
  if (shape.size() == 1) return std::to_string(shape[0]);
  std::string out;
  for (int64_t extent : shape) out += (out.empty() ? "(" : ", ") + std::to_string(extent);
  return out + ")";
}

}  // namespace

std::string spelling(Type type) {
  if (type.is_bool()) return "gpu.boolean";
  std::string kind = type.is_float() ? "float" : type.is_signed() ? "int" : "uint";
  return "gpu." + kind + std::to_string(type.bits);
}

uint64_t Writer::random_bits(Type type) {
  if (random_.one_in(4)) {
    std::vector<uint64_t> bits = test::interesting_bits(type);
    return random_.pick(bits);
  }
  if (type.is_bool()) return random_.below(2);
  auto small = static_cast<int64_t>(random_.below(40)) - (type.is_unsigned() ? 0 : 15);
  if (type.is_float()) return float_bits(static_cast<double>(small) * (random_.one_in(2) ? 0.25 : 1.0), type);
  return canonical_bits(type, static_cast<uint64_t>(small));
}

void Writer::launch_shape() {
  const Shape& shape = kShapes[random_.below(std::size(kShapes))];
  program_.grid = shape.grid, program_.block = shape.block;
  block_threads_ = shape.block[0] * shape.block[1] * shape.block[2];
  threads_ = block_threads_ * shape.grid[0] * shape.grid[1] * shape.grid[2];
}

void Writer::scalar_arguments() {
  auto add = [&](const std::string& name, const std::string& annotation, frontend::ValueType type) {
    program_.parameters.push_back({name, annotation, 0});
    test::TestArgument argument = test::scalar(type.scalar, random_bits(type.scalar));
    argument.type = type;
    argument.argument.ndim = -1;
    program_.arguments.push_back(argument);
    names_.push_back({name, category_of(type.scalar), "", true});
  };
  add("n", "int", frontend::ValueType::python_number(kI64));
  add("m", "int", frontend::ValueType::python_number(kI64));
  add("w", "float", frontend::ValueType::python_number(kF64));
  for (size_t i = 0; i < 3; ++i) {
    Type type = random_.pick(kTypes);
    add("a" + std::to_string(i), spelling(type), frontend::ValueType::typed(type));
  }
}

// An array argument of any layout, in memory of its own with something before, between and after its
// elements.
void Writer::add_array(const std::string& name, Type type, std::vector<int64_t> shape, bool plain) {
  using frontend::Layout;
  Layout layout = plain ? Layout::C : std::array{Layout::C, Layout::F, Layout::Strided}[random_.below(3)];
  if (shape.size() == 1 && layout == Layout::F) layout = Layout::C;
  std::vector<int64_t> strides(shape.size());
  int64_t stride = layout == Layout::Strided ? 1 + static_cast<int64_t>(random_.below(2)) : 1, before = 0,
          span = 1;
  for (size_t k = 0; k < shape.size(); ++k) {
    size_t d = layout == Layout::F ? k : shape.size() - 1 - k;
    strides[d] = stride;
    stride *= shape[d];
    if (layout == Layout::Strided && random_.one_in(3)) stride += 1;
  }
  for (size_t d = 0; d < shape.size(); ++d) {
    span += (shape[d] - 1) * strides[d];
    if (layout != Layout::Strided || !random_.one_in(3)) continue;
    before += (shape[d] - 1) * strides[d];
    strides[d] = -strides[d];
  }
  size_t size = type.element_size();
  std::vector<char> bytes((static_cast<size_t>(span) + 2) * size);
  for (size_t at = 0; at < bytes.size(); at += size) store_bits(bytes.data() + at, type, random_bits(type));
  test::TestArgument argument =
      test::view(type, std::move(bytes), (before + 1) * static_cast<int64_t>(size), shape, strides);
  argument.type = frontend::ValueType::array(type, static_cast<unsigned>(shape.size()), layout);
  std::string annotation = spelling(type) + "[";
  for (size_t d = 0; d < shape.size(); ++d) {
    bool dense = (layout == Layout::C && d + 1 == shape.size()) || (layout == Layout::F && d == 0);
    annotation += (d > 0 ? ", " : "") + std::string(dense ? "::1" : ":");
  }
  program_.parameters.push_back({name, annotation + "]", 0});
  program_.arguments.push_back(std::move(argument));
}

void Writer::array_arguments() {
  for (size_t i = 0, count = 1 + random_.below(3); i < count; ++i) {  // that are read
    static const std::vector<std::vector<int64_t>> kSizes = {{8}, {5}, {4, 4}, {2, 3, 4}, {3, 8}, {16}};
    std::string name = "in" + std::to_string(i);
    Type type = random_.pick(kTypes);
    std::vector<int64_t> shape = random_.pick(kSizes);
    add_array(name, type, shape, false);
    places_.push_back({name + "[", "]", shape, type, false, true, false, false, name});
  }
  for (size_t i = 0; i < 3; ++i) {  // whose row t is this thread's
    std::string name = "own" + std::to_string(i), row = "r" + std::to_string(i);
    Type type = i == 0 ? random_.pick(std::array{kI32, kU32, kI64, kU64}) : random_.pick(kTypes);
    switch (random_.below(3)) {
      case 0:
        add_array(name, type, {threads_ * 8}, false);
        places_.push_back({name + "[t * 8 + ", "]", {8}, type, true, false, true, false, ""});
        break;
      case 1:
        add_array(name, type, {threads_, 8}, false);
        places_.push_back({name + "[t, ", "]", {8}, type, true, false, false, false, ""});
        break;
      default:
        add_array(name, type, {threads_, 2, 4}, false);
        places_.push_back({name + "[t, ", "]", {2, 4}, type, true, false, false, false, ""});
        break;
    }
  }
  static const std::vector<std::vector<std::string>> kOrderless = {{"add", "sub"}, {"min"}, {"max"},
                                                                   {"and_"},       {"or_"}, {"xor"}};
  for (size_t i = 0; i < 2; ++i) {
    Type type = random_.pick(std::array{kI32, kU32, kI64, kU64, kF32, kF64});
    std::string name = "sum" + std::to_string(i);
    add_array(name, type, {4}, false);
    std::vector<std::string> operations = kOrderless[random_.below(type.is_float() ? 3 : kOrderless.size())];
    test::TestArgument& argument = program_.arguments.back();
    if (type.is_float())  // whole numbers, so that no sum rounds
      for (size_t at = 0; at < argument.bytes.size(); at += type.element_size())
        store_bits(argument.bytes.data() + at, type, float_bits(3, type));
    sums_.push_back({name, 4, type, operations});
  }
  if (random_.one_in(2)) {
    Type type = random_.pick(std::array{kF32, kF64, kF16});
    add_array("near", type, {threads_, 4}, false);
    program_.parameters.back().ulps = 16;
    inexact_.push_back({"near[t, ", "]", {4}, type, true, false, false, false, ""});
  }
}

// t: this thread in the grid; lt: in its block; nt: threads of the block.
void Writer::thread_names() {
  auto add = [&](const std::string& name, const std::string& value) {
    program_.body.push_back(line(text(name + " = " + value)));
    program_.body.back().pinned = true;
  };
  bool flat = program_.block[1] * program_.block[2] * program_.grid[1] * program_.grid[2] == 1;
  add("nt", "gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z");
  add("lt", "(gpu.threadIdx.z * gpu.blockDim.y + gpu.threadIdx.y) * gpu.blockDim.x + gpu.threadIdx.x");
  if (flat && random_.one_in(2))
    add("t", "gpu.grid(1)");
  else
    add("t",
        "((gpu.blockIdx.z * gpu.gridDim.y + gpu.blockIdx.y) * gpu.gridDim.x + gpu.blockIdx.x) * nt + lt");
  names_.push_back({"t", Category::Int, "", false});
  names_.push_back({"lt", Category::Int, "", false});
  names_.push_back({"nt", Category::Int, "", true});
  static constexpr std::array<const char*, 7> kMore = {"gpu.threadIdx.x", "gpu.threadIdx.y", "gpu.laneid",
                                                       "gpu.blockIdx.x",  "gpu.gridDim.x",   "gpu.blockIdx.y",
                                                       "gpu.threadIdx.z"};
  for (size_t i = 0; i < 3; ++i) {
    const char* name = random_.pick(kMore);
    bool uniform = std::string_view(name).find("Id") == std::string_view::npos ||
                   std::string_view(name).starts_with("gpu.block");
    names_.push_back({name, Category::Int, "", uniform && name != std::string_view("gpu.laneid")});
  }
}

// Views of what is this thread's and of what is only read.
void Writer::views() {
  std::vector<Place> bases;
  for (const Place& place : places_) {
    if (!place.name.empty()) {
      bases.push_back(place);
      continue;
    }
    std::string array = place.open.substr(0, place.open.find('[')), name = fresh("r");
    std::string value = place.non_negative       ? array + "[t * 8:t * 8 + 8]"
                        : place.dims.size() == 1 ? array + (random_.one_in(2) ? "[t]" : "[t, :]")
                                                 : array + (random_.one_in(2) ? "[t]" : "[t, ...]");
    program_.body.push_back(line(text(name + " = " + value)));
    bases.push_back({name + "[", "]", place.dims, place.type, true, true, false, true, name});
    bases_[name] = array;
  }
  for (size_t i = 0; i < bases.size(); ++i) {
    const Place base = bases[i];
    if (base.writable) places_.push_back(base);
    if (random_.one_in(2)) continue;
    Place view = base;
    view.name = fresh("r");
    view.open = view.name + "[";
    std::string form;
    if (base.dims.size() == 1) {
      int64_t n = base.dims[0];
      static constexpr std::array<const char*, 5> kSlices = {"[::-1]", "[1:]", "[::2]", "[-2::-1]", "[1:-1]"};
      size_t which = random_.below(kSlices.size());
      form = kSlices[which];
      view.dims = {which == 0 ? n : which == 2 ? (n + 1) / 2 : which == 4 ? n - 2 : n - 1};
    } else if (random_.one_in(2)) {
      form = ".T";
      std::reverse(view.dims.begin(), view.dims.end());
    } else {
      form = random_.one_in(2) ? "[1]" : "[-1, ...]";
      view.dims.erase(view.dims.begin());
    }
    bases_[view.name] = base_of(base.name);
    program_.body.push_back(line(text(view.name + " = " + base.name + form)));
    places_.push_back(view);
  }
}

void Writer::local_arrays() {
  static const std::vector<std::vector<int64_t>> kSizes = {{8}, {5}, {2, 4}};
  for (size_t i = 0, count = random_.below(3); i < count; ++i) {
    std::string name = "loc" + std::to_string(i), q = fresh("q");
    Type type = random_.pick(kTypes);
    std::vector<int64_t> shape = random_.pick(kSizes);
    Stmt made;
    made.clauses.push_back(
        {text(name + " = gpu.local.array(" + shape_text(shape) + ", " + spelling(type) + ")"), {}, false});
    int64_t size = 1;
    for (int64_t extent : shape) size *= extent;
    std::string at = shape.size() == 1 ? q : q + " // 4, " + q + " % 4";
    Stmt fill = line(text(name + "[" + at + "] = " + (type.is_bool() ? q + " % 2 == 0" : q + " * 3 + 1")));
    fill.pinned = true;
    made.clauses.push_back({text("for " + q + " in range(" + std::to_string(size) + "):"), {fill}, false});
    made.pinned = true;
    program_.body.push_back(std::move(made));
    places_.push_back({name + "[", "]", shape, type, true, true, false, false, name});
  }
}

void Writer::shared_arrays() {
  for (size_t i = 0, count = random_.below(3); i < count; ++i) {
    std::string name = "sh" + std::to_string(i);
    Type type = random_.pick(kTypes);
    std::vector<int64_t> shape = random_.one_in(3) ? std::vector<int64_t>{8, 8} : std::vector<int64_t>{64};
    bool dynamic = i == 0 && shape.size() == 1 && random_.one_in(4);
    if (dynamic) program_.dynamic_shared_bytes = 64 * type.element_size();
    Stmt made;
    made.clauses.push_back({text(name + " = gpu.shared.array(" + (dynamic ? "0" : shape_text(shape)) + ", " +
                                 spelling(type) + ")"),
                            {},
                            false});
    std::string at = shape.size() == 1 ? "lt" : "lt // 8, lt % 8";
    made.clauses.push_back(
        {text(name + "[" + at + "] = " + (type.is_bool() ? "lt % 3 == 0" : "lt * 2 + 1")), {}, false});
    made.pinned = true;
    program_.body.push_back(std::move(made));
    shared_.push_back({name + "[", "]", shape, type, false, false, false, false, name});
  }
  if (!random_.one_in(3)) return;
  Type type = random_.pick(std::array{kI32, kU64, kF32, kU32});
  program_.body.push_back(line(text("acc = gpu.shared.array(4, " + spelling(type) + ")")));
  program_.body.back().pinned = true;
  // The thread that sets them to zero may be gone before the first sum.
  Stmt fill = line(text("acc[0] = acc[1] = acc[2] = acc[3] = 0")), first;
  fill.pinned = first.pinned = true;
  first.clauses.push_back({text("if lt == 0:"), {fill}, false});
  program_.body.push_back(std::move(first));
  shared_sums_.push_back({"acc", 4, type, {"add", "sub"}});
}

void Writer::variables() {
  struct Kind {
    const char* assign;
    Category category;
  };
  static constexpr Kind kPython[] = {{"int(gpu.int64({}))", Category::Int},
                                     {"float(gpu.float64({}))", Category::Float},
                                     {"bool({})", Category::Bool}};
  for (size_t i = 0; i < 5; ++i) {
    std::string name = "v" + std::to_string(i);
    Type type = random_.pick(kTypes);
    bool python = random_.one_in(3);
    const Kind& kind = kPython[random_.below(3)];
    std::string assign = python ? kind.assign : spelling(type) + "({})";
    Category category = python ? kind.category : category_of(type);
    Stmt made = line(around(Category::Text, name + " = " + assign, {variable(category)}));
    made.pinned = in_function_;
    program_.body.push_back(std::move(made));
    names_.push_back({name, category, assign, false});
  }
}

// def d0(p0, p1, p2=2): ... with several returns
void Writer::device_function(size_t number) {
  DeviceFunction function{"d" + std::to_string(number), {}, 0, {}};
  std::vector<Name> outer = std::move(names_);
  std::vector<Place> outer_places = std::move(places_);
  names_.clear(), places_.clear();
  in_function_ = true;
  size_t count = 2 + random_.below(2);
  std::string header = "def " + function.name + "(";
  for (size_t i = 0; i < count; ++i) {
    Category category = i == 0 || random_.one_in(2) ? Category::Int : Category::Float;
    std::string name = "p" + std::to_string(i);
    bool has_default = i + 1 == count && random_.one_in(2);
    header += (i > 0 ? ", " : "") + name + (has_default ? category == Category::Int ? "=3" : "=0.5" : "");
    function.params.push_back(category);
    if (!has_default) ++function.least;
    names_.push_back({name, category, "", false});
  }
  Category result = random_.one_in(2) ? Category::Int : Category::Float;
  function.results = {result};
  if (random_.one_in(4)) function.results.push_back(random_.one_in(2) ? Category::Int : Category::Float);
  auto give = [&](int depth) {
    std::string form = "return ";
    std::vector<Expr> parts;
    for (Category category : function.results) {
      form += parts.empty() ? "{}" : ", {}";
      parts.push_back(changing(category, depth));
    }
    return line(around(Category::Text, form, std::move(parts)));
  };
  Function made{function.name, header + "):", {}};
  std::vector<Stmt> kept = std::move(program_.body);
  program_.body.clear();
  if (random_.one_in(2)) variables();
  made.body = std::move(program_.body);
  program_.body = std::move(kept);
  nested_turns_ = 8;
  for (size_t n = random_.below(3); n > 0; --n) {
    made.body.push_back(statement({false, false, 1}));
    if (random_.one_in(2)) continue;
    Stmt early;
    early.clauses.push_back({around(Category::Text, "if {}:", {expr(Category::Bool, 2)}), {give(1)}, false});
    if (random_.one_in(3)) {  // a return out of a loop
      std::string i = fresh("i");
      Stmt loop;
      loop.clauses.push_back({text("for " + i + " in range(3):"), {std::move(early)}, false});
      early = std::move(loop);
    }
    made.body.push_back(std::move(early));
  }
  nested_turns_ = 1;
  made.body.push_back(give(3));
  made.body.back().pinned = true;
  program_.functions.push_back(std::move(made));
  functions_.push_back(std::move(function));
  names_ = std::move(outer), places_ = std::move(outer_places);
  counters_.clear();
  in_function_ = false;
}

// What the variables hold at the end, for those that come that far.
void Writer::write_results() {
  for (const Place& place : places_) {
    if (!place.writable || place.non_negative || place.dims.size() != 1 || place.open.substr(0, 3) != "own")
      continue;
    int64_t at = 0;
    for (const Name& name : names_) {
      if (name.assign.empty() || at >= place.dims[0]) continue;
      bool fits = name.category == category_of(place.type) || !place.type.is_bool();
      if (fits) program_.body.push_back(line(text(place.open + std::to_string(at++) + "] = " + name.text)));
    }
  }
}

Program Writer::run() {
  program_.seed = seed_;
  program_.divergent = random_.one_in(12);
  launch_shape();
  scalar_arguments();
  static constexpr std::array<const char*, 6> kConstants = {"3",           "2 * 4", "-5",
                                                            "np.int16(7)", "10",    "1 << 4"};
  for (size_t i = 0, count = random_.below(3); i < count; ++i)
    program_.constants.push_back("K" + std::to_string(i) + " = " + random_.pick(kConstants));
  for (size_t i = 0, count = random_.below(3); i < count; ++i) device_function(i);
  array_arguments();
  thread_names();
  views();
  local_arrays();
  complex_arrays();
  record_arrays();
  shared_arrays();
  variables();
  for (size_t n = 2 + random_.below(4); n > 0; --n) program_.body.push_back(statement({true, false, 0}));
  write_results();
  return std::move(program_);
}

Program random_program(uint64_t seed) { return Writer(seed).run(); }

}  // namespace lanewise::fuzz
