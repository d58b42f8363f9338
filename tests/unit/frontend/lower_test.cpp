// lower(): typed trees built by hand, lowered, verified and run by the interpreter. What is expected is what
// Python and NumPy do.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "ir/ir.h"

namespace lanewise::frontend {
namespace {

using ir::OpKind;

const ValueType kInt = ValueType::python_number(ir::kI64);
const ValueType kTruth = ValueType::python_number(ir::kBool);

// A typed function under construction. Statements go to the list that `in` made current.
class Tree {
 public:
  explicit Tree(ValueType result = kInt) {
    f.name = "f";
    f.result = std::move(result);
  }

  LocalId local(const std::string& name, ValueType type) { return f.locals.add({name, std::move(type)}); }
  LocalId param(const std::string& name, ValueType type) {
    f.params.push_back(local(name, std::move(type)));
    return f.params.back();
  }

  TExprId add(TExpr e) { return f.exprs.add(std::move(e)); }
  TExprId c(int64_t value) { return add({.kind = TExprKind::Const, .type = kInt, .immediate = value}); }
  TExprId truth(bool value) {
    return add({.kind = TExprKind::Const, .type = kTruth, .immediate = int64_t{value}});
  }
  TExprId get(LocalId id) { return add({.kind = TExprKind::Local, .type = f.locals[id].type, .local = id}); }
  TExprId op(OpKind kind, std::vector<TExprId> children, ValueType type = kInt) {
    return add({.kind = TExprKind::Op, .type = std::move(type), .op = kind, .children = std::move(children)});
  }
  TExprId compare(OpKind kind, TExprId a, TExprId b) { return op(kind, {a, b}, kTruth); }
  TExprId node(TExprKind kind, ValueType type, std::vector<TExprId> children, uint32_t index = 0) {
    return add({.kind = kind, .type = std::move(type), .index = index, .children = std::move(children)});
  }
  TExprId element(TExprId array, std::vector<TExprId> indices, bool wrap = true) {
    std::vector<TExprId> children = {array};
    children.insert(children.end(), indices.begin(), indices.end());
    std::vector<bool> wraps(indices.size(), wrap);
    return add({.kind = TExprKind::Element,
                .type = ValueType::typed(f.exprs[array].type.element),
                .children = children,
                .wrap = wraps});
  }

  void stmt(TStmt s) { current->push_back(f.stmts.add(std::move(s))); }
  void set(LocalId id, TExprId value) { stmt({.kind = TStmtKind::Set, .local = id, .value = value}); }
  void ret(TExprId value) { stmt({.kind = TStmtKind::Return, .value = value}); }
  void jump(TStmtKind kind) { stmt({.kind = kind}); }
  template <class Fill>
  std::vector<TStmtId> list(Fill fill) {
    std::vector<TStmtId> made;
    std::vector<TStmtId>* outer = current;
    current = &made;
    fill();
    current = outer;
    return made;
  }
  template <class Body>
  void if_(TExprId condition, Body body) {
    stmt({.kind = TStmtKind::If, .value = condition, .body = list(body)});
  }
  template <class Body, class Orelse>
  void for_(LocalId counter, int64_t upper, Body body, Orelse orelse) {
    stmt({.kind = TStmtKind::For,
          .local = counter,
          .value = c(0),
          .upper = c(upper),
          .step = c(1),
          .body = list(body),
          .orelse = list(orelse)});
  }
  // name += amount
  void increase(LocalId id, int64_t amount) { set(id, op(OpKind::Add, {get(id), c(amount)})); }

