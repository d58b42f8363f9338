#include "cuda_functions.h"
#include "gil.h"

#include <pybind11/stl.h>

#include <algorithm>

#include "host_values.h"

namespace lanewise::python {
namespace {

struct CudaFunction {
  frontend::CudaFunctionText text;
  py::object fallback;
};

CudaFunction make(std::string name, std::string signature, std::string source, std::string file,
                  uint32_t first_line, std::vector<std::string> options, bool numba_abi,
                  py::object fallback) {
  CudaFunction made;
  made.text.name = std::move(name);
  made.text.signature = std::move(signature);
  made.text.source = std::move(source);
  made.text.file = std::move(file);
  made.text.first_line = first_line;
  made.text.options = std::move(options);
  made.text.numba_abi = numba_abi;
  made.fallback = std::move(fallback);
  std::string problem;
  if (!frontend::make_cuda_function(made.text, problem)) throw py::value_error(problem);
  return made;
}

std::optional<runtime::LinkInput::Kind> kind_named(const std::string& name) {
  using Kind = runtime::LinkInput::Kind;
  constexpr std::pair<std::string_view, Kind> kKinds[] = {
      {"cu", Kind::CudaSource},   {"ptx", Kind::Ptx},       {"cubin", Kind::Cubin}, {"fatbin", Kind::Fatbin},
      {"archive", Kind::Archive}, {"object", Kind::Object}, {"ltoir", Kind::LtoIr}};
  for (const auto& [known, kind] : kKinds)
    if (known == name) return kind;
  return std::nullopt;
}

}  // namespace

std::optional<frontend::HostValue> cuda_function_value(py::handle object, CompileContext& context) {
  if (!py::isinstance<CudaFunction>(object)) return std::nullopt;
  const auto& function = object.cast<const CudaFunction&>();
  frontend::CudaFunctionText text = function.text;
  if (!function.fallback.is_none())
    text.fallback = std::make_shared<frontend::HostValue>(to_host_value(function.fallback, context));
  if (context.links)
    for (runtime::LinkInput& input : read_links(object.attr("link"))) {
      bool known = std::ranges::any_of(*context.links, [&](const runtime::LinkInput& other) {
        return other.name == input.name && other.data == input.data;
      });
      if (!known) context.links->push_back(std::move(input));
    }
  std::string problem;
  frontend::HostValue::Cuda made = frontend::make_cuda_function(text, problem);
  if (!made) throw runtime::LaunchError(problem);
  return frontend::HostValue{made};
}

std::vector<runtime::LinkInput> read_links(const py::handle& list) {
  std::vector<runtime::LinkInput> inputs;
  for (py::handle item : py::reinterpret_borrow<py::sequence>(list)) {
    auto fields = py::cast<py::tuple>(item);
    auto kind = py::cast<std::string>(fields[0]), name = py::cast<std::string>(fields[1]);
    if (kind.empty()) {
      inputs.push_back(runtime::read_link_input(name));
    } else {
      std::optional<runtime::LinkInput::Kind> known = kind_named(kind);
      if (!known) throw runtime::LaunchError("link: there is no kind \"" + kind + "\"");
      inputs.push_back({*known, name, py::cast<std::string>(fields[2]), {}});
    }
    inputs.back().options = py::cast<std::vector<std::string>>(fields[3]);
  }
  return inputs;
}

void register_cuda_functions(py::module_& module) {
  py::class_<CudaFunction>(module, "CudaFunction", py::dynamic_attr())
      .def(py::init(&make), py::arg("name"), py::arg("signature"), py::arg("source"), py::arg("file"),
           py::arg("first_line"), py::arg("options"), py::arg("numba_abi"), py::arg("fallback"))
      .def_property_readonly("name", [](const CudaFunction& f) { return f.text.name; })
      .def_property_readonly("signature", [](const CudaFunction& f) { return f.text.signature; })
      .def_property_readonly("source", [](const CudaFunction& f) { return f.text.source; })
      .def_property_readonly("fallback", [](const CudaFunction& f) { return f.fallback; });
  module.def("set_package_folders", &runtime::set_package_folders);
  module.def(
      "make_cubin",
      [](const std::string& ptx, int sm, const py::object& link, int max_registers, bool line_info) {
        std::vector<runtime::LinkInput> inputs = read_links(link);
        std::string cubin;
        {
          GilRelease release;
          cubin = runtime::make_cubin(ptx, sm, inputs, max_registers, line_info);
        }
        return py::bytes(cubin);
      },
      py::arg("ptx"), py::arg("sm"), py::arg("link"), py::arg("max_registers"), py::arg("line_info"));
  module.def("toolkit", [] {
    std::vector<runtime::ToolkitEntry> entries;
    {
      GilRelease release;
      entries = runtime::toolkit();
    }
    py::list list;
    for (const runtime::ToolkitEntry& e : entries)
      list.append(py::make_tuple(e.name, e.path, e.version, e.wheels));
    return list;
  });
  module.def("sass_text", [](const py::bytes& cubin) {
    std::string image = cubin;
    GilRelease release;
    return runtime::sass_text(image);
  });
}

}  // namespace lanewise::python
