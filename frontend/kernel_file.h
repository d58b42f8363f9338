// The private side of kernel files: what open_kernel_file() keeps of a file and of the kernel modules it
// imports, and the evaluator of module constants.
//
// All modules of one open_kernel_file() live in one ModuleSet that their environments share. Inside the set
// functions are kept without their environment, so that nothing owns itself; lookup() puts it in.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "frontend/infer/constants.h"

namespace lanewise::frontend {

using ModuleIndex = uint32_t;

struct Binding {
  // Where the name got its value. Assignments of different constants conflict; for the rest the last counts.
  enum class Origin : uint8_t { Fixed, Import, Assignment, Definition, Host };
  Origin origin = Origin::Host;
  SourceRange range;
  HostValue value;                                 // functions without environment
  std::optional<ModuleIndex> module;               // a kernel module instead of a value
  std::optional<HostValue::Unsupported> conflict;  // what lookups answer, if the file assigns it twice
  bool changeable = false;  // holds lists, arrays or a class, which host code may change
  std::optional<std::pair<ModuleIndex, std::string>> imported;  // `from module import name`: which name
};

struct ModuleData {
  AstPtr ast;
  std::map<std::string, Binding> bindings;
  std::vector<std::string> star_builtins;  // `from math import *`
  std::vector<ModuleIndex> star_modules;   // `from helpers import *`
};

struct ModuleSet {
  std::deque<ModuleData> modules;
  std::map<std::string, ModuleIndex> by_name;
  std::map<uint32_t, ModuleIndex> by_file;
  std::map<const void*, ModuleIndex> function_modules;  // by FunctionRef::identity
  uint64_t work = 0;                                    // of Evaluators so far
};

// The names of one module of the set, as its functions see them.
class FileEnvironment : public Environment {
 public:
  FileEnvironment(std::shared_ptr<ModuleSet> modules, ModuleIndex index)
      : set_(std::move(modules)), index_(index) {}
  std::optional<HostValue> lookup(const std::string& name) override;
  std::vector<std::string> names() const override;

  // The binding that a name means, through star imports too; null if there is none.
  static const Binding* find(const ModuleSet& set, ModuleIndex index, const std::string& name,
                             unsigned depth = 0);
  // What a name of the builtin modules that were star-imported means.
  static std::optional<HostValue> find_builtin(const ModuleSet& set, ModuleIndex index,
                                               const std::string& name);

 private:
  HostValue with_environment(const HostValue& value) const;

  std::shared_ptr<ModuleSet> set_;
  ModuleIndex index_;
};

// --- kernel_file_evaluate.cpp: expressions of module constants
using NameLookup = std::function<std::optional<HostValue>(const std::string&)>;

class Evaluator {
 public:
  // `work` counts what is not linear in the text: items of tuples, steps of wide integers. Past kMaxWork
  // there are no more of these.
  Evaluator(const Ast& ast, NameLookup lookup, uint64_t& work)
      : ast_(ast), lookup_(std::move(lookup)), work_(work) {}
  // The value; Unsupported, with the place of the part that cannot be evaluated, if it has none.
  HostValue evaluate(ExprId id);
  std::optional<HostValue> named(const std::string& name) const { return lookup_(name); }

  static constexpr uint64_t kMaxWork = 1 << 20;

 private:
  // kernel_file_sequence.cpp
  HostValue evaluate_subscript(const Expr& expr);
  HostValue evaluate_iterable(ExprId id);
  HostValue evaluate_comprehension(const Expr& expr);
  std::optional<HostValue> comprehend(const Expr& expr, size_t at, std::vector<HostValue>& out);
  bool bind_local(const Expr& target, const HostValue& value);

  HostValue evaluate_operator(const Expr& expr);
  HostValue evaluate_wide_again(const Expr& expr);
  std::optional<Wide> evaluate_wide(const Expr& expr);
  HostValue evaluate_name(const Expr& expr);
  HostValue evaluate_attribute(const Expr& expr);
  HostValue evaluate_items(const Expr& expr);
  HostValue evaluate_logic(const Expr& expr);
  HostValue evaluate_compare(const Expr& expr);
  HostValue evaluate_call(const Expr& expr);
  std::optional<HostValue> evaluate_method(const Expr& expr);
  HostValue counted(HostValue value);

