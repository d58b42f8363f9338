// The inference of one function on given argument types: walks its tree once for each state it can be in,
// making typed nodes as it goes. The methods are defined in the files named below, by topic.
//
// Statements that expressions need before them (a temporary) are appended to the current list, `out_`.
// Whoever evaluates several operands uses keep_order(); under a condition the operand gets a list of its own.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/infer/array_expression.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/constants.h"
#include "frontend/infer/number_rules.h"
#include "frontend/infer/session.h"
#include "frontend/infer/tree_facts.h"
#include "frontend/infer/value.h"

namespace lanewise::frontend {
struct RecordField;
}
namespace lanewise::frontend::inference {

using Ids = std::span<const ExprId>;

class FunctionInference : private TreeFacts {
 public:
  FunctionInference(Session& session, Specialisation& specialisation);
  // Fills the specialisation's tree, result and reports.
  void run();

 private:
  friend class Depth;
  friend class MachineCalls;
  using TreeBuilder::freeze, TreeBuilder::keep_order;  // others here have the same names

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
  Value tuple(std::vector<Value> parts, SourceRange range, TupleNames names = {});
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
  std::optional<ValueType> join_complex(const ValueType& a, const Known& ka, const ValueType& b,
                                        const Known& kb) const;
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
  // The operator does not go with these operands; an error value.
  Value refuse_operands(Operator op, const Value& left, const Value& right, SourceRange op_range,
                        const std::string& hint = "");
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
  std::string nearest_known(const std::string& name) const;
  std::vector<std::string> pattern_names(ExprId id) const;
  void count_bindings(const std::vector<StmtId>& body, int delta);
  void count_target(ExprId target, int delta);
  void count_expr(ExprId expr, int delta);

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
  Value shift(Operator op, Value& left, Value& right, SourceRange range);
  Value power(Value& left, Value& right, SourceRange range);
  Value multiply_out(Value base, const ValueType& type, uint64_t exponent, SourceRange range);
  Value unary(Operator op, Value operand, SourceRange range);
  Value compare(Operator op, Value& left, Value& right, SourceRange range);
  Value compare_numbers(Operator op, Value& left, Value& right, SourceRange range);
  Value compare_mixed(Operator op, Value& left, Value& right, bool left_is_signed, const ValueType& type,
                      SourceRange range);
  Value compare_objects(Operator op, const Value& left, const Value& right, SourceRange range);
  Value contains(Operator op, Value& item, ExprId container, SourceRange range);
  Value contains(Value& item, Value container, SourceRange range);
  Value in_range(Value& item, Counter& counter, SourceRange range);
  Value bool_op(ir::OpKind op, Value& a, Value& b, SourceRange range);
  Value op_value(ir::OpKind op, const ValueType& type, std::vector<TExprId> children, SourceRange range);
  // The op on operands that are all constant, computed now.
  void fold(Value& value);
  void warn_number_type(const NumberType& type, const Value& left, const Value& right, SourceRange range);

