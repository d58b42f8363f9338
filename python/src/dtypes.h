// NumPy dtypes that are more than one number: records, texts, dates. Each is parsed once; what a launch looks
// at is a number, the place in a table that only grows.
#pragma once
#include <optional>
#include <string>

#include "element_types.h"

namespace lanewise::python {

// The element type of any dtype; nullopt where kernels have none, and then why in `problem` if given.
std::optional<frontend::ElementType> dtype_element(PyObject* dtype, std::string* problem = nullptr);

// The place in the table of a type that has no code of its own, and back.
uint16_t wide_code(const frontend::ElementType& type);
const frontend::ElementType& wide_element(uint16_t code);
// The same of a dtype, by its address where it was seen before; nullopt as above.
std::optional<uint16_t> wide_dtype_code(PyObject* dtype, std::string* problem);

// NumPy's C struct of a record scalar (numpy.void).
struct NumpyVoid {
  PyObject_VAR_HEAD char* data;
  PyObject* dtype;
  int flags;
};
// ... and of a datetime64 or timedelta64.
struct NumpyTime {
  PyObject_HEAD int64_t value;
  int unit, count;
};
frontend::TimeType time_type(const NumpyTime& scalar, bool is_date);

}  // namespace lanewise::python
