// Structured dtypes to record types, by NumPy's Python attributes: this happens once for a dtype.
#include "dtypes.h"

#include <deque>
#include <unordered_map>

#include "frontend/record_type.h"

namespace lanewise::python {

using frontend::ElementType;
using frontend::TimeType;

namespace {

constexpr int kMaxNested = 32;
constexpr size_t kMaxKnownDtypes = 4096;
constexpr size_t kMaxCodes = 60000;

std::deque<ElementType>& table() {
  static std::deque<ElementType>& types = *new std::deque<ElementType>();
  return types;
}

class Parser {
 public:
  std::optional<ElementType> element(py::handle dtype) {
    ElementCode code = dtype_code(dtype.ptr());
    if (code != kNoElement) return element_type(code);
    auto order = py::cast<std::string>(dtype.attr("byteorder"));
    auto kind = py::cast<std::string>(dtype.attr("kind"));
    if (order == ">") return fail("byte-swapped (dtype " + text(dtype) + ")");
    if (kind == "M" || kind == "m") return time(dtype, kind == "M");
    auto size = py::cast<int64_t>(dtype.attr("itemsize"));
    if (kind == "S" || kind == "U") {
      if (size == 0) return fail("of dtype " + text(dtype) + ", which has no length");
      return ElementType::text(kind == "S" ? ir::kU8 : ir::kU32,
                               static_cast<uint32_t>(kind == "S" ? size : size / 4));
    }
    if (kind == "V" && !dtype.attr("names").is_none()) return record(dtype, size);
    return fail("of dtype " + text(dtype));
  }

  std::string problem;

 private:
  static std::string text(py::handle dtype) { return py::str(dtype); }
  std::nullopt_t fail(std::string what) {
    if (problem.empty()) problem = std::move(what);
    return std::nullopt;
  }

  std::optional<ElementType> time(py::handle dtype, bool is_date) {
    auto [unit, count] =
        py::cast<std::pair<std::string, int>>(py::module_::import("numpy").attr("datetime_data")(dtype));
    std::optional<TimeType> type = frontend::parse_time_unit(unit, is_date);
    if (!type) return fail("of dtype " + text(dtype));
    type->count = count;
    return ElementType::of(*type);
  }

  std::optional<ElementType> record(py::handle dtype, int64_t size) {
    if (++depth_ > kMaxNested) return fail("records nested too deeply");
    if (size < 1 || size > INT32_MAX) return fail("records of " + std::to_string(size) + " bytes");
    frontend::RecordType record;
    record.size = static_cast<uint32_t>(size);
    py::object fields = dtype.attr("fields");
    for (py::handle name : dtype.attr("names")) {
      py::object entry = fields[name];
      auto parts = py::cast<py::tuple>(entry);
      frontend::RecordField field;
      field.name = py::cast<std::string>(name);
      field.offset = py::cast<uint32_t>(parts[1]);
      py::object type = parts[0];
      if (!type.attr("subdtype").is_none()) {
        for (py::handle extent : type.attr("shape")) field.shape.push_back(py::cast<int64_t>(extent));
        type = type.attr("base");
      }
      std::optional<ElementType> element = this->element(type);
      if (!element) {
        problem = "records whose field `" + field.name + "` is " + problem;
        return std::nullopt;
      }
      field.type = *element;
      record.fields.push_back(std::move(field));
    }
    --depth_;
    return ElementType::of(frontend::intern(std::move(record)));
  }

  int depth_ = 0;
};

}  // namespace

std::optional<ElementType> dtype_element(PyObject* dtype, std::string* problem) {
  Parser parser;
  std::optional<ElementType> type = parser.element(dtype);
  if (!type && problem) *problem = parser.problem;
  return type;
}

uint16_t wide_code(const ElementType& type) {
  std::deque<ElementType>& types = table();
  for (size_t i = 0; i < types.size(); ++i)
    if (types[i] == type) return static_cast<uint16_t>(i);
  if (types.size() >= kMaxCodes) throw runtime::LaunchError("too many different dtypes in one process");
  types.push_back(type);
  return static_cast<uint16_t>(types.size() - 1);
}

const ElementType& wide_element(uint16_t code) { return table().at(code); }

std::optional<uint16_t> wide_dtype_code(PyObject* dtype, std::string* problem) {
  // The dtypes are kept alive, so that no other can take the address.
  static auto& known = *new std::unordered_map<PyObject*, std::pair<py::object, uint16_t>>();
  if (auto found = known.find(dtype); found != known.end()) return found->second.second;
  std::optional<ElementType> type = dtype_element(dtype, problem);
  if (!type) return std::nullopt;
  uint16_t code = wide_code(*type);
  if (known.size() >= kMaxKnownDtypes) known.clear();
  known.emplace(dtype, std::pair(py::reinterpret_borrow<py::object>(dtype), code));
  return code;
}

TimeType time_type(const NumpyTime& scalar, bool is_date) {
  // NumPy's numbers of the units have a gap where business days were.
  int unit = scalar.unit > 3 ? scalar.unit - 1 : scalar.unit;
  return {.is_date = is_date, .unit = static_cast<TimeType::Unit>(unit), .count = scalar.count};
}

}  // namespace lanewise::python
