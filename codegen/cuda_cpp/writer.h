// Writes the functions of a module as CUDA C++. Private to codegen/cuda_cpp/.
//   emit.cpp            the file: first lines, preamble, constant arrays, functions
//   write_function.cpp  a function: signature, arrays, declarations, statements
//   write_control.cpp   if, for, while, scope, and what ends a region
//   write_ints.cpp      integers and bools; write_floats.cpp floats; write_casts.cpp conversions
//   write_memory.cpp    loads, stores, pointers; write_atomics.cpp
//   write_threads.cpp   barriers, fences, warp ops; write_output.cpp print and raise
//   write_external.cpp  inline PTX, functions that are defined elsewhere
#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/codegen.h"
#include "codegen/cuda_cpp/folding.h"
#include "codegen/cuda_cpp/helpers.h"
#include "codegen/cuda_cpp/names.h"
#include "codegen/cuda_cpp/text.h"
#include "codegen/cuda_cpp/variables.h"
#include "ir/memory_order.h"

namespace lanewise::codegen::cuda_cpp {

// The struct that a function defined elsewhere returns several values in.
std::string external_result_name(const ir::ExternalFunction& external);

// What the functions of a file share.
struct FileText {
  FileText(const ir::Module& module, const PtxTarget& ptx_target, const ir::SourceMap* source_map,
           PtxHidden* hidden_parameters);

  const ir::Module& ir;
  const PtxTarget& target;
  const ir::SourceMap* sources;
  PtxHidden* hidden;
  bool constant_bank;  // constant arrays are in constant memory
  bool grid_barrier;   // the last parameter of the kernel is its counter
  Helpers helpers;
  Names names;  // of the file's scope
  std::vector<std::string> functions,
      result_types;  // by FunctionId; of several results a struct of r0, r1, ...
  struct Array {
    std::string name;
    bool used;
  };
  std::vector<Array> arrays;               // by index into ir.data
  std::vector<std::vector<bool>> written;  // see pointers.h
  std::vector<bool> defined;               // by FunctionId: its text is there
  std::string prototypes;
  bool uses_dynamic_shared = false;

  bool reports() const { return hidden && hidden->record; }
  std::string use_array(size_t index);
  std::string hidden_parameters(ir::FunctionId id) const;
  std::string hidden_arguments() const;  // of calls
  std::string signature(ir::FunctionId id, Names& parameter_names,
                        std::vector<std::string>* names = nullptr) const;
};

class FunctionWriter {
 public:
  FunctionWriter(FileText& file, ir::FunctionId id);
  std::string run();

 private:
  using Values = std::vector<ir::ValueId>;

  // --- write_function.cpp
  Expr expr(ir::ValueId v);
  Expr compute(ir::OpId id);
  Expr scalar(const ir::Op& op, ir::OpId id);
  Expr scalar_of(ir::OpKind kind, ir::Type type, ir::Type result, const std::vector<Expr>& v, bool plain,
                 bool of_index);
  std::string invented_name(const Variable& variable) const;
  const std::string& name_of(uint32_t variable);
  void name_variables();
  ir::RegionId scope_of(const Variable& variable) const;
  std::string declaration(uint32_t variable, bool is_const);
  void declare_arrays();
  void declare_before(ir::OpId id);
  void set(uint32_t variable, const Expr& value);
  void statement(ir::OpId id);
  void act(ir::OpId id);
  void write_call(const ir::Op& op);
  Expr call_expr(const ir::Op& op);
  void line(const std::string& text);
  void comment_line(ir::OpId id);
  std::string source_line(const ir::Op& op) const;
  std::string captured(const std::function<void()>& write);
  [[noreturn]] void refuse(const ir::Op& op) const;

  // --- write_control.cpp
  struct Scope {
    const ir::Op* op;
    std::string label;  // "" until something jumps there
  };
  void region(ir::RegionId id);
  void end_region(const ir::Op& op, ir::RegionId id);
  void write_if(ir::OpId id, bool after_else);
  bool only_an_if(ir::RegionId id);
  void write_for(ir::OpId id);
  void write_while(ir::OpId id);
  void write_scope(ir::OpId id);
  void hand_over(const Values& to, const Values& from, size_t skip = 0);
  Expr negated(ir::ValueId condition);

