// Device functions in CUDA C++ as module constants of kernel files: `f = gpu.cuda_function("...", "f",
// "...")`.
#include "frontend/kernel_file.h"

namespace lanewise::frontend {

namespace {

// What is known of the arguments of such a call.
struct CudaCall {
  CudaFunctionText text;
  std::string problem;

  std::string string_of(const HostValue& value, const std::string& what) {
    if (auto* text_value = std::get_if<std::string>(&value.value)) return *text_value;
    if (problem.empty()) problem = what + " is no text";
    return {};
  }
  void strings_of(const HostValue& value, const std::string& what, const std::string& prefix) {
    auto* tuple = std::get_if<HostValue::Tuple>(&value.value);
    if (!tuple && problem.empty()) problem = what + " is no list of texts";
    if (!tuple) return;
    for (const HostValue& item : tuple->items) text.options.push_back(prefix + string_of(item, what));
  }
};

bool is_none(const HostValue& value) { return std::holds_alternative<HostValue::None>(value.value); }

}  // namespace

std::optional<HostValue> ModuleReader::cuda_function_value(ModuleIndex index, ExprId value) {
  const Ast& ast = *set_->modules[index].ast;
  const Expr& expr = ast[value];
  if (expr.kind != ExprKind::Call) return std::nullopt;
  Evaluator constants = evaluator(index);
  HostValue callee = constants.evaluate(expr.children[0]);
  auto* builtin = std::get_if<HostValue::Builtin>(&callee.value);
  bool declares = builtin && builtin->name == "gpu.declare_device";
  if (!builtin || (builtin->name != "gpu.cuda_function" && !declares)) return std::nullopt;
  static const std::vector<std::string> kDefined = {"source", "name", "signature"};
  static const std::vector<std::string> kDeclared = {"name", "sig", "link", "use_cooperative", "abi"};
  const std::vector<std::string>& names = declares ? kDeclared : kDefined;
  CudaCall call;
  call.text.numba_abi = declares;
  auto take = [&](const std::string& name, ExprId argument) {
    HostValue given = constants.evaluate(argument);
    if (auto* bad = as_unsupported(given)) {
      if (call.problem.empty()) call.problem = "its `" + name + "` is " + bad->what;
    } else if (name == "source") {
      take_source(call.text, call.string_of(given, "the source"), ast[argument].range);
    } else if (name == "name") {
      call.text.name = call.string_of(given, "the name");
    } else if (name == "signature" || name == "sig") {
      call.text.signature = call.string_of(given, "the signature");
    } else if (name == "options") {
      call.strings_of(given, "`options`", "");
    } else if (name == "include_dirs") {
      call.strings_of(given, "`include_dirs`", "--include-path=");
    } else if (name == "abi") {
      call.text.numba_abi = call.string_of(given, "the abi") != "c";
    } else if (name == "fallback" && !is_none(given)) {
      if (!std::holds_alternative<HostValue::Function>(given.value))
        call.problem = "its fallback is no device function";
      call.text.fallback = std::make_shared<HostValue>(std::move(given));
    } else if (name == "link" && !is_none(given)) {
      call.problem = "what it is linked with is named outside the file: kc --link FILE";
    }
  };
  size_t positional = expr.children.size() - 1 - expr.keywords.size();
  for (size_t i = 0; i < std::min(positional, names.size()); ++i) take(names[i], expr.children[1 + i]);
  for (size_t i = 0; i < expr.keywords.size(); ++i) take(expr.keywords[i], expr.children[1 + positional + i]);
  HostValue::Cuda made;
  if (call.problem.empty()) made = make_cuda_function(call.text, call.problem);
  if (!made)
    return HostValue{HostValue::Unsupported{"a CUDA function that cannot be: " + call.problem, expr.range}};
  return HostValue{made};
}

// The text itself, or that of the .cu file it names.
void ModuleReader::take_source(CudaFunctionText& text, std::string source, SourceRange range) const {
  if (source.ends_with(".cu") && source.find('\n') == source.npos && options_.read_file) {
    if (auto read = options_.read_file(source, options_.context)) {
      text.file = source;
      text.source = std::move(*read);
      return;
    }
  }
  text.source = std::move(source);
  if (std::optional<ir::Place> place = sources_.place(range)) {
    text.file = place->file;
    // Behind the quotes: a text that begins with a line end begins on the next line, as it is written.
    text.first_line = place->begin.line;
  }
}

}  // namespace lanewise::frontend
