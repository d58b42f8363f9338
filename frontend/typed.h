// The typed tree: one function specialised on its argument types, with every name resolved, every
// conversion explicit and every builtin turned into ops. Made by infer(); lower() turns it into IR nearly
// mechanically and reports nothing. A local is a (name, type) pair: a variable rebound to another type is
// two locals, and where control flow merges, inference has put in the conversions.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "frontend/value_type.h"
#include "ir/function.h"

namespace lanewise::frontend {

using ir::SourceRange;
using TExprId = ir::Id<struct TExprTag>;
using TStmtId = ir::Id<struct TStmtTag>;
using LocalId = ir::Id<struct LocalTag>;

enum class TExprKind : uint8_t {
  Const,    // immediate; type is a scalar
  Local,    // local: its value
  Convert,  // child 0 to `type`: scalar to scalar is ir Cast; array to array adds strides or changes the
            // space to generic; tuple to tuple item by item
  Op,       // op on scalar children with exactly the types its ops.def row wants; result type is `type`.
       // No memory ops: those are Element and Atomic. Barriers, warp ops and fences too (some of type None).
  And,
  Or,         // children a, b, both of `type`; b is evaluated only if needed; the value decides as Python's
              // and/or does: scalars by `!= 0`
  Ternary,    // children condition (bool), a, b; only one of a, b is evaluated
  Tuple,      // children are the items of a tuple, the parts of a complex number, the components of a vector
  TupleItem,  // item `index` of child 0
  Element,    // load: child 0 the array, then ndim integer indices (i64, see `wrap`); op LoadX if not plain
  Atomic,     // op AtomicX: child 0 the array, then ndim indices, then the operand(s) of element type; old
              // value, of AtomicStore nothing
  View,       // child 0 the array; subscripts: other dimensions, same memory
  Field,      // child 0 an array of records, their field at byte `index`: of each record if it has
              // dimensions, after which those of the field follow (`shape`)
  Reinterpret,  // child 0 the array, its memory seen as elements of `type`; of another size only where it is
                // C-contiguous, and then the last dimension has as many as fit
  Transpose,    // child 0 the array; dimension d is its dimension shape[d], all reversed if `shape` is empty
  Reshape,      // child 0 a contiguous array, then the extents (i64) of the same elements, of e.type's layout
  Shape,        // dimension `index` of the array child 0, i64
  Stride,       // stride of dimension `index` in elements, i64
  Size,         // product of the shape, i64
  Address,      // of the first element of the array child 0, in bytes, i64
  SharedArray,  // shape: constant dimensions; type says element. A new array for each such node
  LocalArray,   // shape
  DynamicShared,  // 1-D array over the dynamic shared memory; its length from the launch
  Data,           // constant array `index` of TypedModule::data
  Call,      // function `index` of TypedModule::functions, children the arguments converted to its params
  External,  // external function `index` of TypedModule::externals; an array is handed over as the address of
             // its first element
  Component,  // child 0 an array of complex numbers or vectors: the array of component `index` of its
              // elements
};

// One subscript of a View. Index drops the dimension, New adds one of extent 1 and is for no dimension of the
// array. All bounds are i64 expressions, already known to be wanted as NumPy reads them (negative values
// count from the end, slices clip); invalid where left out.
struct TSubscript {
  enum class Kind : uint8_t { Index, Slice, Whole, New };
  Kind kind = Kind::Whole;
  TExprId lower, upper, step;  // Index: lower only
  bool wrap = true;            // Index, Slice: `lower` may be negative
  bool wrap_upper = true;      // Slice: `upper` may be negative
};

struct TExpr {
  TExprKind kind = TExprKind::Const;
  ValueType type;
  SourceRange range;
  ir::OpKind op = ir::OpKind::Const;
  LocalId local;
  uint32_t index = 0;
  ir::Immediate immediate;                 // Const: the number. Atomic, Op Fence: the order
  std::shared_ptr<const ir::PtxText> ptx;  // Op InlinePtx, whose children may be arrays: their addresses
  std::vector<TExprId> children;
  std::vector<bool> wrap;  // Element, Atomic: for each index, whether it may be negative (count from the end)
  std::vector<TSubscript> subscripts;
  std::vector<int64_t> shape;
};

enum class TStmtKind : uint8_t {
  Set,           // local = value
  StoreElement,  // array, indices (i64, `wrap` as in Element), value of element type; of a record or text a
                 // place that holds one
  Expr,          // value, for its effects
  If,            // value (bool), body, orelse
  While,         // value (bool) evaluated each turn, after `before`; body, orelse (runs if not left by break)
  For,  // local = counter of type `value`'s type; value, upper, step: bounds, all of the local's type;
        // body, orelse. The local is set at the start of each turn and keeps its last value.
  Break,
  Continue,
  Return,  // value of the function's result type, invalid if none
  Print,   // message with the scalars `indices` in its fields
  Report,  // the same, of a failure; the thread goes on
  Fail,    // the same, and the thread ends
};

struct TStmt {
  TStmtKind kind = TStmtKind::Expr;
  SourceRange range;
  ir::OpKind op = ir::OpKind::Store;  // StoreElement: how
  LocalId local;
  TExprId array, value, upper, step;
  std::vector<TExprId> indices;
  std::vector<bool> wrap;
  std::vector<TStmtId> before, body, orelse;
  std::shared_ptr<const ir::Message> message;
};

struct Local {
  std::string name;  // "x"; temporaries of inference have a leading "."
  ValueType type;
};

struct TypedFunction {
  std::string name;  // unique in the module: "scale", "scale.1"
  bool is_kernel = false;
  ir::FloatMode float_mode;
  std::vector<LocalId> params;
  ValueType result = ValueType::none();
  SourceRange range;  // of the name in the definition
  ir::Table<LocalId, Local> locals;
  ir::Table<TExprId, TExpr> exprs;
  ir::Table<TStmtId, TStmt> stmts;
  std::vector<TStmtId> body;
};

struct TypedModule {
  std::vector<TypedFunction> functions;  // functions[0] is what was asked for
  std::vector<ir::DataArray> data;       // constant arrays, see TExprKind::Data
  std::vector<ir::ExternalFunction> externals;
};

}  // namespace lanewise::frontend
