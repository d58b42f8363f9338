// The inference of one function on given argument types: walks its tree once for each state it can be in,
// making typed nodes as it goes. The methods are defined in the files named below, by topic.
//
// Expressions may need statements before them (a value used twice goes into a temporary): these are
// appended to the current list, `out_`. Whoever evaluates several operands keeps their order with
// keep_order(); whoever evaluates under a condition gives the operand a list of its own.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/infer/builtins.h"
#include "frontend/infer/constants.h"
#include "frontend/infer/number_rules.h"
#include "frontend/infer/session.h"
#include "frontend/infer/value.h"

namespace lanewise::frontend {
struct RecordField;
}

namespace lanewise::frontend::inference {

using Ids = std::span<const ExprId>;

// The arguments of a call as they are written and inferred.
struct CallArguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
  SourceRange range;   // the whole call
  bool error = false;  // an argument was an error: say no more
  const Value* keyword(std::string_view name) const {
    for (auto& k : keywords)
      if (k.first == name) return &k.second;
    return nullptr;
  }
};

class FunctionInference {
 public:
  FunctionInference(Session& session, Specialisation& specialisation);
  // Fills the specialisation's tree, result and reports.
  void run();

 private:
  friend class Depth;

  // --- function.cpp: parameters, returns, putting it together
  void bind_parameters();
  void bind_parameter(const Parameter& parameter, const Argument& argument);
  std::optional<ElementType> annotated_type(ExprId annotation);
  void finish_returns();
  void finish_tree();
  void splice(std::vector<TStmtId>& list);
  bool is_kernel() const;
  SourceRange fn_range() const;
  const std::vector<Parameter>& parameters() const;

  // --- nodes.cpp: making and discarding nodes
  TExprId add(TExpr e);
  TStmtId make(TStmt s);
  TStmtId emit(TStmt s);  // makes it and appends it to the current list
  TExprId const_expr(const ValueType& type, ir::Immediate immediate, SourceRange range);
  TExprId local_expr(LocalId local, SourceRange range);
  TExprId op_expr(ir::OpKind op, const ValueType& type, std::vector<TExprId> children, SourceRange range);
  LocalId local(const std::string& name, const ValueType& type);
  LocalId temporary(const ValueType& type);
  TStmtId make_set(LocalId local, TExprId value, SourceRange range);
  void set(LocalId local, TExprId value, SourceRange range);
  const ValueType& type_of(TExprId id) const { return exprs_[id.index].type; }
  // Whether the node may be used twice: a constant or a local. Nodes never change, so two parents may share
  // one.
  bool is_stable(TExprId id) const;
  bool sets_local(std::span<const TStmtId> list, LocalId local) const;
  // Makes `value` cheap to use twice: puts it into a temporary unless it is stable.
  void stabilise(Value& value);
  void freeze(Value& value);
  // Values made before `position` of the current list keep what they were if statements were appended since.
  void keep_order(std::span<Value*> values, size_t position);
  struct Mark {
    size_t exprs, stmts, locals, reports, returns;
  };
  Mark mark() const;
  void rollback(const Mark& mark);
  template <class Body>
  auto in_list(std::vector<TStmtId>& list, Body body) {
    std::vector<TStmtId>* outer = out_;
    out_ = &list;
    struct Restore {
      FunctionInference& self;
      std::vector<TStmtId>* outer;
      ~Restore() { self.out_ = outer; }
    } restore{*this, outer};
    return body();
  }

  // --- values.cpp: values from constants, types and nodes; tuples
  Value error(SourceRange range) const;
  Value scalar(const ValueType& type, TExprId expr, SourceRange range) const;
  Value number(const HostValue& constant, SourceRange range);
  Value python_int(int64_t value, SourceRange range);
  Value object(HostValue value, SourceRange range) const;
  Value none(SourceRange range) const { return object({HostValue::None{}}, range); }
  Value from_host(const HostValue& value, const std::string& name, SourceRange range);
  static constexpr size_t kMaxTupleItems = 1024;  // nested ones included
  Value too_many_items(SourceRange range);
  Value tuple(std::vector<Value> parts, SourceRange range);
  // The items of a tuple, each usable on its own.
  std::vector<Value> items(Value& value);
  Value tuple_item(Value& value, size_t index, SourceRange range);
  // The node of a value: packs tuples. Invalid for errors and compile-time things.
  TExprId node(Value& value);
  Number as_number(const Value& value) const;
  std::string describe(const Value& value) const;

