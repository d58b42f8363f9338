// The IR: a Module of Functions, each a plain value of typed ids into tables and structured regions.
// Copy it, print it, compare its text. No pointers, no context object, no global state.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/op.h"
#include "ir/source.h"
#include "ir/type.h"

namespace lanewise::ir {

// A typed 32-bit index. Ids of different tables do not convert into each other.
template <class Tag>
struct Id {
  uint32_t index = UINT32_MAX;
  constexpr bool valid() const { return index != UINT32_MAX; }
  auto operator<=>(const Id&) const = default;
};
using ValueId = Id<struct ValueTag>;
using OpId = Id<struct OpTag>;
using RegionId = Id<struct RegionTag>;
using FunctionId = Id<struct FunctionTag>;

// Append-only storage indexed by one kind of id. References stay valid on add().
template <class IdT, class T>
class Table {
 public:
  IdT add(T item) {
    items_.push_back(std::move(item));
    return {static_cast<uint32_t>(items_.size() - 1)};
  }
  T& operator[](IdT id) { return items_[id.index]; }
  const T& operator[](IdT id) const { return items_[id.index]; }
  size_t size() const { return items_.size(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::deque<T> items_;
};

struct Value {
  std::string name;  // unique in the function once printed; "" until then, a hint such as "acc" before
  Type type;
};

// A literal. Integers and bools of every width, uint64 too, are the int64_t with the same low bits
// (sign- or zero-extended from their type); floats of every width are the double of equal value.
using Immediate = std::variant<std::monostate, int64_t, double>;

inline constexpr uint32_t kNoCallSite = UINT32_MAX;

struct Op {
  OpKind kind = OpKind::Unreachable;
  SourceRange range;                 // the expression or statement it comes from
  uint32_t call_site = kNoCallSite;  // index into Function::call_sites, if the op was inlined
  std::vector<ValueId> operands, results;
  std::vector<RegionId> regions;
  Immediate immediate;  // Const: the literal. SharedArray, LocalArray: the element count. Data: the
                        // index into Module::data. Leave: scopes to skip (0 = nearest). Print, Report:
                        // the index into Module::messages. CallExternal: into Module::externals.
                        // InlinePtx: into Module::ptx. Atomics and Fence: their order, if it is not
                        // the usual one (memory_order.h).
  FunctionId callee;    // Call only
};

// A straight list of ops; the last one is Yield, Continue, Break, Leave, Return or Unreachable, and only
// the last one. Params: see the op that owns the region.
struct Region {
  std::vector<ValueId> params;
  std::vector<OpId> ops;
};

// How floating point may be relaxed in a function.
struct FloatMode {
  bool contract = true;    // a*b + c may be rounded once
  bool fast_math = false;  // reassociation, approximate functions, no NaN or infinity
  auto operator<=>(const FloatMode&) const = default;
};

// Where an inlined function was called: a chain towards the kernel. Its ops keep its float mode.
struct CallSite {
  SourceRange range;
  std::string callee;
  uint32_t parent = kNoCallSite;
  FloatMode float_mode;
  auto operator<=>(const CallSite&) const = default;
};

// A kernel (no results, entry of the module) or a device function. Parameters are the body's params.
struct Function {
  std::string name;
  bool is_kernel = false;
  FloatMode float_mode;
  std::vector<Type> results;
  Table<ValueId, Value> values;
  Table<OpId, Op> ops;
  Table<RegionId, Region> regions;
  RegionId body;
  std::vector<CallSite> call_sites;

  const std::vector<ValueId>& params() const { return regions[body].params; }
  Type type(ValueId v) const { return values[v].type; }
  FloatMode float_mode_of(const Op& op) const {
    return op.call_site == kNoCallSite ? float_mode : call_sites[op.call_site].float_mode;
  }
};

// A constant array: captured NumPy data. `bytes` holds count * element.element_size() bytes, little endian.
struct DataArray {
  std::string name;
  Type element;
  std::string bytes;
};

// A device function that CUDA code defines rather than a function of the module: CUDA C++ that is compiled
// when the kernel's PTX is made, or what is linked to the kernel.
struct ExternalFunction {
  std::string symbol;        // what is called; of C's calling convention, several results are a struct
  std::string file, source;  // the user's CUDA C++ and what its messages call it; no source: it is linked
  uint32_t first_line = 1;   // of the source in its file
  std::string bridge;        // C++ that is compiled after the source and defines `symbol` by what is there
  std::vector<std::string> options;  // of NVRTC: "-I/usr/include", "-DN=4"
  std::vector<uint32_t> read_only;   // operands: pointers to memory that is only read
  auto operator<=>(const ExternalFunction&) const = default;
};

// What a thread prints or fails with. `format` is text with a field in braces for each operand: `{}`, or with
// a format spec of Python's, `{.3f}`; braces that are text are doubled (ir/format.h).
struct Message {
  std::string format;
  std::string exception;  // of Report: the name that the user wrote, "ValueError"
  auto operator<=>(const Message&) const = default;
};

// PTX instructions as the user wrote them: `%0`, `%1`, ... are the op's results and then its operands
// (ir/inline_ptx.h).
struct PtxText {
  std::string text;
  bool pure = false;  // the results follow from the operands: need not be run twice, or at all
  int version = 0;    // 10 * major + minor of the PTX that it needs; 0: nothing special
  int sm = 0;         // the compute capability that it needs, 90 for 9.0; 0: nothing special
  auto operator<=>(const PtxText&) const = default;
};

// One compile: functions[0] is the entry (a kernel, or the device function compiled on its own), the
// rest are what it calls.
struct Module {
  std::vector<Function> functions;
  std::vector<DataArray> data;
  std::vector<Message> messages;
  std::vector<ExternalFunction> externals;
  std::vector<PtxText> ptx;

  Function& entry() { return functions.front(); }
  const Function& entry() const { return functions.front(); }
  Function& operator[](FunctionId id) { return functions[id.index]; }
  const Function& operator[](FunctionId id) const { return functions[id.index]; }
};

}  // namespace lanewise::ir
