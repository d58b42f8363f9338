// Facts about a typed module that the checks share: what the tree holds, which values differ between
// threads, what a local is where it is set once.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "frontend/typed.h"

namespace lanewise::frontend::lint {

// --- walks over what is reachable from a function's body, in the order of the text
void for_each_expr(const TypedFunction& function, TExprId root, const std::function<void(TExprId)>& visit);
// The expressions of the statement itself, without those of statements inside.
void for_each_root(const TStmt& statement, const std::function<void(TExprId)>& visit);
void for_each_stmt(const TypedFunction& function, const std::vector<TStmtId>& list,
                   const std::function<void(TStmtId)>& visit);

// What makes a value differ between the threads of a block.
struct Variation {
  bool x = false, y = false, z = false;  // computed from threadIdx along that axis
  bool loaded = false;                   // read from memory at a place that differs, or given by an atomic

  bool any() const { return x || y || z || loaded; }
  bool join(const Variation& other) {  // whether that changed it
    Variation before = *this;
    x |= other.x, y |= other.y, z |= other.z, loaded |= other.loaded;
    return x != before.x || y != before.y || z != before.z || loaded != before.loaded;
  }
};

// One element that is read or written.
struct Access {
  TExprId array;
  std::vector<TExprId> indices;
  SourceRange range;
  bool stores = false, loads = false, atomic = false;
};

struct FunctionFacts {
  std::vector<Variation> locals;             // by local
  std::vector<std::optional<TExprId>> only;  // by local: what it is set to, if it is set in one place
  std::vector<Access> accesses;              // in the order of the text
  Variation result;
  bool has_barrier = false, has_warp_op = false;  // itself or in what it calls
};

class ModuleFacts {
 public:
  explicit ModuleFacts(const TypedModule& module);
  const FunctionFacts& operator[](size_t function) const { return facts_[function]; }
  Variation variation(size_t function, TExprId expr) const;
  // The expression without conversions and without locals that only stand for another one.
  TExprId origin(size_t function, TExprId expr) const;
  // The local that the expression is, but for conversions.
  std::optional<LocalId> local(size_t function, TExprId expr) const;
  // The array whose shape an expression is: `x.shape[d]`, `len(x)`; `x.size` and one dimension too.
  struct Extent {
    LocalId array;
    uint32_t dimension = 0;
  };
  std::optional<Extent> extent(size_t function, TExprId expr) const;

 private:
  void collect(size_t function);
  bool spread(size_t function, const std::vector<TStmtId>& list, Variation condition);
  bool pass_arguments(size_t function);

  const TypedModule& module_;
  std::vector<FunctionFacts> facts_;
};

}  // namespace lanewise::frontend::lint