  // --- complex.cpp
  Value complex_number(const HostValue::Complex& constant, SourceRange range);
  Value make_complex(Value real, Value imag, SourceRange range);
  ValueType complex_type(std::span<const Number> numbers) const;
  ValueType complex_type(std::span<const Value> values) const;
  std::pair<Value, Value> complex_parts(const Value& value, const ValueType& type);
  Value complex_binary(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value complex_product(const Value& left, const Value& right, const ValueType& type, SourceRange range);
  Value complex_quotient(Value& left, Value& right, const ValueType& type, SourceRange range);
  Value complex_power(Value& left, Value& right, const ValueType& type, SourceRange range);
  Value compare_complex(Operator op, Value& left, Value& right, SourceRange range);
  Value complex_abs(Value& value, SourceRange range);
  Value complex_conjugate(Value value, SourceRange range);
  Value complex_of(CallArguments& call, const std::optional<ValueType>& wanted);
  Value call_complex_library(const std::string& name, std::vector<Value> arguments, const ValueType& type,
                             SourceRange range);
  std::optional<Value> call_cmath(const std::string& name, CallArguments& call);
  std::optional<Value> call_with_complex(const std::string& name, CallArguments& call);
  Value call_part(Handler handler, const std::string& name, CallArguments& call);
  Value refuse_complex(const std::string& name, CallArguments& call);
  Value part_view(Value& base, bool imag, SourceRange range);  // attributes.cpp

  // --- vectors.cpp
  Value make_vector(std::vector<Value> components, ir::Type component, SourceRange range);
  Value vector_of(const ElementType& type, CallArguments& call);
  Value with_items_of(const ValueType& type, std::vector<Value> items, SourceRange range);
  Value vector_binary(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value vector_result(std::vector<Value> components, SourceRange range);
  Value compare_vectors(Operator op, Value& left, Value& right, SourceRange range);
  Value vector_unary(Operator op, Value& operand, SourceRange range);
  Value vector_attribute(Value& base, const Expr& e);

  // --- subscript.cpp and arrays.cpp
  Value infer_subscript(const Expr& e);
  struct Subscripts {
    std::vector<TSubscript> list;  // one for each dimension
    bool all_indices = false;
    bool error = false;
  };
  bool written_subscripts(Value& base, const Expr& e, std::vector<Written>& out);
  Subscripts infer_subscripts(Value& base, const Expr& e);
  bool index_subscript(const Value& base, Value& index, size_t dimension, TSubscript& out);
  bool slice_subscript(Written& written, TSubscript& out);
  bool expand_ellipsis(const Value& base, size_t dims, const Expr& e, std::vector<Written>& written);
  void add_written(Value subscript, std::vector<Written>& out);
  Value slice_object(CallArguments& call);
  Value subscript_array(Value& array, const Subscripts& subscripts, SourceRange range);
  Value view(Value& array, std::vector<TSubscript> subscripts, SourceRange range);
  Value row(Value& array, TExprId index, bool wrap, SourceRange range);
  Value shape(Value& array, unsigned dimension, SourceRange range);  // attributes.cpp
  void store(Value& array, Subscripts& subscripts, Value value, SourceRange range);
  bool check_writable(const Value& array, SourceRange range);
  bool check_alignment(const std::string& name, const Value& value);
  Value new_array(ir::Space space, const std::string& name, CallArguments& call);
  std::optional<std::vector<int64_t>> constant_shape(Value& shape);
  std::string spell_shape(const std::vector<int64_t>& shape) const;
  std::optional<ElementType> dtype_of(const Value& value) const;

  // --- tuples.cpp
  Value tuple_binary(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value compare_tuples(Operator op, Value& left, Value& right, SourceRange range);
  Value order_tuples(Operator op, std::vector<Value>& left, std::vector<Value>& right, size_t from,
                     SourceRange range);
  Value subscript_tuple(Value& base, const Expr& e);
  Value slice_tuple(Value& base, const Expr& slice, SourceRange range);
  Value pick_item(Value& base, Value index, SourceRange range);
  // The items, joined to one type, in an array: constant memory if they are, else the thread's own.
  std::optional<Value> array_of_items(Value& base, SourceRange range);
  Value tuple_attribute(Value& base, const Expr& e);
  Value call_tuple_class(const HostValue::TupleClass& type, CallArguments& call);
  Value tuple_method(Value base, const std::string& name, CallArguments& call);
  Value sorted(CallArguments& call);

  // --- comprehension.cpp: comprehensions, and sequences of a known length where there is no loop
  Value infer_comprehension(const Expr& e);
  bool comprehend(const Expr& e, size_t part, std::vector<Value>& out);
  void bind_scoped(ExprId target, Value value);
  Value listed(const std::string& name, CallArguments& call);

  // --- objects.cpp: types and other things of compile time as arguments of builtins
  Value type_of_value(const Value& value, SourceRange range) const;
  std::optional<bool> is_instance(const Value& value, const HostValue& type) const;
  Value call_cuda(const CudaFunction& function, CallArguments& call, SourceRange where);  // cuda_calls.cpp
  bool cuda_argument(const CudaFunction& function, size_t index, Value& value);
  Value call_partial(const HostValue::Partial& partial, CallArguments& call, SourceRange where);
  Value call_object(Handler handler, const std::string& name, CallArguments& call);
  Value instance_test(const std::string& name, const Value& value, const Value& type, SourceRange range);
  Value is_subtype(const std::string& name, CallArguments& call);
  Value character_code(Handler handler, const std::string& name, CallArguments& call);
  Value no_object(const std::string& name, SourceRange range);
  Value limits(const std::string& name, CallArguments& call);
  Value call_number_method(Value base, const std::string& name, CallArguments& call);
  std::optional<Value> method_of_value(Value& base, const Expr& e);
  // The members of a captured Enum class, as a tuple with their names.
  std::optional<Value> enum_members(const Value& value);
  Value item_by_name(const std::string& name, const Expr& e);

  // --- array_expression.cpp: what is made of whole arrays is evaluated where it is used, element by element
  const ArrayExpression* expression_of(const Value& value) const;
  bool is_whole(const Value& value) const {
    return (value.is_array() && !value.is_place()) || expression_of(value);
  }
  // The value as an expression; a number is one without dimensions. nullptr for what is none, reported.
  ArrayExpressionPtr as_expression(Value value);
  Value defer(ArrayExpression expression, SourceRange range);
  using Combine = std::function<Value(std::vector<Value>& elements)>;
  // `combine` of each element of the operands, which are broadcast against each other.
  Value elementwise(std::vector<Value> operands, Combine combine, SourceRange range);
  std::optional<Value> element_sample(const std::vector<ArrayExpressionPtr>& parts, const Combine& combine,
                                      SourceRange range);
  // What `make` gives, without the nodes that it made; its reports stay.
  Value sample_of(const std::function<Value()>& make);
  bool broadcast(const std::vector<ArrayExpressionPtr>& parts, ArrayExpression& out, SourceRange range);
  bool is_current(const ArrayExpression& expression, SourceRange range);
  Indices broadcast_indices(const ArrayExpression& part, std::span<const Value> shape,
                            std::span<const Value> indices);
  Value element_of(const Value& array, std::span<const Value> indices, SourceRange range);
  Value refuse_expression(const Value& value, std::string what, SourceRange range);
  Value subscript_expression(const Value& base, const Expr& e);
  Value expression_row(const Value& base, TExprId index, SourceRange range);
  Value element_where_equal(const ArrayExpressionPtr& of, const Indices& at, SourceRange range);
  Value part_of(const ArrayExpressionPtr& of, const Indices& fixed,
                const std::vector<std::optional<size_t>>& kept, SourceRange range);
  Value expression_attribute(const Value& base, const Expr& e);
  Value transposed_expression(const ArrayExpressionPtr& of, std::vector<unsigned> axes, SourceRange range);
  // The expression for a name: what its parts are called may change while it lives.
  Value named_expression(const ArrayExpression& expression, SourceRange range);
  void hold(Value& value);  // keeps what it is now
  Value wrapped_index(Value& index, const Value& extent);

  // --- array_loops.cpp: loops over elements; assignment to views
  void note_repeats(ArrayExpression& out, const ArrayExpression& part) const;
  // An element of what is a loop of its own, computed outside of the loops that it does not depend on.
  Value hoisted(const ArrayExpression& of, const Indices& indices, SourceRange range);
  void for_each(std::span<const Value> shape, const LoopPlan& plan,
                const std::function<void(std::span<const Value>)>& body, SourceRange range);
  void assign_elements(Value target, Value source, SourceRange range);
  void store_element(Value& array, std::span<const Value> indices, Value value, SourceRange range);
  bool shapes_fit(std::vector<Value>& extents, const ArrayExpression& source, std::vector<ExtentPair>& equal,
                  SourceRange range);
  std::shared_ptr<ArrayExpression> repeated_source(const ArrayExpression& source,
                                                   std::span<const Value> extents) const;
  void assign_items(Value& target, Value& source, SourceRange range);

  // --- array_extents.cpp: extents that must be the same
  // The statements of `body`, which run where the extents are the same; a report where they are not.
  void where_equal(std::span<const ExtentPair> equal, const std::function<void()>& body, SourceRange range);
  void report_failure(std::string exception, std::string_view text, std::vector<Value> values,
                      SourceRange range);  // output.cpp

  // --- array_overlap.cpp: an assignment whose target is among what it reads
  // `unordered`: the leaves of which only run time knows how they lie to the target.
  bool plan_overlap(const Value& target, TExprId target_node, const ArrayExpression& source, LoopPlan& plan,
                    std::vector<ArrayExpression::Leaf>& unordered, SourceRange range);
  // --- array_order.cpp: the order of loops that run time finds
  void where_ordered(Value& target, std::span<const ArrayExpression::Leaf> leaves, LoopPlan& plan,
                     const std::function<void()>& body, SourceRange range);
  Value write_order(Value& target, const ArrayExpression::Leaf& leaf, const LoopPlan& plan,
                    SourceRange range);
  Value address(const Value& array, SourceRange range);
  Value stride_in_bytes(Value& array, unsigned dimension, SourceRange range);  // attributes.cpp

  // --- array_reduce.cpp
  Value reduce_call(const std::string& name, CallArguments& call);
  Value reduce(Reduction kind, const ArrayExpression& of, SourceRange range);
  Value reduce_axes(Reduction kind, const ArrayExpressionPtr& of, std::vector<size_t> axes, bool keep,
                    SourceRange range);
  std::optional<std::vector<size_t>> axes_of_reduction(Value& axis, size_t ndim);
  Value reduce_arg(Reduction kind, const ArrayExpression& of, SourceRange range);
  Value start_of(Reduction kind, const Value& sample, SourceRange range);
  Value step_of(Reduction kind, Value& total, Value& element, SourceRange range);
  // One of the two, as `pick` says of them.
  Value extreme(Operator wanted, Value& total, Value& element, SourceRange range);
  Value variance(Value array, bool root, SourceRange range);
  Value matmul(Value left, Value right, SourceRange range);
  // Python's sum, min, max, any, all of one whole array.
  Value reduce_sequence(Reduction kind, const std::string& name, Value& values, SourceRange range);
  Value truth_of_items(Reduction kind, const std::string& name, CallArguments& call);

  // --- array_functions.cpp: functions and methods of whole arrays
  // A call with whole arrays among its arguments, if it is one.
  std::optional<Value> call_on_arrays(const std::string& name, CallArguments& call);
  size_t elementwise_arity(const std::string& name) const;
  Value array_function(const std::string& name, CallArguments& call);
  Value call_attribute(const Expr& e);
  Value array_method(const std::string& name, CallArguments& call);
  Value new_filled(const std::string& name, CallArguments& call);
  Value astype(CallArguments& call);

  // --- array_views.cpp
  // "reshape", "ravel", "transpose", "swapaxes" with the array as the first argument.
  Value reshape_call(CallArguments& call);
  Value reshape(Value& array, std::vector<Value> dims, Layout order, SourceRange range);
  Value whole_size(Value& array, SourceRange range);
  Value ravel(CallArguments& call);
  Value flat(Value array, SourceRange range);
  Value transpose(Value array, const std::vector<unsigned>& axes, SourceRange range);
  Value transpose_call(const std::string& name, CallArguments& call);
  std::optional<std::vector<unsigned>> axes_of(std::span<Value> values, size_t ndim);
  std::optional<Layout> order_of(const std::string& name, CallArguments& call, const Value& array);

  // --- calls.cpp
  Value call_value(const Value& callee, CallArguments& call);
  Value infer_call(const Expr& e);
  Value call_written(Value callee, const Expr& e);
  CallArguments infer_arguments(const Expr& e);
  // `callee`: where the function is named, for call chains.
  Value call_function(const HostValue::Function& function, CallArguments& call, SourceRange callee);
  void note_shared_memory(std::span<const Value> values, std::vector<Argument>& arguments);
  Value invoke(const HostValue::Function& function, std::vector<Value> values,
               const std::vector<std::string>& captured, SourceRange range, SourceRange callee_range);
  SourceRange function_range(const FunctionRef& function) const;
  Value call_dtype(const HostValue::DType& type, CallArguments& call);
  Value cast(Value value, const HostValue::DType& type, SourceRange range);
  std::optional<std::vector<Value>> match_parameters(const FunctionRef& function, CallArguments& call);
  bool match_keywords(const FunctionRef& function, CallArguments& call,
                      std::vector<std::optional<Value>>& slots);
  std::optional<Value> default_argument(const FunctionRef& function, size_t index, SourceRange range);

  // --- library_calls.cpp: builtins that are written in the language
  Value invoke_library(const HostValue::Function& function, std::vector<Value> values, SourceRange range);
  // `name`: what the user wrote, for diagnostics; `function`: the canonical name in frontend/library.
  Value call_library(const std::string& name, std::string_view function, CallArguments& call);

  // --- builtins.cpp
  Value call_builtin(const std::string& name, CallArguments& call);
  Value call_handler(Handler handler, const std::string& name, CallArguments& call);
  Value call_operator(const NamedOperator& op, const std::string& name, CallArguments& call);
  std::string count_text(const CallArguments& call) const;
  bool arity(const std::string& name, CallArguments& call, size_t least, size_t most);
  bool all_numbers(const std::string& name, std::span<const Value> values, bool complex = false);
  Value div_mod(const std::string& name, CallArguments& call);
  Value copied_tuple(Handler handler, const std::string& name, CallArguments& call);
  Value length(const std::string& name, CallArguments& call);
  Value sum(const std::string& name, CallArguments& call);
  Value product(const std::string& name, CallArguments& call);
  Value power_modulo(CallArguments& call);
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
  void add_number(Value value, Text& text, const std::string& spec);
  bool add_complex(Value& value, Text& text, const std::string& spec);
  bool add_object(const Value& value, Text& text, bool quoted, const std::string& spec);
  std::shared_ptr<const ir::Message> finish(Text& text, std::string exception, std::vector<TExprId>& values);

  // --- math.cpp
  Value call_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value call_float_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value call_math(Handler handler, const std::string& name, CallArguments& call);
  ValueType float_type_of(std::span<const Value> values) const;
  Value float_op(ir::OpKind op, std::vector<Value> values, SourceRange range);
  Value float_of(const Value& value);  // as the float that functions of it work in
  Value float64_library(const std::string& name, const Value& x, SourceRange range);
  Value scaled(const Value& x, double factor, SourceRange range);
  Value modf(const Value& x, SourceRange range);
  Value frexp(const Value& x, SourceRange range);
  Value sign(Value x, SourceRange range);
  Value select(const std::string& name, CallArguments& call);
  Value select_items(const std::string& name, CallArguments& call);

  // --- gpu.cpp
  Value thread_op(ir::OpKind op, SourceRange range);
  std::optional<Value> special_register(const std::string& name, SourceRange range);
  Value call_gpu(Handler handler, const std::string& name, CallArguments& call);
  Value grid(Handler handler, const std::string& name, CallArguments& call);
  Value atomic(ir::OpKind op, const std::string& name, CallArguments& call);
  bool indexed_array(const std::string& name, const Value& array, bool with_value);
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
  std::optional<Times> same_unit(Operator op, Value& left, Value& right, SourceRange range);
  Value refuse_times(Operator op, const Value& left, const Value& right, SourceRange range);
  Value time_binary(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value add_times(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value scale_time(Operator op, Value& left, Value& right, SourceRange range);
  Value divide_times(Operator op, Value& left, Value& right, SourceRange range, SourceRange op_range);
  Value compare_times(Operator op, ir::OpKind kind, Value& left, Value& right, SourceRange range);
  Value time_unary(Operator op, Value operand, SourceRange range);
  // min, max, abs and where of times, if it is one of them.
  std::optional<Value> call_with_times(const std::string& name, CallArguments& call);
  Value time_extreme(ir::OpKind op, Value left, Value right, SourceRange range);
  TExprId convert_time(Value value, const TimeType& type, SourceRange range);
  Value call_time(Handler handler, const std::string& name, CallArguments& call);

  // --- statements.cpp
  void infer_block(const std::vector<StmtId>& body);
  void infer_stmt(StmtId id);
  void infer_kind(StmtId id, const Stmt& s);
  void infer_expr_stmt(const Stmt& s);
  void infer_if(StmtId id, const Stmt& s);
  void infer_return(const Stmt& s);
  // match.cpp
  void infer_match(const Stmt& s);
  void infer_match_from(const Stmt& s, Value& subject, size_t index);
  using Bindings = std::vector<std::pair<const Expr*, Value>>;  // the pattern that binds a name, and what
  Value match_pattern(ExprId id, Value& subject, Bindings& bindings);
  Value match_alternatives(const Expr& e, Value& subject, Bindings& bindings);
  Value match_sequence(const Expr& e, Value& subject, Bindings& bindings);
  Value match_value(ExprId id, Value& subject);
  Value refuse_pattern(const Expr& e);
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
  std::optional<Counter> infer_range(CallArguments& call);
  Sequence infer_sequence(ExprId id);
  Sequence sequence_of(Value value);
  Sequence combined_sequence(const std::string& name, const Expr& e);
  void freeze(Sequence& sequence);
  Value sequence_length(Sequence& sequence, SourceRange range);
  Value sequence_item(Sequence& sequence, Value index, SourceRange range);
  // `ranges`: also of ranges whose bounds are constants.
  std::optional<std::vector<Value>> sequence_values(Sequence& sequence, bool ranges = false);
  std::optional<std::vector<Value>> range_values(const Sequence& sequence);

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
  std::vector<TStmtId> body_;
  std::vector<Loop*> loops_;
  bool has_walrus_ = false;                                                // expressions may assign
  std::map<std::pair<uint32_t, uint32_t>, HostValue::Function> closures_;  // by definition
  std::map<uint32_t, int> pruned_;                     // If statement -> which arm is out (1 body, 2 orelse)
  bool named_deferred_ = false, hoist_parts_ = false;  // a name stands for one; LoopPlan::ahead
  // Of the loops over elements that are being made: the counter, the statements so far.
  std::vector<std::pair<LocalId, std::vector<TStmtId>*>> element_loops_;
};

}  // namespace lanewise::frontend::inference