  // --- convert.cpp
  // The value as an expression of `type`, which it must be convertible to (join_types said so, or scalar to
  // scalar).
  TExprId convert(Value& value, const ValueType& type);
  TExprId convert(TExprId expr, const ValueType& type);
  Value converted(Value value, const ValueType& type);
  // Reports constants that the type cannot hold.
  bool check_range(const Value& value, ir::Type type, std::string_view what);
  std::optional<ValueType> join_types(const ValueType& a, const Known& ka, const ValueType& b,
                                      const Known& kb) const;
  Value to_bool(Value value);
  // As an i64 index: invalid if it is none (reported).
  TExprId to_index(Value& value, std::string_view what);

  // --- report.cpp
  Report& report(ir::DiagnosticId id, SourceRange range, std::initializer_list<std::string> arguments = {});
  // Adds where the value's type comes from.
  void explain(Report& r, const Value& value) const;
  Value not_yet(SourceRange range, std::string what, std::string hint = "");
  Value not_supported(SourceRange range, std::string what, std::string hint = "");
  std::string text(SourceRange range) const;

  // --- names.cpp
  Value infer_name(const Expr& e);
  Value lookup_local(const std::string& name, SourceRange range);
  Value lookup_global(const std::string& name, SourceRange range);
  Value read(const std::string& name, const BoundName& binding, SourceRange range);
  bool said_before(ir::DiagnosticId id, const std::string& name) const;
  void bind(const std::string& name, Value value, SourceRange where);
  Value infer_attribute(const Expr& e);
  Value attribute(Value base, const Expr& e);
  Value namespace_attribute(const Value& base, const Expr& e);
  Value builtin_attribute(const std::string& name, const Value& base, const Expr& e);
  Value array_attribute(Value& base, const Expr& e);
  Value scalar_attribute(Value& base, const Expr& e);
  Value dtype_attribute(const Value& base, const Expr& e);
  std::vector<std::string> known_names() const;
  std::string nearest_in_modules(const std::string& name) const;
  std::vector<std::string> pattern_names(ExprId id) const;
  void count_bindings(const std::vector<StmtId>& body, int delta);
  void count_target(ExprId target, int delta);
  void count_expr(ExprId expr, int delta);
  bool bound_once(const std::string& name) const;

  // --- expressions.cpp
  Value infer(ExprId id);
  Value infer_kind(ExprId id);
  Value infer_literal(const Expr& e);
  Value infer_tuple(const Expr& e);
  Value infer_ternary(const Expr& e);
  Value infer_bool_op(const Expr& e);
  Value infer_named(const Expr& e);
  Value infer_condition(ExprId id);
  Value condition_bool_op(const Expr& e);
  // Both arms inferred in lists and states of their own, then merged: emits an If if they need statements.
  Value choose(Value condition, const std::function<Value()>& if_true, const std::function<Value()>& if_false,
               SourceRange range);
  Value short_circuit(bool is_and, Value left, const std::function<Value()>& right, bool truth_only,
                      SourceRange range);
  std::vector<Value> infer_all(Ids ids);

