// A jitted function: its specialisations, and launching them. All members are called with the GIL held and
// release it for compiling and running.
#pragma once
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "compile.h"
#include "parameters.h"
#include "signature.h"
#include "type_key.h"

namespace lanewise::python {

class Dispatcher {
 public:
  // `signatures`: the only argument types there are, compiled at once by compile_signatures(); none: any.
  Dispatcher(py::object function, JitOptions options, std::vector<std::string> signatures);

  // Where it runs.
  runtime::Target target();
  const std::string& name() const { return name_; }
  const py::object& function() const { return function_; }
  const JitOptions& options() const { return options_; }

  void compile_signatures();
  // What a launch would be compiled for.
  std::vector<frontend::ValueType> types_of(PyObject* const* args, size_t count);
  void launch(const runtime::LaunchConfig& config, PyObject* const* args, size_t count, PyObject* keywords);

  // The specialisation for a signature's text; compiled if it is not yet.
  std::shared_ptr<const Specialization> specialization(const std::string& signature);
  // What has been compiled, in the order it was.
  std::vector<std::shared_ptr<const Specialization>> specializations() const;

  int traverse(visitproc visit, void* arg) const;
  void clear();

 private:
  // A specialisation as one key of argument types uses it.
  struct Entry {
    std::shared_ptr<const Specialization> code;
    std::vector<Conversion> conversions;
  };
  using EntryPtr = std::shared_ptr<const Entry>;

  // As the function has them now.
  std::shared_ptr<const Parameters> parameters();
  std::shared_ptr<std::recursive_mutex> compile_mutex();
  std::string argument_name(size_t parameter) const;
  [[noreturn]] void refuse(size_t parameter, const BadArgument& problem) const;
  void read(ArgumentReader& arguments, PyObject* const* args, size_t count) const;
  EntryPtr find(const ArgumentReader& arguments);
  EntryPtr find_unchanged(const TypeKey& key) const;
  EntryPtr find_by_signature(const ArgumentReader& arguments);
  [[noreturn]] void refuse_types(const std::vector<frontend::ValueType>& given,
                                 const SignatureMismatch& mismatch) const;
  std::shared_ptr<const Specialization> compile(const std::vector<frontend::ValueType>& types,
                                                const std::vector<py::object>& objects);
  EntryPtr compile_entry(const TypeKey& key, const std::vector<frontend::ValueType>& types,
                         const std::vector<py::object>& objects = {});

  py::object function_;
  JitOptions options_;
  std::string name_;
  std::shared_ptr<const Parameters> parameters_;
  std::vector<std::vector<frontend::ValueType>> signatures_;
  std::optional<runtime::Target> target_;

  std::unordered_map<TypeKey, EntryPtr, TypeKeyHash> entries_;
  TypeKey last_key_;
  EntryPtr last_;
  std::vector<std::shared_ptr<const Specialization>> order_;
  // Held while compiling, so that threads that want the same specialisation wait for one compile. Recursive:
  // a captured object's attribute may run code that launches this kernel. Never waited for with the GIL.
  // The child of a fork makes a new one, for the threads that may hold this one are not there to let go.
  std::shared_ptr<std::recursive_mutex> compiling_;
  unsigned compiling_forks_ = 0;  // how many forks led to the process that made `compiling_`
};

}  // namespace lanewise::python
