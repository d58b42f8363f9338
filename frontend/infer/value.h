// What inference knows of an expression, a variable and a point of the program.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/host_value.h"
#include "frontend/typed.h"
#include "frontend/value_type.h"

namespace lanewise::frontend::inference {

// What is known beyond the type.
struct Known {
  // The value, if it is known here. For things that exist at compile time only (functions, types, modules,
  // strings, None) it is what they are, and the type is None.
  std::optional<HostValue> constant;
  bool non_negative = false;
  bool at_most_one = false;  // of an extent: `a[:, i:i+1]` has one column, or none where `a` has none
  std::vector<Known> items;  // of a tuple or an array's shape, if anything is known of them
  // Of an array: which memory it is a view of, where that is known: a parameter, a shared or local array.
  // Different numbers are different names for memory, not different memory: arguments may overlap.
  uint64_t memory = 0;
};
// What is known either way; in merge.cpp.
Known common(const Known& a, const Known& b);

// Where a value got its type, for labels: "`x` became float64 here".
struct Origin {
  std::string name;  // of the variable; empty if the value is not simply a variable
  SourceRange where;
  bool parameter = false;
};

struct Value {
  ValueType type;
  TExprId expr;  // invalid for errors, compile-time things and tuples that are still in parts
  Known known;
  bool integral = false;     // a result of floor, ceil or trunc: may be an index as it is
  bool is_list = false;      // a list display: for iteration, unpacking, membership and shapes only
  std::vector<Value> parts;  // the items of a tuple that was just written
  SourceRange range;
  Origin origin;

  bool is_error() const { return type.is_error(); }
  bool is_scalar() const { return type.is_scalar(); }
  bool is_complex() const { return type.is_complex(); }
  bool is_vector() const { return type.is_vector(); }
  bool is_number() const { return is_scalar() || is_complex(); }
  // What an array's element can be: a number, a vector.
  bool is_single() const {
    return type.is_scalar() || type.is_complex() || type.is_vector() || type.is_time();
  }
  bool is_array() const { return type.is_array(); }
  bool is_tuple() const { return type.is_tuple(); }
  bool is_time() const { return type.is_time(); }
  bool is_place() const { return type.is_place(); }
  // A thing of compile time: a function, a type, a module, a string, None.
  bool is_object() const { return type.kind == ValueType::Kind::None; }
  // A thing of compile time that is evaluated where it is used: an array expression, a slice.
  const Deferred* deferred() const {
    auto* later = object<HostValue::Later>();
    return later ? later->get() : nullptr;
  }
  // The constant as a T, if it is one.
  template <class T>
  const T* object() const {
    return known.constant ? std::get_if<T>(&known.constant->value) : nullptr;
  }
};

// What a name stands for at one point.
struct BoundName {
  ValueType type;
  LocalId local;  // invalid for errors and compile-time things
  Known known;
  bool maybe_unbound = false;
  bool parameter = false;
  SourceRange where;  // what bound it
  // Merged from types that do not join: an error where it is used. `type` is Error then.
  bool conflict = false;
  std::string one, other;  // what they are, in words
  bool objects = false;    // both are things of compile time
  SourceRange other_where;
};

// What names stand for. Copies share all they have in common, so that branches and loops cost what they bind,
// not what there is.
class NameMap {
 public:
  const BoundName* find(std::string_view name) const;  // until the map changes; nullptr if there is none
  void set(const std::string& name, BoundName binding);
  bool erase(const std::string& name);
  // The names that may stand for something else in the other map; for all others both have the same.
  std::set<std::string> differing(const NameMap& other) const;

 private:
  struct Node;
  using NodePtr = std::shared_ptr<const Node>;
  static NodePtr with(const NodePtr& node, unsigned shift, uint64_t hash, const std::string& name,
                      BoundName* binding);
  static void collect(const NodePtr& node, std::set<std::string>& names);
  static void differing(const NodePtr& a, const NodePtr& b, std::set<std::string>& names);

  NodePtr root_;
};

struct State {
  NameMap names;
  bool reachable = true;
  // Changes wherever memory may be written: what an array expression reads is what it was as long as this
  // is the same.
  uint32_t memory = 0;
};

// The statements of one list and the state at the end of it, or before the jump at the end of it.
struct Edge {
  State state;
  std::vector<TStmtId>* list = nullptr;  // conversions are appended here, or
  TStmtId before;                        // put before this statement
};

// An argument of a device function: a value of a type; what it is where it is, or holds, things of compile
// time. Known::memory is the same number for arguments that may be parts of one array, 0 for all others.
constexpr uint64_t kSharedWithAny = ~uint64_t{0};
struct Argument {
  ValueType type;
  Known known;
};
// What is known of a value of this type, without its numbers; in values.cpp.
Known objects_of(const ValueType& type, const Known& known);

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

// One subscript as it is written, before dimensions are counted.
struct Written {
  enum class Kind { Index, Slice, Ellipsis, New } kind = Kind::Index;
  Value bounds[3];  // Index: the first; Slice: lower, upper, step, of type Error where left out
  bool given[3] = {false, false, false};
};

// A range.
struct Counter {
  TExprId start, stop, step;
  ValueType type;
  bool non_negative = false;
  bool runs = false;  // at least one turn for sure
};

// What a loop goes over.
struct Sequence {
  enum class Kind { Error, Counter, Array, Tuple, Enumerate, Zip, Reversed } kind = Kind::Error;
  Counter counter;
  Value value;  // the array or tuple; Enumerate: the first number; Reversed, once frozen: the last index
  std::vector<Sequence> inner;
  SourceRange range;
};

// Two times in one unit.
struct Times {
  Value left, right;  // counts
  TimeType type;
};

}  // namespace lanewise::frontend::inference
