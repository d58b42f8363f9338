// Source text and environment of Python functions, and the calls of runtime::compile.
#include "compile.h"

#include "gil.h"

#include <pybind11/stl.h>

#include "host_values.h"
#include "parameters.h"

namespace lanewise::python {

using frontend::Ast;
using frontend::ExprId;
using frontend::FunctionRef;
using frontend::Parameter;
using frontend::StmtId;

namespace {

// What lanewise._source.find answers.
struct FoundSource {
  std::string text, file;
  uint32_t first_line;
  std::optional<uint32_t> lambda_offset;  // bytes from the text's start to the `lambda`
};

FoundSource find_source(py::handle function, const py::object& source) {
  py::object found = py::module_::import("lanewise._source").attr("find")(function, source);
  auto fields = py::cast<py::tuple>(found);
  FoundSource result{py::cast<std::string>(fields[0]), py::cast<std::string>(fields[1]),
                     py::cast<uint32_t>(fields[2]), std::nullopt};
  if (!fields[3].is_none()) result.lambda_offset = py::cast<uint32_t>(fields[3]);
  return result;
}

StmtId find_def(const Ast& ast, const std::string& name) {
  for (StmtId id : ast.body)
    if (ast[id].kind == frontend::StmtKind::FunctionDef && ast[id].name == name) return id;
  return {};
}

ExprId find_lambda(const Ast& ast, uint32_t offset) {
  for (uint32_t i = 0; i < ast.exprs.size(); ++i) {
    const frontend::Expr& expr = ast[ExprId{i}];
    if (expr.kind == frontend::ExprKind::Lambda && expr.range.begin == offset) return ExprId{i};
  }
  return {};
}

std::vector<std::optional<frontend::HostValue>> default_values(const Parameters& parameters,
                                                               CompileContext& context) {
  std::vector<std::optional<frontend::HostValue>> values;
  for (size_t i = 0; i < parameters.count(); ++i) {
    py::object value = parameters.default_value(i);
    values.push_back(value ? std::optional(to_host_value(value, context)) : std::nullopt);
  }
  return values;
}

// The objects of an argument: where its type says None, the next one.
frontend::HostValue bound_value(const frontend::ValueType& type, const std::vector<py::object>& objects,
                                size_t& next, CompileContext& context) {
  if (type.kind == frontend::ValueType::Kind::None && next < objects.size())
    return to_host_value(objects[next++], context);
  if (!type.is_tuple()) return {frontend::HostValue::None{}};
  frontend::HostValue::Tuple tuple;
  for (const frontend::ValueType& item : type.items)
    tuple.items.push_back(bound_value(item, objects, next, context));
  return {std::move(tuple)};
}

}  // namespace

frontend::HostValue::Function CompileContext::function(py::handle function, const JitOptions& options) {
  auto [entry, is_new] = functions_.try_emplace(function.ptr());
  if (is_new) entry->second = parse(function, options);
  if (!entry->second) throw runtime::LaunchError("a function that is among its own parameters' defaults");
  return entry->second;
}

const CompileContext::Found* CompileContext::known(PyObject* container, const std::string& name) const {
  auto found = known_.find({container, name});
  return found == known_.end() ? nullptr : &found->second;
}

const CompileContext::Found& CompileContext::remember(Capture::Place place, const py::object& container,
                                                      const std::string& name, const py::object& value) {
  captures.emplace_back(place, container, py::str(name), value);
  Found meaning = value ? Found(to_host_value(value, *this)) : std::nullopt;
  return known_[{container.ptr(), name}] = std::move(meaning);
}

// The parts of a function that can be replaced: `f.__code__ = g.__code__`, `f.__defaults__ = (1,)`.
void CompileContext::record_function(py::handle function) {
  using Place = Capture::Place;
  auto owner = py::reinterpret_borrow<py::object>(function);
  auto record = [&](Place place, PyObject* part) {
    captures.emplace_back(place, owner, py::none(), py::reinterpret_borrow<py::object>(part));
  };
  record(Place::Code, PyFunction_GET_CODE(function.ptr()));
  record(Place::Defaults, PyFunction_GET_DEFAULTS(function.ptr()));
  PyObject* keyword_defaults = PyFunction_GET_KW_DEFAULTS(function.ptr());
  record(Place::KeywordDefaults, keyword_defaults);
  if (!keyword_defaults) return;
  auto dict = py::reinterpret_borrow<py::dict>(keyword_defaults);
  for (auto [name, value] : dict)
    captures.emplace_back(Place::Dict, dict, py::reinterpret_borrow<py::object>(name),
                          py::reinterpret_borrow<py::object>(value));
}

std::shared_ptr<FunctionRef> CompileContext::parse(py::handle function, const JitOptions& options) {
  record_function(function);
  if (!options.source.is_none() && !options.code.is(function.attr("__code__")))
    throw runtime::LaunchError("the code of `" + py::cast<std::string>(function.attr("__name__")) +
                               "` was replaced: its gpu.jit(source=...) is not the text of it any more");
  FoundSource source = find_source(function, options.source);
  uint32_t file = sources.add({source.file, source.text, source.first_line});
  ir::Diagnostics diagnostics;
  auto ast =
      std::make_shared<Ast>(frontend::parse(sources, file, frontend::ParseMode::Function, diagnostics));
  if (diagnostics.has_errors()) throw_compile_error(runtime::CompileError(diagnostics, sources));

  auto ref = std::make_shared<FunctionRef>();
  auto name = py::cast<std::string>(function.attr("__name__"));
  auto code_name = py::cast<std::string>(function.attr("__code__").attr("co_name"));
  if (source.lambda_offset) {
    ref->lambda = find_lambda(*ast, *source.lambda_offset);
    ref->name = name == "<lambda>" ? "lambda" : name;
  } else {
    ref->def = find_def(*ast, code_name);
    ref->name = name;
  }
  if (!ref->def.valid() && !ref->lambda.valid())
    throw runtime::LaunchError("the source text of `" + name + "` (" + source.file + ":" +
                               std::to_string(source.first_line) + ") does not define it");
  ref->ast = std::move(ast);
  ref->environment = function_environment(function, *this);
  ref->defaults = default_values(Parameters(function), *this);
  ref->identity = function.ptr();
  ref->is_kernel = !options.device;
  ref->fast_math = options.fast_math;
  ref->contract = options.contract;
  return ref;
}

runtime::CompileOptions JitOptions::compile_options(runtime::Target to) const {
  runtime::CompileOptions result{.target = to, .python_float32 = python_float32};
  result.performance_notes = performance_notes;
  result.debug = debug;
  result.cuda = cuda;
  result.link = link;
  result.float_mode.fast_math = fast_math.value_or(false);
  result.float_mode.contract = contract.value_or(true);
  return result;
}

// What errors of launches that are over find the function by, as long as there is one.
static std::shared_ptr<void> owner_of(py::handle function) {
  return std::shared_ptr<void>(new py::weakref(function), [](void* owner) {
    if (!Py_IsInitialized()) return;
    GilAcquire gil;
    delete static_cast<py::weakref*>(owner);
  });
}

std::shared_ptr<const Specialization> compile_kernel(py::handle function, const JitOptions& options,
                                                     const runtime::CompileOptions& compile_options,
                                                     const std::vector<frontend::ValueType>& types,
                                                     const std::vector<py::object>& objects) {
  CompileContext context;
  auto ref = std::make_shared<FunctionRef>(*context.function(function, options));
  size_t next = 0;
  for (const frontend::ValueType& type : types)
    ref->bound.push_back(next < objects.size() ? std::optional(bound_value(type, objects, next, context))
                                               : std::nullopt);
  for (const py::object& object : objects)
    context.captures.emplace_back(Capture::Place::Argument, object, py::none(), py::none());
  auto result = std::make_shared<Specialization>();
  ir::Diagnostics warnings;
  runtime::CompileOptions with_links = compile_options;
  context.links = &with_links.link;
  try {
    GilRelease release;
    result->kernel = runtime::compile(*ref, types, with_links, context.sources, &warnings);
  } catch (const runtime::CompileError& error) {
    throw_compile_error(error);
  }
  result->kernel->owner = owner_of(function);
  issue_warnings(warnings, context.sources);
  result->captures = std::move(context.captures);
  return result;
}

frontend::ParsedSignature parse_signature(const std::string& text) {
  ir::SourceMap sources;
  uint32_t file = sources.add({"<signature>", text, 1});
  ir::Diagnostics diagnostics;
  auto end = static_cast<uint32_t>(text.size());
  auto parsed = frontend::parse_signature(text, {file, 0, end}, diagnostics);
  if (parsed && !diagnostics.has_errors()) return *parsed;
  std::string problem = "\"" + text + "\" is not a signature";
  for (const ir::Diagnostic& diagnostic : diagnostics.all()) {
    problem += ": " + diagnostic.message;
    if (!diagnostic.hint.empty()) problem += " (" + diagnostic.hint + ")";
  }
  throw runtime::LaunchError(problem);
}

std::pair<std::string, std::string> compile_ptx(py::handle function, const JitOptions& options,
                                                const std::string& signature, int sm,
                                                const std::string& name) {
  frontend::ParsedSignature parsed = parse_signature(signature);
  CompileContext context;
  auto ref = std::make_shared<FunctionRef>(*context.function(function, options));
  if (!name.empty()) ref->name = name;
  // The interpreter's kernel is the cheapest that holds the IR; PTX can be had of any.
  runtime::CompileOptions compile_options = options.compile_options(runtime::Target::Interpreter);
  compile_options.cuda.sm = sm;
  compile_options.cuda_functions = true;
  context.links = &compile_options.link;
  ir::Diagnostics warnings;
  std::string ptx, result = "void";
  try {
    GilRelease release;
    auto kernel = runtime::compile(*ref, parsed.arguments, compile_options, context.sources, &warnings);
    ptx = kernel->ptx_text();
    const auto& results = kernel->module.entry().results;
    if (results.size() == 1) result = numpy_name(results.front());
    if (results.size() > 1) {
      result = "(";
      for (const ir::Type& type : results)
        result += (result.size() > 1 ? ", " : "") + std::string(numpy_name(type));
      result += ")";
    }
  } catch (const runtime::CompileError& error) {
    throw_compile_error(error);
  }
  issue_warnings(warnings, context.sources);
  return {ptx, result};
}

}  // namespace lanewise::python