  // --- write_ints.cpp
  Expr as(const Expr& e, ir::Type type);
  Expr arithmetic(std::string_view op, Binding binding, ir::Type type, Expr a, Expr b, bool exact);
  Expr compare(ir::OpKind kind, ir::Type type, Expr a, Expr b);
  Expr integer(ir::OpKind kind, ir::Type type, const std::vector<Expr>& v, bool plain, bool of_index);
  Expr wrapping(std::string_view helper, std::string_view op, Binding binding, ir::Type type, const Expr& a,
                const Expr& b, bool plain);
  Expr shift(ir::OpKind kind, ir::Type type, const Expr& a, const Expr& count, bool plain);
  Expr count_bits(ir::OpKind kind, ir::Type type, const Expr& a);
  Expr logic(ir::OpKind kind, const Expr& a, const Expr& b);
  Expr narrowed_to(const Expr& e, ir::Type type);

  // --- write_floats.cpp, write_casts.cpp
  Expr floating(ir::OpKind kind, ir::Type type, ir::Type result, const std::vector<Expr>& v);
  Expr narrow_float(ir::OpKind kind, ir::Type type, ir::Type result, const std::vector<Expr>& v);
  Expr rounded_apart(ir::OpKind kind, ir::Type type, const Expr& a, const Expr& b);
  Expr math(ir::OpKind kind, ir::Type type, const std::vector<Expr>& v);
  bool may_contract(const ir::Op& op) const;
  Expr cast(const Expr& e, ir::Type from, ir::Type to);
  Expr float_to_int(const Expr& e, ir::Type from, ir::Type to);
  Expr to_narrow(const Expr& e, ir::Type from, ir::Type to);
  Expr bitcast(const Expr& e, ir::Type from, ir::Type to);
  Expr to_bits(const Expr& e, ir::Type type);  // as unsigned of the same width
  Expr from_bits(const Expr& e, ir::Type type);

  // --- write_memory.cpp, write_atomics.cpp
  Expr element(const ir::Op& op);
  Expr load(const ir::Op& op, ir::OpId id);
  Expr pointer(const ir::Op& op);
  void store(const ir::Op& op);
  Expr atomic(const ir::Op& op);
  std::string atomic_function(ir::OpKind kind, ir::Type element, bool own, const std::string& scope);
  Expr combined(ir::OpKind kind, ir::Type type, const Expr& old, const Expr& x);

  // --- write_threads.cpp, write_output.cpp
  Expr thread(const ir::Op& op);
  Expr machine(const ir::Op& op);
  static std::string fence_function(ir::MemoryScope scope);
  Expr warp(const ir::Op& op);
  Expr shuffle(const ir::Op& op);
  Expr reduce(const ir::Op& op);
  Expr special(const ir::Op& op);
  void print(const ir::Op& op);
  void report(const ir::Op& op);

  // --- write_external.cpp
  Expr address_in_space(ir::ValueId pointer);
  void write_inline_ptx(const ir::Op& op);
  void write_call_external(const ir::Op& op);

  FileText& file_;
  ir::FunctionId id_;
  const ir::Function& f_;
  Places places_;
  Folding folding_;
  Variables variables_;
  std::vector<int8_t> counts_;    // by op: see ir::steady_counters
  std::vector<bool> plain_;       // by op: see ir::plain_integer_ops
  std::vector<bool> only_index_;  // by value: of nothing but an index
  std::vector<bool> exit_loads_;  // by op: see loop_exit_loads
  ir::FloatMode mode_;            // of the op that is being written
  bool splits_products_ = false;  // that op's product may not be contracted with a sum
  Names names_;
  std::vector<std::string> variable_names_;                    // by variable
  std::vector<char> declared_;                                 // by variable
  std::map<uint32_t, std::vector<uint32_t>> declared_before_;  // by op: variables
  std::map<uint32_t, std::string> arrays_;                     // by op: SharedArray and LocalArray
  std::vector<Scope> scopes_;
  std::vector<const ir::Op*> loops_;
  std::string text_;
  int indent_ = 1;
};

}  // namespace lanewise::codegen::cuda_cpp
