// The syntax tree: what was written, nothing more. Plain structs in arenas, addressed by ids; made by
// parse(), read by infer(). Covers all of Python's expressions and statements that can stand in a kernel,
// also those the language refuses, so that inference can say what to use instead.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/source.h"

namespace lanewise::frontend {

using ir::SourceRange;
using ExprId = ir::Id<struct ExprTag>;
using StmtId = ir::Id<struct StmtTag>;

enum class ExprKind : uint8_t {
  Name,       // text
  Int,        // int_value; int_overflow if it does not fit uint64
  Float,      // float_value
  Imaginary,  // float_value of 1.5j
  String,     // text: the value of all adjacent literals; bytes literals and f-strings are other kinds
  Bytes,      // text
  FString,    // children: the replaced expressions and the String parts, in order; keywords[i] is "text" for
              // a String part, else the conversion and format of child i as written ("!r", ":.3f", "")
  True,
  False,
  None,
  Ellipsis,
  Unary,          // op, child 0
  Binary,         // op, children 0 1
  BoolOp,         // op And/Or, children: 2 or more operands
  Compare,        // compare_ops[i] stands between children i and i + 1
  Ternary,        // children: condition, value if true, value if false
  Call,           // child 0 the callee, then arguments; keywords names the last keywords.size() of them
  Attribute,      // child 0, text
  Subscript,      // child 0, then the subscripts (several for a[i, j]; a[i,] is a[i])
  Slice,          // children lower, upper, step; invalid id where left out
  Tuple,          // children
  List,           // children
  Starred,        // child 0: *x in a call or display
  DoubleStarred,  // child 0: **x in a call
  Lambda,         // child 0 the body; params
  NamedExpr,      // text := child 0
  Set,
  Dict,           // children (Dict: key, value, key, value ...)
  Comprehension,  // text "list", "set", "dict" or "generator"; child 0 the element (dict: a Tuple of key and
                  // value), then three for each `for`: target, iterable, condition (invalid if there is none)
  Await,
  Yield,  // child 0 if any
  Error,  // what could not be parsed; already reported
};

enum class Operator : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  MatMul,
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr,
  Neg,
  Pos,
  Invert,
  Not,
  And,
  Or,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Is,
  IsNot,
  In,
  NotIn,
};
// "+", "not", "is not", ...
std::string_view spelling(Operator op);

struct Parameter {
  enum class Kind : uint8_t { Normal, PositionalOnly, KeywordOnly, Star, DoubleStar };
  std::string name;
  SourceRange range;
  Kind kind = Kind::Normal;
  ExprId annotation, default_value;  // invalid if absent
};

struct Expr {
  ExprKind kind = ExprKind::Error;
  Operator op = Operator::Add;
  bool int_overflow = false;
  bool parenthesized = false;
  SourceRange range;     // the whole expression
  SourceRange op_range;  // Unary, Binary: the operator; Attribute: the name after the dot; Call: the
                         // parentheses; Subscript: the brackets
  std::string text;
  uint64_t int_value = 0;
  double float_value = 0;
  std::vector<ExprId> children;
  std::vector<Operator> compare_ops;
  std::vector<std::string> keywords;
  std::vector<Parameter> params;
};

enum class StmtKind : uint8_t {
  Expr,       // value
  Assign,     // targets (one per `=`), value
  AugAssign,  // targets[0] op= value
  AnnAssign,  // targets[0]: annotation [= value]
  If,         // value the condition, body, orelse (an elif is one If in orelse)
  While,      // value the condition, body, orelse
  For,        // targets[0] in value, body, orelse
  Break,
  Continue,
  Pass,
  Return,       // value, invalid if bare
  FunctionDef,  // name, params, body, decorators, annotation the return type
  Assert,       // value, message in extra
  Raise,        // value, invalid if bare; extra the cause
  Delete,       // targets
  Global,
  Nonlocal,    // names
  Import,      // imports: `import a.b as c`
  ImportFrom,  // module, imports, level (dots)
  Match,       // value the subject, cases
  With,
  Try,
  ClassDef,  // name. In a kernel file one that is a list of constants: targets its bases, body. In a function
             // refused: range and keyword only (`async` statements are With, `type` is ClassDef)
  Skipped,   // a host statement of a kernel file that was not parsed; range; name the keyword it begins with;
             // targets the module's names it binds, body the imports inside
  Error,     // could not be parsed; already reported; body what could be read of its block
};

struct ImportName {
  std::string name;   // "a.b", "sin", "*"
  std::string alias;  // what it binds: the alias, or the first part of the name
  SourceRange range;
};

struct MatchCase {
  // A literal, Name, Attribute, or BoolOp Or of these; other patterns are the expression of the same look
  // (Call, Tuple, List, Dict, Starred; `p as x` is a NamedExpr).
  ExprId pattern;
  ExprId guard;  // invalid if absent
  std::vector<StmtId> body;
  SourceRange range;
};

struct Stmt {
  StmtKind kind = StmtKind::Error;
  Operator op = Operator::Add;
  SourceRange range;       // the whole statement
  SourceRange name_range;  // FunctionDef: its name; If/For/While/...: the keyword
  std::string name;        // FunctionDef, ClassDef: the name; ImportFrom: the module
  uint32_t level = 0;      // ImportFrom: leading dots
  ExprId value, extra, annotation;
  std::vector<ExprId> targets, decorators;
  std::vector<StmtId> body, orelse;
  std::vector<Parameter> params;
  std::vector<std::string> names;
  std::vector<ImportName> imports;
  std::vector<MatchCase> cases;
};

// One parsed text: a whole kernel file, or the block of one function.
struct Ast {
  uint32_t file = 0;  // in the SourceMap
  ir::Table<ExprId, Expr> exprs;
  ir::Table<StmtId, Stmt> stmts;
  std::vector<StmtId> body;  // top level
  // Where each line of the text begins and the first one's number, for print_ast().
  std::vector<uint32_t> line_starts;
  uint32_t first_line = 1;

  const Expr& operator[](ExprId id) const { return exprs[id]; }
  const Stmt& operator[](StmtId id) const { return stmts[id]; }
};
using AstPtr = std::shared_ptr<const Ast>;

}  // namespace lanewise::frontend
