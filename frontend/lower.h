// Private to lower*.cpp: the lowering of one typed function. A typed value is a list of IR values, its
// leaves in the order of flatten(); a local is either such a list (set once, and every use inside the region
// that set it) or a list of var slots.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/frontend.h"
#include "ir/builder.h"
#include "ir/error.h"

namespace lanewise::frontend {

using Values = std::vector<ir::ValueId>;

// For each local of the function: does it need var slots (true), or is its one set visible at every use?
std::vector<bool> locals_in_slots(const TypedFunction& function);  // lower_locals.cpp

// Names of the leaves of a value called `name`: "x", "x.shape0", "x.stride0", "t.0".
std::vector<std::string> leaf_names(const std::string& name, const ValueType& type);  // lower.cpp

class FunctionLowering {
 public:
  // Fills `out`, a function of `out_module` that is empty yet.
  FunctionLowering(const TypedModule& module, const TypedFunction& function, ir::Module& out_module,
                   ir::Function& out);
  void run();

 private:
  // --- statements: lower.cpp
  void body(const std::vector<TStmtId>& stmts);
  void stmt(const TStmt& s);
  void lower_if(const TStmt& s);
  void lower_for(const TStmt& s);
  void lower_while(const TStmt& s);
  // Runs `loop`, inside a scope that `break` leaves if the loop has an else part that a break must skip.
  template <class Loop>
  void with_orelse(const TStmt& s, Loop loop);
  void lower_break();
  void output(const TStmt& s);
  void set_local(LocalId local, const Values& values);
  // Fills a region with what `fill` emits and ends it with a yield unless it has ended already. Returns
  // whether its end is reached.
  template <class Fill>
  bool fill_region(ir::RegionId region, Fill fill);
  void end(ir::OpKind terminator, const Values& operands = {});

  // --- expressions: lower_expr.cpp
  Values expr(TExprId id);
  ir::ValueId scalar(TExprId id);
  Values expr_of(const TExpr& e);
  Values logical(const TExpr& e);
  Values ternary(const TExpr& e);
  Values convert(const Values& from, const ValueType& source, const ValueType& target);
  Values inline_ptx(const TExpr& e);
  Values call(const TExpr& e);
  Values call_external(const TExpr& e);
  // `if` with results; an arm is a value that is there already, or an expression.
  struct Arm {
    const Values* value = nullptr;
    TExprId expr;
  };
  Values choose(ir::ValueId condition, const std::vector<ir::Type>& types, const Arm& if_true,
                const Arm& if_false);
  // Nodes of a scalar expression that may be evaluated although Python would not, 1000 if it may not.
  int speculation_cost(TExprId id) const;

  // --- arrays: lower_array.cpp
  // The parts of an array value. Strides of contiguous layouts are computed from the shape.
  struct ArrayView {
    ir::ValueId pointer;
    Values shape, strides;
  };
  ArrayView array(const Values& values, const ValueType& type);
  Values flatten_array(const ArrayView& view, const ValueType& type);
  Values new_array(const TExpr& e);
  // The element index of children [first, first + ndim) in `indices`.
  ir::ValueId address(const ArrayView& view, const std::vector<TExprId>& indices, size_t first,
                      const std::vector<bool>& wrap);
  // Where component `index` of the element at `element` is, counted in components.
  ir::ValueId component_index(ir::ValueId element, const ElementType& type, size_t index);
  ir::ValueId wrapped(TExprId index, bool wrap, ir::ValueId extent);
  Values element(const TExpr& e);
  Values atomic(const TExpr& e);
  Values component(const TExpr& e);
  Values view(const TExpr& e);
  Values transpose(const TExpr& e);
  void slice(const TSubscript& s, ir::ValueId extent, ir::ValueId stride, ir::ValueId& offset,
             ArrayView& out);
  ir::ValueId slice_bound(TExprId bound, bool wrap, ir::ValueId extent, ir::ValueId low, ir::ValueId high);
  void store(const TStmt& s);

  // --- memory that is reached by bytes: lower_bytes.cpp
  ir::ValueId typed_pointer(ir::ValueId bytes, ir::ValueId offset, ir::Type element);
  ir::ValueId in_bytes(ir::ValueId pointer);
  ir::ValueId load_in_bytes(ir::ValueId bytes, ir::ValueId offset, ir::Type type, bool unaligned);
  void store_in_bytes(ir::ValueId bytes, ir::ValueId offset, ir::ValueId value, bool unaligned);
  Values load_in_bytes(ir::ValueId bytes, ir::ValueId offset, const ValueType& array);
  void store_in_bytes(ir::ValueId bytes, ir::ValueId offset, const ValueType& array, const Values& values);
  void copy_bytes(ir::ValueId to, ir::ValueId offset, const ValueType& target, ir::ValueId from,
                  const ValueType& source);
  Values field(const TExpr& e);
  Values reinterpret(const TExpr& e);

  // --- emission: lower_array.cpp
  ir::ValueId op(ir::OpKind kind, Values operands) { return build_.emit(kind, std::move(operands)); }
  ir::ValueId i64(int64_t value);
  // Integer sums and products with the identities that addressing is full of.
  ir::ValueId add(ir::ValueId a, ir::ValueId b);
  ir::ValueId mul(ir::ValueId a, ir::ValueId b);
  std::optional<int64_t> constant_of(ir::ValueId value) const;

  struct Loop {
    bool leaves_scope = false;  // break leaves scope number `scope` (counted from the outermost, 0)
    size_t scope = 0;
  };

  const TypedModule& module_;
  const TypedFunction& fn_;
  ir::Function& out_;
  ir::Builder build_;
  std::unordered_map<int64_t, ir::ValueId> integers_;  // what i64() has made
  std::unordered_map<uint32_t, int64_t> constants_;    // and the other way round, by ValueId
  std::vector<bool> in_slots_;
  std::vector<Values> locals_;  // values or slots
  std::vector<Loop> loops_;
  size_t open_scopes_ = 0;
};

}  // namespace lanewise::frontend
