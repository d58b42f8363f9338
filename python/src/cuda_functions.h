// _core.CudaFunction: a device function in CUDA C++ (gpu.cuda_function, gpu.declare_device), and the device
// code that is linked to kernels.
#pragma once
#include "compile.h"

namespace lanewise::python {

// What a captured object means if it is a CudaFunction.
std::optional<frontend::HostValue> cuda_function_value(py::handle object, CompileContext& context);
// [(kind, name, bytes, [option])] of gpu.jit's `link`; a kind of "" is told by the name, whose file is read.
std::vector<runtime::LinkInput> read_links(const py::handle& list);
void register_cuda_functions(py::module_& module);

}  // namespace lanewise::python
