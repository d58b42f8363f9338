// The hook is called on every audit event of the process: it leaves at once unless the event is "compile".
#include "source_texts.h"

#include <pybind11/stl.h>

#include <cstring>
#include <deque>
#include <mutex>
#include <string>

namespace lanewise::python {
namespace {

constexpr size_t kMaxTexts = 256, kMaxBytes = 1 << 20;

struct KeptText {
  std::string file, text;
};
// Interpreters with a GIL of their own call the hook too.
std::mutex kept_mutex;
// Never destroyed: the hook outlives static destruction.
std::deque<KeptText>& kept() {
  static auto* texts = new std::deque<KeptText>;
  return *texts;
}

void keep(PyObject* source, PyObject* file) {
  const char* text = nullptr;
  Py_ssize_t size = 0;
  py::object decoded;  // of bytes; null if they are not UTF-8
  if (PyBytes_Check(source)) {
    decoded = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(PyBytes_AS_STRING(source), PyBytes_GET_SIZE(source), nullptr));
    source = decoded.ptr();
  }
  if (source && PyUnicode_Check(source)) text = PyUnicode_AsUTF8AndSize(source, &size);
  const char* name = PyUnicode_Check(file) ? PyUnicode_AsUTF8(file) : nullptr;
  PyErr_Clear();
  if (!text || !name || name[0] != '<' || static_cast<size_t>(size) > kMaxBytes) return;
  std::string_view view(text, static_cast<size_t>(size));
  // Only a function or lambda can become a kernel.
  if (view.find("def ") == view.npos && view.find("lambda") == view.npos) return;
  std::lock_guard lock(kept_mutex);
  kept().push_front({name, std::string(view)});
  size_t bytes = 0;
  for (const KeptText& item : kept()) bytes += item.text.size();
  while (kept().size() > kMaxTexts || (bytes > 8 * kMaxBytes && kept().size() > 1)) {
    bytes -= kept().back().text.size();
    kept().pop_back();
  }
}

int hook(const char* event, PyObject* args, void*) {
  if (event[0] != 'c' || std::strcmp(event, "compile") != 0) return 0;
  if (PyTuple_Check(args) && PyTuple_GET_SIZE(args) == 2)
    keep(PyTuple_GET_ITEM(args, 0), PyTuple_GET_ITEM(args, 1));
  return 0;
}

}  // namespace

void register_source_texts(py::module_& module) {
  if (PySys_AddAuditHook(hook, nullptr) != 0) PyErr_Clear();
  // The kept texts of a file name, latest first.
  module.def("kept_texts", [](const std::string& file) {
    std::vector<std::string> texts;
    std::lock_guard lock(kept_mutex);
    for (const KeptText& item : kept())
      if (item.file == file) texts.push_back(item.text);
    return texts;
  });
}

}  // namespace lanewise::python