  ir::Module lower_verified(const std::vector<TypedFunction>& callees = {}) {
    TypedModule module;
    f.body = top;
    module.functions.push_back(f);
    module.functions.insert(module.functions.end(), callees.begin(), callees.end());
    ir::Module out = lower(module);
    auto error = ir::verify(out);
    EXPECT_FALSE(error) << error->message << "\n" << ir::print(out);
    return out;
  }
  // Results before and after the passes, which must agree.
  std::vector<int64_t> run(const std::vector<int64_t>& arguments = {},
                           const std::vector<TypedFunction>& callees = {}) {
    ir::Module out = lower_verified(callees);
    std::vector<int64_t> plain = interpret(out, arguments);
    ir::run_pipeline(out, {.verify_each = true});
    EXPECT_EQ(interpret(out, arguments), plain) << ir::print(out);
    return plain;
  }
  static std::vector<int64_t> interpret(const ir::Module& module, const std::vector<int64_t>& arguments) {
    std::vector<ir::Scalar> scalars;
    for (int64_t a : arguments) scalars.push_back({static_cast<uint64_t>(a)});
    auto result = ir::interpret_function(module, scalars, 100000);
    if (auto* error = std::get_if<ir::RunError>(&result)) {
      ADD_FAILURE() << error->message << "\n" << ir::print(module);
      return {};
    }
    std::vector<int64_t> values;
    for (ir::Scalar s : std::get<0>(result)) values.push_back(static_cast<int64_t>(s.bits));
    return values;
  }
  int64_t run1(const std::vector<int64_t>& arguments = {}) {
    std::vector<int64_t> values = run(arguments);
    return values.size() == 1 ? values[0] : -999;
  }

