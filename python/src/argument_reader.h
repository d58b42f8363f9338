// A launch's arguments: Python objects in, their types and the leaves a CompiledKernel takes out.
#pragma once
#include <vector>

#include "core.h"
#include "type_key.h"

namespace lanewise::python {

// What is wrong with one argument; the dispatcher adds the names of kernel and parameter.
struct BadArgument {
  std::string what;       // "arrays of dtype complex64 are not supported"
  bool is_value = false;  // a value error rather than a type error
};

class ArgumentReader {
 public:
  ArgumentReader(runtime::Target target, size_t count) : target_(target) {
    key.reserve(count + 8);
    leaves.reserve(count);
  }
  // Appends one argument. Throws BadArgument.
  void read(PyObject* object);

  TypeKey key;
  std::vector<runtime::Argument> leaves;
  // The arguments, and items of tuples, that are None, device functions or types, in order.
  std::vector<py::object> objects;

 private:
  void read_array(PyObject* object);
  void read_wide_array(const NumpyArray& array);
  void read_record(PyObject* object);
  void read_time(PyObject* object, bool is_date);
  void read_device_array(PyObject* object);
  void read_int(PyObject* object);
  void read_float(double value);
  void read_complex(PyObject* object);
  bool read_vector(PyObject* object);
  void read_tuple(PyObject* object);
  void read_other(PyObject* object);
  bool read_object(PyObject* object);
  void read_hint(const py::object& object, runtime::Direction direction);
  void read_converted(PyObject* object, const std::string& protocol);
  void read_interface(PyObject* interface);
  void add_scalar(uint64_t bits);

  runtime::Target target_;
  int depth_ = 0;
  std::vector<py::object> kept_;  // arrays made here, alive as long as the launch
};

}  // namespace lanewise::python
