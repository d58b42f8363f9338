// The typed tree of one function while inference makes it: nodes, temporaries, the order of evaluation, and
// going back to an earlier state. Expressions may need statements before them: these are appended to the
// current list, `out_`.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "frontend/infer/report.h"
#include "frontend/infer/value.h"

namespace lanewise::frontend::inference {

class TreeBuilder {
 protected:
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
  void stabilise(Value& left, Value& right);  // in this order
  void freeze(Value& value);
  void into_temporary(Value& value);
  // Values made before `position` of the current list keep what they were if statements were appended since.
  void keep_order(std::span<Value*> values, size_t position);
  struct Mark {
    size_t exprs, stmts, locals, reports, returns;
    uint32_t deferred;
  };
  Mark mark() const;
  void rollback(const Mark& mark);
  template <class Body>
  auto in_list(std::vector<TStmtId>& list, Body body) {
    std::vector<TStmtId>* outer = out_;
    out_ = &list;
    struct Restore {
      TreeBuilder& self;
      std::vector<TStmtId>* outer;
      ~Restore() { self.out_ = outer; }
    } restore{*this, outer};
    return body();
  }

  std::vector<TExpr> exprs_;
  std::vector<TStmt> stmts_;
  std::vector<Local> locals_;
  std::map<std::string, std::vector<LocalId>> locals_by_name_;

  std::vector<TStmtId>* out_ = nullptr;
  std::map<uint32_t, std::vector<TStmtId>> insertions_;  // statement -> what goes before it
  Reports reports_;

  State state_;
  struct Return {
    TStmtId stmt;
    Value value;  // of type None where there is none
  };
  std::vector<Return> returns_;
  uint32_t deferred_ = 0;  // things made that are evaluated later
  // What was stored to, as far as inference went: Known::memory of arrays, 0 for anything. Never rolled back:
  // the turns of a loop see what the turns before them may have stored.
  std::vector<uint64_t> stored_;
  uint32_t memory_ = 0;                    // the last State::memory given out
  std::map<uint32_t, TExprId> view_of_;    // temporary that holds an array -> what it was set to
  std::map<uint32_t, TExprId> extent_of_;  // temporary that holds an extent -> the Shape node
};

}  // namespace lanewise::frontend::inference