  TypedFunction f;
  std::vector<TStmtId> top;
  std::vector<TStmtId>* current = &top;
};

int64_t address(const void* p) { return std::bit_cast<int64_t>(p); }
size_t count_text(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(Lower, ForElseRunsUnlessBroken) {
  // for i in range(5): if i == stop: break
  // else: r += 100
  // return r + i
  Tree t;
  LocalId stop = t.param("stop", kInt), i = t.local("i", kInt), r = t.local("r", kInt);
  t.set(r, t.c(0));
  t.for_(
      i, 5, [&] { t.if_(t.compare(OpKind::Eq, t.get(i), t.get(stop)), [&] { t.jump(TStmtKind::Break); }); },
      [&] { t.increase(r, 100); });
  t.ret(t.op(OpKind::Add, {t.get(r), t.get(i)}));
  EXPECT_EQ(t.run1({2}), 2);
  EXPECT_EQ(t.run1({9}), 104);  // the counter keeps its last value
}

TEST(Lower, BreakAndContinueReachTheRightLoop) {
  // for i in range(4):
  //     for j in range(4):
  //         if j == i: break
  //         if j == 1: continue
  //         r += 1
  //     else: r += 1000        # never: j reaches i first
  //     if i == 2: break       # out of the outer loop, past its else
  // else: r += 100000
  Tree t;
  LocalId limit = t.param("limit", kInt), i = t.local("i", kInt), j = t.local("j", kInt),
          r = t.local("r", kInt);
  t.set(r, t.c(0));
  t.for_(
      i, 4,
      [&] {
        t.for_(
            j, 4,
            [&] {
              t.if_(t.compare(OpKind::Eq, t.get(j), t.get(i)), [&] { t.jump(TStmtKind::Break); });
              t.if_(t.compare(OpKind::Eq, t.get(j), t.c(1)), [&] { t.jump(TStmtKind::Continue); });
              t.increase(r, 1);
            },
            [&] { t.increase(r, 1000); });
        t.if_(t.compare(OpKind::Eq, t.get(i), t.get(limit)), [&] { t.jump(TStmtKind::Break); });
      },
      [&] { t.increase(r, 100000); });
  t.ret(t.get(r));
  // i = 0: none; 1: j = 0; 2: j = 0 (1 continues); 3: j = 0, 2.
  EXPECT_EQ(t.run1({2}), 2);
  EXPECT_EQ(t.run1({7}), 100004);
}

TEST(Lower, BreakInAnElseLeavesTheOuterLoop) {
  // for i in range(5):
  //     for j in range(2): if j == 7: break
  //     else: break
  //     r += 1
  // else: r += 10
  Tree t;
  LocalId i = t.local("i", kInt), j = t.local("j", kInt), r = t.local("r", kInt);
  t.set(r, t.c(0));
  t.for_(
      i, 5,
      [&] {
        t.for_(
            j, 2, [&] { t.if_(t.compare(OpKind::Eq, t.get(j), t.c(7)), [&] { t.jump(TStmtKind::Break); }); },
            [&] { t.jump(TStmtKind::Break); });
        t.increase(r, 1);
      },
      [&] { t.increase(r, 10); });
  t.ret(t.op(OpKind::Add, {t.get(r), t.get(i)}));
  EXPECT_EQ(t.run1(), 0);
}

TEST(Lower, WhileEvaluatesBeforeEachTurn) {
  // while (n := n - 3) > 0: turns += 1
  // else: turns += 10
  Tree t;
  LocalId n = t.param("n", kInt), turns = t.local("turns", kInt);
  t.set(turns, t.c(0));
  TStmt loop{.kind = TStmtKind::While};
  loop.before = t.list([&] { t.increase(n, -3); });
  loop.value = t.compare(OpKind::Gt, t.get(n), t.c(0));
  loop.body = t.list([&] { t.increase(turns, 1); });
  loop.orelse = t.list([&] { t.increase(turns, 10); });
  t.stmt(loop);
  t.ret(t.op(OpKind::Add, {t.op(OpKind::Mul, {t.get(turns), t.c(100)}), t.get(n)}));
  EXPECT_EQ(t.run1({10}), 1300 - 2);  // 7, 4, 1, then -2
  EXPECT_EQ(t.run1({0}), 1000 - 3);
}

TEST(Lower, EndlessLoopNeedsNothingAfterIt) {
  Tree t;
  LocalId n = t.param("n", kInt);
  TStmt loop{.kind = TStmtKind::While};
  loop.value = t.truth(true);
  loop.body = t.list([&] {
    t.increase(n, 1);
    t.if_(t.compare(OpKind::Gt, t.get(n), t.c(10)), [&] { t.ret(t.get(n)); });
  });
  t.stmt(loop);
  EXPECT_EQ(t.run1({3}), 11);
}

TEST(Lower, CodeAfterAReturnIsDropped) {
  Tree t;
  LocalId n = t.param("n", kInt);
  t.stmt({.kind = TStmtKind::If,
          .value = t.compare(OpKind::Gt, t.get(n), t.c(0)),
          .body = t.list([&] { t.ret(t.c(1)); }),
          .orelse = t.list([&] { t.ret(t.c(2)); })});
  t.increase(n, 5);
  t.ret(t.get(n));
  EXPECT_EQ(t.run1({1}), 1);
  EXPECT_EQ(t.run1({0}), 2);
}

TEST(Lower, AndOrGiveTheDecidingValue) {
  for (bool is_and : {true, false}) {
    Tree t;
    LocalId a = t.param("a", kInt), b = t.param("b", kInt);
    // The division keeps the right side from being evaluated without need: an `if`.
    TExprId right = t.op(OpKind::FloorDiv, {t.get(b), t.c(1)});
    t.ret(t.node(is_and ? TExprKind::And : TExprKind::Or, kInt, {t.get(a), right}));
    EXPECT_EQ(t.run1({0, 7}), is_and ? 0 : 7);
    EXPECT_EQ(t.run1({5, 7}), is_and ? 7 : 5);
    EXPECT_EQ(t.run1({5, 0}), is_and ? 0 : 5);
    EXPECT_EQ(count_text(ir::print(t.lower_verified()), " if "), 1u);
  }
}

TEST(Lower, CheapGuardIsOneCondition) {
  // 0 < x < w - 1
  Tree t(kTruth);
  LocalId x = t.param("x", kInt), w = t.param("w", kInt);
  TExprId left = t.compare(OpKind::Lt, t.c(0), t.get(x));
  TExprId right = t.compare(OpKind::Lt, t.get(x), t.op(OpKind::Sub, {t.get(w), t.c(1)}));
  t.ret(t.node(TExprKind::And, kTruth, {left, right}));
  std::string text = ir::print(t.lower_verified());
  EXPECT_EQ(count_text(text, " if "), 0u) << text;
  EXPECT_EQ(t.run1({1, 3}), 1);
  EXPECT_EQ(t.run1({2, 3}), 0);
  EXPECT_EQ(t.run1({0, 3}), 0);
}

TEST(Lower, GuardKeepsALoadFromRunning) {
  // i < n and a[i] > 0, with no array behind the pointer
  Tree t(kTruth);
  LocalId a = t.param("a", ValueType::array(ir::kI64, 1, Layout::C)), i = t.param("i", kInt);
  TExprId inside = t.compare(OpKind::Lt, t.get(i), t.node(TExprKind::Shape, kInt, {t.get(a)}, 0));
  TExprId positive = t.compare(OpKind::Gt, t.element(t.get(a), {t.get(i)}), t.c(0));
  t.ret(t.node(TExprKind::And, kTruth, {inside, positive}));
  int64_t data[] = {5, -5};
  EXPECT_EQ(t.run1({0, 0, 3}), 0);
  EXPECT_EQ(t.run1({address(data), 2, 0}), 1);
  EXPECT_EQ(t.run1({address(data), 2, 1}), 0);
  EXPECT_EQ(t.run1({address(data), 2, -2}), 1);
}

TEST(Lower, TernaryEvaluatesOneArm) {
  // a[0] if a.size else -1
  Tree t;
  LocalId a = t.param("a", ValueType::array(ir::kI64, 1, Layout::C));
  TExprId some = t.compare(OpKind::Gt, t.node(TExprKind::Size, kInt, {t.get(a)}), t.c(0));
  t.ret(t.node(TExprKind::Ternary, kInt, {some, t.element(t.get(a), {t.c(0)}), t.c(-1)}));
  int64_t data[] = {42};
  EXPECT_EQ(t.run1({0, 0}), -1);
  EXPECT_EQ(t.run1({address(data), 1}), 42);
}

TEST(Lower, ElementsOfEveryLayout) {
  // a[i, j, k] of shape (2, 3, 4): i * 12 + j * 4 + k in C order, i + j * 2 + k * 6 in F order
  std::vector<int64_t> data(200);
  for (size_t n = 0; n < data.size(); ++n) data[n] = static_cast<int64_t>(n);
  for (Layout layout : {Layout::C, Layout::F, Layout::Strided}) {
    Tree t;
    LocalId a = t.param("a", ValueType::array(ir::kI64, 3, layout));
    LocalId i = t.param("i", kInt), j = t.param("j", kInt), k = t.param("k", kInt);
    t.ret(t.element(t.get(a), {t.get(i), t.get(j), t.get(k)}));
    std::vector<int64_t> start = {address(data.data()), 2, 3, 4};
    if (layout == Layout::Strided) start.insert(start.end(), {50, 7, 1});
    auto at = [&](int64_t x, int64_t y, int64_t z) {
      std::vector<int64_t> arguments = start;
      arguments.insert(arguments.end(), {x, y, z});
      return t.run1(arguments);
    };
    auto expected = [&](int64_t x, int64_t y, int64_t z) {
      if (layout == Layout::C) return x * 12 + y * 4 + z;
      return layout == Layout::F ? x + y * 2 + z * 6 : x * 50 + y * 7 + z;
    };
    EXPECT_EQ(at(1, 2, 3), expected(1, 2, 3));
    EXPECT_EQ(at(0, 1, 2), expected(0, 1, 2));
    EXPECT_EQ(at(-1, -3, -2), expected(1, 0, 2));
  }
}

// The elements that numpy.arange(n)[lower:upper:step] has, by running a lowered function that makes the view
// and then reads one element. Missing bounds: kNone. The step is a literal or comes at run time.
constexpr int64_t kNone = INT64_MAX;
std::vector<int64_t> sliced(int64_t n, int64_t lower, int64_t upper, int64_t step, bool literal_step) {
  Tree t(ValueType::tuple({kInt, kInt}));
  LocalId a = t.param("a", ValueType::array(ir::kI64, 1, Layout::C));
  LocalId lo = t.param("lo", kInt), hi = t.param("hi", kInt), by = t.param("by", kInt),
          i = t.param("i", kInt);
  LocalId v = t.local("v", ValueType::array(ir::kI64, 1, Layout::Strided));
  TSubscript s{.kind = TSubscript::Kind::Slice};
  if (lower != kNone) s.lower = t.get(lo);
  if (upper != kNone) s.upper = t.get(hi);
  if (step != kNone) s.step = literal_step ? t.c(step) : t.get(by);
  TExpr view{.kind = TExprKind::View, .type = t.f.locals[v].type, .children = {t.get(a)}, .subscripts = {s}};
  t.set(v, t.add(view));
  TExprId size = t.node(TExprKind::Shape, kInt, {t.get(v)}, 0);
  TExprId inside = t.compare(OpKind::Lt, t.get(i), size);
  TExprId value = t.node(TExprKind::Ternary, kInt, {inside, t.element(t.get(v), {t.get(i)}), t.c(-1)});
  t.ret(t.node(TExprKind::Tuple, ValueType::tuple({kInt, kInt}), {size, value}));

  std::vector<int64_t> data(static_cast<size_t>(n)), found;
  for (size_t k = 0; k < data.size(); ++k) data[k] = static_cast<int64_t>(k);
  int64_t count = 1;
  for (int64_t k = 0; k < count; ++k) {
    std::vector<int64_t> result = t.run({address(data.data()), n, lower, upper, step, k});
    if (result.size() != 2 || result[0] < 0 || result[0] > n) return {-999};
    count = result[0];
    if (k < count) found.push_back(result[1]);
  }
  return found;
}

TEST(Lower, SlicesClipAsNumpyDoes) {
  using List = std::vector<int64_t>;
  struct Case {
    int64_t lower, upper, step;
    List expected;
  };
  const Case cases[] = {
      {1, 4, kNone, {1, 2, 3}},
      {kNone, kNone, kNone, {0, 1, 2, 3, 4}},
      {-2, kNone, kNone, {3, 4}},
      {kNone, -2, kNone, {0, 1, 2}},
      {3, 3, kNone, {}},
      {4, 1, kNone, {}},
      {10, kNone, kNone, {}},
      {-10, 10, kNone, {0, 1, 2, 3, 4}},
      {kNone, -10, kNone, {}},
      {kNone, kNone, 2, {0, 2, 4}},
      {1, kNone, 2, {1, 3}},
      {-100, 100, 3, {0, 3}},
      {4, 1, 2, {}},
      {kNone, kNone, 10, {0}},
      {kNone, kNone, -1, {4, 3, 2, 1, 0}},
      {4, 0, -2, {4, 2}},
      {kNone, kNone, -3, {4, 1}},
      {3, kNone, -1, {3, 2, 1, 0}},
      {kNone, 2, -1, {4, 3}},
      {1, 3, -1, {}},
      {100, -100, -2, {4, 2, 0}},
      {-1, -4, -1, {4, 3, 2}},
      {-10, kNone, -1, {}},
      {kNone, kNone, INT64_MIN, {4}},
      {2, kNone, INT64_MAX - 1, {2}},
  };
  for (const Case& c : cases) {
    for (bool literal : {true, false}) {
      if (c.step == kNone && !literal) continue;
      EXPECT_EQ(sliced(5, c.lower, c.upper, c.step, literal), c.expected)
          << c.lower << ":" << c.upper << ":" << c.step << (literal ? " literal" : " at run time");
    }
  }
  EXPECT_EQ(sliced(0, kNone, kNone, kNone, true), List{});
  EXPECT_EQ(sliced(0, kNone, kNone, -1, true), List{});
  EXPECT_EQ(sliced(0, -1, kNone, -1, false), List{});
  EXPECT_EQ(sliced(5, kNone, kNone, 0, false), List{});  // NumPy refuses; here nothing, as in range
}

TEST(Lower, ViewDropsAndKeepsDimensions) {
  // a[1, :, ::2][j, k] of shape (2, 3, 4) in C order
  Tree t;
  LocalId a = t.param("a", ValueType::array(ir::kI64, 3, Layout::C)), j = t.param("j", kInt),
          k = t.param("k", kInt);
  TSubscript row{.kind = TSubscript::Kind::Index, .lower = t.c(1), .wrap = false}, all{};
  TSubscript odd{.kind = TSubscript::Kind::Slice, .step = t.c(2)};
  TExpr view{.kind = TExprKind::View,
             .type = ValueType::array(ir::kI64, 2, Layout::Strided),
             .children = {t.get(a)},
             .subscripts = {row, all, odd}};
  t.ret(t.element(t.add(view), {t.get(j), t.get(k)}));
  std::vector<int64_t> data(24);
  for (size_t n = 0; n < data.size(); ++n) data[n] = static_cast<int64_t>(n);
  EXPECT_EQ(t.run1({address(data.data()), 2, 3, 4, 2, 1}), 12 + 8 + 2);
  EXPECT_EQ(t.run1({address(data.data()), 2, 3, 4, -1, -1}), 12 + 8 + 2);
}

TEST(Lower, TuplesAndCallsAreFlattened) {
  // def pair(t): return (t[1], (t[0], 7))        def f(a, b): p = pair((a, b)); return p[1][0] * 100 + p[0]
  ValueType flat = ValueType::tuple({kInt, kInt}), nested = ValueType::tuple({kInt, flat});
  Tree callee(nested);
  callee.f.name = "pair";
  LocalId arg = callee.param("t", flat);
  auto item = [&](Tree& t, TExprId of, uint32_t index, ValueType type = kInt) {
    return t.node(TExprKind::TupleItem, std::move(type), {of}, index);
  };
  TExprId inner = callee.node(TExprKind::Tuple, flat, {item(callee, callee.get(arg), 0), callee.c(7)});
  callee.ret(callee.node(TExprKind::Tuple, nested, {item(callee, callee.get(arg), 1), inner}));
  callee.f.body = callee.top;

  Tree t;
  LocalId a = t.param("a", kInt), b = t.param("b", kInt), p = t.local("p", nested);
  t.set(p, t.node(TExprKind::Call, nested, {t.node(TExprKind::Tuple, flat, {t.get(a), t.get(b)})}, 1));
  TExprId first = item(t, item(t, t.get(p), 1, flat), 0);
  t.ret(t.op(OpKind::Add, {t.op(OpKind::Mul, {first, t.c(100)}), item(t, t.get(p), 0)}));
  EXPECT_EQ(t.run({3, 4}, {callee.f}), std::vector<int64_t>{304});
}

TEST(Lower, ConversionAddsStridesAndMakesSpacesGeneric) {
  ValueType c_order = ValueType::array(ir::kI64, 2, Layout::C);
  ValueType general = ValueType::array(ir::kI64, 2, Layout::Strided, ir::Space::Generic);
  Tree t;
  LocalId a = t.param("a", c_order), v = t.local("v", general);
  t.set(v, t.node(TExprKind::Convert, general, {t.get(a)}));
  TExprId stride = t.node(TExprKind::Stride, kInt, {t.get(v)}, 0);
  t.ret(t.op(OpKind::Add, {t.op(OpKind::Mul, {stride, t.c(1000)}), t.element(t.get(v), {t.c(1), t.c(2)})}));
  int64_t data[] = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(t.run1({address(data), 2, 4}), 4006);
}

TEST(Lower, LocalArrayHoldsWhatIsStored) {
  Tree t;
  LocalId n = t.param("n", kInt), i = t.local("i", kInt), sum = t.local("sum", kInt);
  LocalId scratch = t.local("scratch", ValueType::array(ir::kI64, 2, Layout::C, ir::Space::Local));
  t.set(scratch, t.add({.kind = TExprKind::LocalArray, .type = t.f.locals[scratch].type, .shape = {2, 3}}));
  t.set(sum, t.c(0));
  t.for_(
      i, 3,
      [&] {
        t.stmt({.kind = TStmtKind::StoreElement,
                .array = t.get(scratch),
                .value = t.op(OpKind::Mul, {t.get(i), t.get(n)}),
                .indices = {t.c(-1), t.get(i)},
                .wrap = {true, false}});
      },
      [] {});
  t.for_(
      i, 3,
      [&] {
        t.set(sum, t.op(OpKind::Add, {t.get(sum), t.element(t.get(scratch), {t.c(1), t.get(i)})}));
      },
      [] {});
  t.ret(t.get(sum));
  EXPECT_EQ(t.run1({10}), 30);
}

TEST(Lower, OnlyLocalsThatNeedSlotsGetThem) {
  // once = n + 1 (a value); twice is set in both arms of an if (a slot)
  Tree t;
  LocalId n = t.param("n", kInt), once = t.local("once", kInt), twice = t.local("twice", kInt);
  t.set(once, t.op(OpKind::Add, {t.get(n), t.c(1)}));
  t.stmt({.kind = TStmtKind::If,
          .value = t.compare(OpKind::Gt, t.get(n), t.c(0)),
          .body = t.list([&] { t.set(twice, t.get(once)); }),
          .orelse = t.list([&] { t.set(twice, t.c(0)); })});
  t.ret(t.get(twice));
  std::string text = ir::print(t.lower_verified());
  EXPECT_EQ(count_text(text, "= var"), 1u) << text;
  EXPECT_EQ(t.run1({4}), 5);
  EXPECT_EQ(t.run1({-4}), 0);
}

TEST(Lower, ParametersAreNamedAfterTheirLeaves) {
  Tree t(ValueType::none());
  t.f.is_kernel = true;
  t.param("x", ValueType::array(ir::kF32, 2, Layout::Strided));
  t.param("t", ValueType::tuple({kInt, ValueType::array(ir::kI32, 1, Layout::C)}));
  ir::Module out = t.lower_verified();
  std::vector<std::string> names;
  for (ir::ValueId id : out.entry().params()) names.push_back(out.entry().values[id].name);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "x.shape0", "x.shape1", "x.stride0", "x.stride1", "t.0",
                                             "t.1", "t.1.shape0"}));
}