  const Ast& ast_;
  NameLookup lookup_;
  uint64_t& work_;
  std::vector<std::pair<std::string, HostValue>> locals_;  // of comprehensions
};

// kernel_file_changes.cpp: takes the values from names that host code changes, and from what was made of
// them.
void mark_host_changes(const ir::SourceMap& sources, ModuleSet& set);

// kernel_file_calls.cpp: a call of a builtin with constant arguments, the last of which may have names;
// nullopt if it has no value here.
std::optional<HostValue> call_builtin(const std::string& name, std::vector<HostValue> arguments,
                                      const std::vector<std::string>& keywords = {},
                                      std::vector<HostValue> named = {});
// Whether its argument may be a range() or the like.
bool takes_sequence(const std::string& builtin);
// What a named tuple's class makes of its arguments; nullopt if they do not fit.
std::optional<HostValue> make_tuple_of(const HostValue::TupleClass& type, std::vector<HostValue> arguments,
                                       const std::vector<std::string>& keywords,
                                       std::vector<HostValue> named);
// kernel_file_arrays.cpp: what NumPy's function makes; an array as other elements; its elements as numbers,
// which records and texts are not; the numbers of range(...).
std::optional<HostValue> array_constant(const std::string& name, const std::vector<HostValue>& arguments);
std::optional<HostValue> cast_array(const HostArray& array, const HostValue& dtype);
std::optional<HostValue> array_attribute(const HostArray& array, const std::string& name);
std::vector<HostValue> array_items(const HostArray& array);
std::optional<std::vector<HostValue>> range_items(const std::vector<HostValue>& bounds);
// kernel_file_dtype.cpp: numpy.dtype(what[, align]); numpy.timedelta64(n[, unit]), numpy.datetime64(n[,
// unit]).
std::optional<HostValue> dtype_constant(const std::vector<HostValue>& arguments);
std::optional<HostValue> time_constant(const std::vector<HostValue>& arguments, bool is_date);

// A partial whose callee and arguments are what `change` makes of them.
template <class Change>
HostValue partial_of(const HostValue::Partial& partial, Change change) {
  HostValue::Partial out{std::make_shared<HostValue>(change(*partial.callee)), {}, {}};
  for (const HostValue& argument : partial.arguments) out.arguments.push_back(change(argument));
  for (const auto& [name, value] : partial.keywords) out.keywords.emplace_back(name, change(value));
  return {std::move(out)};
}

// An attribute of a module or namespace; nullopt if there is none.
std::optional<HostValue> attribute_of(const HostValue& base, const std::string& name);

inline const HostValue::Unsupported* as_unsupported(const HostValue& value) {
  return std::get_if<HostValue::Unsupported>(&value.value);
}

// --- kernel_file_decorator.cpp
struct Decoration {
  bool device = false;
  std::optional<bool> fast_math, contract;
  std::optional<std::string> signature;
};
// What a decorator says, if it is gpu.jit or gpu.device in any spelling.
std::optional<Decoration> read_decorator(const Ast& ast, ExprId decorator, Evaluator& evaluator,
                                         const ir::SourceMap& sources);

// --- kernel_file_module.cpp: fills one module of the set from its text
class ModuleReader {
 public:
  ModuleReader(ir::SourceMap& sources, const FileOptions& options, std::shared_ptr<ModuleSet> set,
               ir::Diagnostics& diagnostics)
      : sources_(sources), options_(options), set_(std::move(set)), diagnostics_(diagnostics) {}
  ModuleIndex read(uint32_t file, const std::map<std::string, HostValue>& constants);
  // Declarations of the module read last by a call from outside.
  std::vector<KernelDeclaration> declarations(ModuleIndex index) const;

 private:
  void process(ModuleIndex index, StmtId id);
  void assign(ModuleIndex index, const Stmt& stmt);
  void assign_target(ModuleIndex index, ExprId target, const Binding& value);
  void unpack(ModuleIndex index, const Expr& targets, const Binding& value);
  void define(ModuleIndex index, StmtId id);
  void define_class(ModuleIndex index, const Stmt& stmt);  // kernel_file_class.cpp
  void skip(ModuleIndex index, const Stmt& stmt);
  Binding evaluate(ModuleIndex index, ExprId value, SourceRange range);
  bool is_changeable(ModuleIndex index, ExprId written, const HostValue& value) const;
  std::optional<HostValue> lambda_value(ModuleIndex index, ExprId value);
  // kernel_file_cuda.cpp
  std::optional<HostValue> cuda_function_value(ModuleIndex index, ExprId value);
  void take_source(CudaFunctionText& text, std::string source, SourceRange range) const;
  HostValue add_function(ModuleIndex index, FunctionRef function);
  void bind(ModuleIndex index, const std::string& name, Binding binding);
  Evaluator evaluator(ModuleIndex index);

  // kernel_file_import.cpp
  void import(ModuleIndex index, const Stmt& stmt, bool optional);
  void import_module(ModuleIndex index, const ImportName& name, bool optional);
  void import_from(ModuleIndex index, const Stmt& stmt, const ImportName& name, bool optional);
  Binding imported_member(const std::string& module, const ImportName& name);
  std::optional<ModuleIndex> kernel_module(const std::string& name);
  void bind_import(ModuleIndex index, const std::string& name, Binding binding, bool optional);

  ir::SourceMap& sources_;
  const FileOptions& options_;
  std::shared_ptr<ModuleSet> set_;
  ir::Diagnostics& diagnostics_;
  unsigned depth_ = 0;
  bool too_deep_ = false;  // an import was not followed
  std::vector<std::pair<ModuleIndex, KernelDeclaration>> declarations_;
};

}  // namespace lanewise::frontend