  // --- operators.cpp and compare.cpp
  Value infer_binary(const Expr& e);
  Value infer_unary(const Expr& e);
  Value infer_compare(const Expr& e);
  Value compare_chain(const Expr& e, size_t index, Value left);
  Value binary(Operator op, Value left, Value right, SourceRange range, SourceRange op_range);
  Value number_binary(Operator op, Value& left, Value& right, SourceRange range);
  Value fold_binary(Operator op, const Value& left, const Value& right, SourceRange range);
  Value tuple_binary(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value shift(Operator op, Value& left, Value& right, SourceRange range);
  Value power(Value& left, Value& right, SourceRange range);
  Value multiply_out(Value base, const ValueType& type, uint64_t exponent, SourceRange range);
  Value unary(Operator op, Value operand, SourceRange range);
  Value compare(Operator op, Value& left, Value& right, SourceRange range);
  Value compare_numbers(Operator op, Value& left, Value& right, SourceRange range);
  Value compare_mixed(Operator op, Value& left, Value& right, bool left_is_signed, const ValueType& type,
                      SourceRange range);
  Value compare_tuples(Operator op, Value& left, Value& right, SourceRange range);
  Value compare_objects(Operator op, const Value& left, const Value& right, SourceRange range);
  Value contains(Operator op, Value& item, ExprId container, SourceRange range);
  struct Counter {  // a range
    TExprId start, stop, step;
    ValueType type;
    bool non_negative = false;
    bool runs = false;  // at least one turn for sure
  };
  Value in_range(Value& item, Counter& counter, SourceRange range);
  Value bool_op(ir::OpKind op, Value& a, Value& b, SourceRange range);
  Value op_value(ir::OpKind op, const ValueType& type, std::vector<TExprId> children, SourceRange range);
  // The op on operands that are all constant, computed now.
  void fold(Value& value);
  void warn_number_type(const NumberType& type, const Value& left, const Value& right, SourceRange range);

  // --- subscript.cpp and arrays.cpp
  Value infer_subscript(const Expr& e);
  struct Subscripts {
    std::vector<TSubscript> list;  // one for each dimension
    bool all_indices = false;
    bool error = false;
  };
  struct Written;
  bool written_subscripts(Value& base, const Expr& e, std::vector<Written>& out);
  Subscripts infer_subscripts(Value& base, const Expr& e);
  bool index_subscript(const Value& base, Value& index, size_t dimension, TSubscript& out);
  bool slice_subscript(Written& written, TSubscript& out);
  Value subscript_array(Value& array, const Subscripts& subscripts, SourceRange range);
  Value subscript_tuple(Value& base, const Expr& e);
  Value slice_tuple(Value& base, const Expr& slice, SourceRange range);
  Value pick_item(Value& base, Value index, SourceRange range);
  Value view(Value& array, std::vector<TSubscript> subscripts, SourceRange range);
  Value row(Value& array, TExprId index, bool wrap, SourceRange range);
  Value shape(Value& array, unsigned dimension, SourceRange range);  // attributes.cpp
  void store(Value& array, Subscripts& subscripts, Value value, SourceRange range);
  void fill(Value& target, TExprId value, SourceRange range);
  bool check_writable(const Value& array, SourceRange range);
  Value new_array(ir::Space space, const std::string& name, CallArguments& call);
  std::optional<std::vector<int64_t>> constant_shape(Value& shape);
  std::string spell_shape(const std::vector<int64_t>& shape) const;
  std::optional<ElementType> dtype_of(const Value& value) const;

  // --- calls.cpp
  Value infer_call(const Expr& e);
  CallArguments infer_arguments(const Expr& e);
  Value call_function(const HostValue::Function& function, CallArguments& call, const Expr& e);
  SourceRange function_range(const FunctionRef& function) const;
  Value call_dtype(const HostValue::DType& type, CallArguments& call);
  Value cast(Value value, const HostValue::DType& type, SourceRange range);
  std::optional<std::vector<Value>> match_parameters(const FunctionRef& function, CallArguments& call);
  std::optional<Value> default_argument(const FunctionRef& function, size_t index, SourceRange range);

  // --- builtins.cpp
  Value call_builtin(const std::string& name, CallArguments& call);
  Value call_handler(Handler handler, const std::string& name, CallArguments& call);
  Value call_operator(const NamedOperator& op, const std::string& name, CallArguments& call);
  std::string count_text(const CallArguments& call) const;
  bool arity(const std::string& name, CallArguments& call, size_t least, size_t most);
  bool all_numbers(const std::string& name, std::span<const Value> values);
  Value length(const std::string& name, CallArguments& call);
  Value sum(const std::string& name, CallArguments& call);
  Value min_max(ir::OpKind op, const std::string& name, CallArguments& call);
  Value min_max_of(ir::OpKind op, std::vector<Value> values, SourceRange range);
  Value absolute(Value value, SourceRange range);
  Value round_number(const std::string& name, CallArguments& call);

  // --- output.cpp: print, assert, raise
  struct Text;
  void keep_order(Text& text, size_t position);
  Value infer_print(const Expr& e);
  bool print_option(const std::string& name, ExprId id, std::string& text);
  void infer_assert(const Stmt& s);
  void infer_raise(const Stmt& s);
  std::optional<std::string> exception_name(ExprId id);
  void fail(std::string exception, Text text, SourceRange range);
  bool add_argument(ExprId id, Text& text, bool quoted);
  bool add_fstring(const Expr& e, Text& text);
  bool add_value(Value value, Text& text, bool quoted, const std::string& spec);
  bool add_object(const Value& value, Text& text, bool quoted, const std::string& spec);
  std::shared_ptr<const ir::Message> finish(Text& text, std::string exception, std::vector<TExprId>& values);

  // --- math.cpp
  Value call_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value call_float_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value call_math(Handler handler, const std::string& name, CallArguments& call);
  ValueType float_type_of(std::span<const Value> values) const;
  Value float_op(ir::OpKind op, std::vector<Value> values, SourceRange range);
  Value float_of(const Value& value);  // as the float that functions of it work in
  Value scaled(const Value& x, double factor, SourceRange range);
  Value modf(const Value& x, SourceRange range);
  Value frexp(const Value& x, SourceRange range);
  Value sign(Value x, SourceRange range);
  Value select(const std::string& name, CallArguments& call);

  // --- gpu.cpp
  Value thread_op(ir::OpKind op, SourceRange range);
  std::optional<Value> special_register(const std::string& name, SourceRange range);
  Value call_gpu(Handler handler, const std::string& name, CallArguments& call);
  Value grid(Handler handler, const std::string& name, CallArguments& call);
  Value atomic(ir::OpKind op, const std::string& name, CallArguments& call);
  bool atomic_indices(const Value& array, Value& index, std::vector<TExprId>& children,
                      std::vector<bool>& wrap);

  // --- threads.cpp
  TExprId integer_argument(const std::string& name, size_t number, Value& value, ir::Type type);
  Value meet(ir::OpKind op, const ValueType& type, std::vector<TExprId> children, SourceRange range);
  void emit_effect(ir::OpKind op, std::vector<TExprId> children, SourceRange range);
  Value call_thread_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value warp_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value shuffle(ir::OpKind op, const std::string& name, TExprId mask, Value& value, TExprId lane,
                SourceRange range);
  Value warp_reduce(ir::OpKind op, const std::string& name, TExprId mask, Value& value, SourceRange range);
  Value bit_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value bit_count(Value number, CallArguments& call);
  Value cached_access(ir::OpKind op, const std::string& name, CallArguments& call);
  Value lane_mask(const std::string& name, CallArguments& call);

  // --- records.cpp
  std::optional<std::string> field_name(const Value& base, const Expr& e);
  const RecordField* find_field(const Value& base, const std::string& name, SourceRange range);
  Value field_place(Value& base, const RecordField& field, SourceRange range);
  Value field_of(Value& base, const std::string& name, SourceRange name_range, SourceRange range);
  Value read_place(Value place, SourceRange range);
  std::optional<Value> target_field(const Expr& target, Value& base);
  void store_in_place(Value place, Value value, SourceRange range);
  void store_record(Value& target, Value value, SourceRange range);
  Value reinterpret(Value& array, const ElementType& element, SourceRange range);
  Value call_view(Value base, const Expr& e);

  // --- texts.cpp
  Value characters(Value& text);
  Value character(Value& all, uint32_t index, uint32_t length, SourceRange range);
  Value compare_texts(Operator op, Value& left, Value& right, SourceRange range);
  void store_text(Value& target, Value value, SourceRange range);

  // --- times.cpp
  Value ticks(Value value);
  Value as_time(const Value& count, const TimeType& type, SourceRange range);
  Value ticks_constant(int64_t value, SourceRange range);
  Value ticks_op(ir::OpKind op, const Value& a, const Value& b, SourceRange range);
  Value is_nat(const Value& count, SourceRange range);
  Value nat_if(const Value& condition, const Value& count, SourceRange range);
  std::optional<Value> in_unit(Value value, const TimeType& to, SourceRange range);
  struct Times {
    Value left, right;  // counts
    TimeType type;
  };
  std::optional<Times> same_unit(Operator op, Value& left, Value& right, SourceRange range);
  Value refuse_times(Operator op, const Value& left, const Value& right, SourceRange range);
  Value time_binary(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value add_times(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value scale_time(Operator op, Value& left, Value& right, SourceRange range);
  Value divide_times(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value compare_times(Operator op, ir::OpKind kind, Value& left, Value& right, SourceRange range);
  Value time_unary(Operator op, Value operand, SourceRange range);
  TExprId convert_time(Value value, const TimeType& type, SourceRange range);
  Value call_time(Handler handler, const std::string& name, CallArguments& call);

  // --- statements.cpp
  void infer_block(const std::vector<StmtId>& body);
  void infer_stmt(StmtId id);
  void infer_kind(StmtId id, const Stmt& s);
  void infer_expr_stmt(const Stmt& s);
  void infer_if(StmtId id, const Stmt& s);
  void infer_return(const Stmt& s);
  void infer_match(const Stmt& s);
  void infer_match_from(const Stmt& s, Value& subject, size_t index);
  bool accepts_pattern(ExprId id);
  void refuse_pattern(const Expr& e);
  Value match_pattern(ExprId id, Value& subject);
  void infer_delete(const Stmt& s);
  void prune(StmtId id, const Stmt& s, int arm);
  void infer_branches(const Value& condition, SourceRange range, const std::function<void()>& body,
                      const std::function<void()>& orelse);

  // --- closure.cpp
  std::vector<std::string> captured_variables(const FunctionRef& function);
  std::set<std::string> names_bound_by(const FunctionRef& function);
  HostValue::Function make_closure(const std::string& name, StmtId def, ExprId lambda);
  Value infer_lambda(ExprId id);
  void infer_import(const Stmt& s);

  // --- assign.cpp
  void infer_assign(const Stmt& s);
  void hint_at_float(const Stmt& s);
  void infer_aug_assign(const Stmt& s);
  void infer_ann_assign(const Stmt& s);
  void assign(ExprId target, Value value);
  void unpack(const Expr& target, Value value);
  bool can_assign_to(const Value& base, const Expr& target);
  void assign_subscript(const Expr& target, Value value);
  void aug_assign_field(const Stmt& s, const Expr& target, Value place);
  void aug_assign_element(const Stmt& s, const Expr& target);
  void poison(ExprId target);
  void protect(std::vector<Value>& values, const Expr& target);
  bool depends_on(const Value& value, const std::set<std::string>& names, bool memory) const;
  bool depends_on(TExprId id, const std::set<std::string>& names, bool memory) const;

  // --- loops.cpp
  struct Loop {
    std::vector<Edge> breaks, continues;
    // A tuple's loop is unrolled: each turn is a loop of one turn that both jumps leave; `break` sets the
    // flag.
    bool unrolled = false;
    LocalId flag;
  };
  void infer_while(const Stmt& s);
  void infer_for(const Stmt& s);
  void infer_jump(const Stmt& s);
  // Finds the types at the loop's head: runs `turn` from ever new heads until the types it ends with are
  // those it began with. Afterwards state_ is the state at the end of the body.
  State settle(const Stmt& s, std::vector<TStmtId>& body, Loop& loop, const std::function<void()>& turn);
  void keep_conflicts(const State& head, std::span<const Edge> edges, State& next) const;
  void report_unsettled(const Stmt& s, State& head, const State& next);
  void leave_loop(const Stmt& s, State normal_exit, Loop& loop, TStmt statement);
  void for_counter(const Stmt& s, const Counter& counter, const std::function<Value(Value)>& item);
  State exit_after_turns(const State& head, const Loop& loop) const;
  void for_tuple(const Stmt& s, std::vector<Value> values);
  TStmtId one_turn(std::vector<TStmtId> body, std::vector<TStmtId> orelse, SourceRange range);

  // --- sequences.cpp: what loops go over
  struct Sequence {
    enum class Kind { Error, Counter, Array, Tuple, Enumerate, Zip, Reversed } kind = Kind::Error;
    Counter counter;
    Value value;  // the array or tuple; Enumerate: the first number; Reversed, once frozen: the last index
    std::vector<Sequence> inner;
    SourceRange range;
  };
  std::optional<Counter> infer_range(CallArguments& call);
  Sequence infer_sequence(ExprId id);
  Sequence sequence_of(Value value);
  Sequence combined_sequence(const std::string& name, const Expr& e);
  void freeze(Sequence& sequence);
  Value sequence_length(Sequence& sequence, SourceRange range);
  Value sequence_item(Sequence& sequence, Value index, SourceRange range);
  std::optional<std::vector<Value>> sequence_values(Sequence& sequence);

  // --- merge.cpp
  // The state where the edges meet; conversions are put at the end of each edge.
  State merge(std::span<Edge> edges);
  State join_states(std::span<const Edge> edges) const;
  BoundName join_bindings(const std::string& name, std::span<const Edge> edges, bool& everywhere) const;
  BoundName with_local(const std::string& name, BoundName binding);
  void convert_edge(Edge& edge, const State& target);
  void put(Edge& edge, TStmtId statement);

  Session& session_;
  const uint64_t id_;  // of this inference, unique in the session
  Specialisation& spec_;
  const FunctionRef& fn_;
  const Ast& ast_;

  std::vector<TExpr> exprs_;
  std::vector<TStmt> stmts_;
  std::vector<Local> locals_;
  std::map<std::string, std::vector<LocalId>> locals_by_name_;
  std::vector<LocalId> params_;
  std::vector<TStmtId> body_;
  std::vector<TStmtId>* out_ = nullptr;
  std::map<uint32_t, std::vector<TStmtId>> insertions_;  // statement -> what goes before it
  Reports reports_;

  State state_;
  std::vector<Loop*> loops_;
  struct Return {
    TStmtId stmt;
    Value value;  // of type None where there is none
  };
  std::vector<Return> returns_;
  std::map<std::string, int> binding_counts_;  // names that the function assigns, and how often it says so
  bool has_walrus_ = false;                    // expressions may assign
  std::map<std::pair<uint32_t, uint32_t>, HostValue::Function> closures_;  // by definition
  std::map<uint32_t, int> pruned_;  // If statement -> which arm is out (1 body, 2 orelse)
};

}  // namespace lanewise::frontend::inference