TEST(PrintTyped, ShowsTypesConversionsAndWraps) {
  Tree t(ValueType::none());
  t.f.name = "fill";
  t.f.is_kernel = true;
  LocalId x = t.param("x", ValueType::array(ir::kF32, 1, Layout::C)), i = t.local("i", kInt);
  t.set(i, t.node(TExprKind::Convert, kInt, {t.op(OpKind::ThreadIdX, {}, ValueType::typed(ir::kI32))}));
  t.if_(t.compare(OpKind::Lt, t.get(i), t.node(TExprKind::Shape, kInt, {t.get(x)}, 0)), [&] {
    TExprId half = t.add({.kind = TExprKind::Const, .type = ValueType::typed(ir::kF32), .immediate = 0.5});
    t.stmt({.kind = TStmtKind::StoreElement,
            .array = t.get(x),
            .value = half,
            .indices = {t.get(i)},
            .wrap = {true}});
  });
  TypedModule module;
  t.f.body = t.top;
  module.functions.push_back(t.f);
  EXPECT_EQ(print_typed(module),
            "kernel fill(x: float32[::1]):\n"
            "  i: int = int(thread_id_x())\n"
            "  if lt(i, x.shape0):\n"
            "    x[i~] = float32(0.5)\n");
}

}  // namespace
}  // namespace lanewise::frontend
