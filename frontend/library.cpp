// Parsing the embedded library files, and the names their functions see: each other, the files' constants and
// the modules of the language.
#include "frontend/library.h"

#include <map>
#include <mutex>

#include "frontend/builtin_names.h"
#include "frontend/frontend.h"
#include "frontend/infer/constant_expr.h"
#include "frontend/infer/constants.h"
#include "frontend/library_text.h"
#include "ir/error.h"

namespace lanewise::frontend {
namespace {

void strip(std::vector<Parameter>& params) {
  for (Parameter& p : params) p.range = {};
}

// Ranges would be read as places in the user's text.
void strip_ranges(Ast& ast) {
  for (Expr& e : ast.exprs) {
    e.range = e.op_range = {};
    strip(e.params);
  }
  for (Stmt& s : ast.stmts) {
    s.range = s.name_range = {};
    strip(s.params);
    for (MatchCase& c : s.cases) c.range = {};
  }
}

// @gpu.jit(device=True, fastmath=False): the function is exact in fast kernels, too. So is fma=False.
std::optional<bool> option_of(const Ast& ast, const Stmt& def, std::string_view option,
                              Environment* environment) {
  for (ExprId decorator : def.decorators) {
    const Expr& call = ast[decorator];
    size_t positional = call.children.size() - call.keywords.size();
    for (size_t i = 0; i < call.keywords.size(); ++i)
      if (call.keywords[i] == option)
        return truth(*evaluate_constant(ast, call.children[positional + i], environment));
  }
  return std::nullopt;
}

class LibraryEnvironment : public Environment {
 public:
  std::optional<HostValue> lookup(const std::string& name) override {
    auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::string> names() const override { return {}; }
  void set(const std::string& name, HostValue value) { names_[name] = std::move(value); }

 private:
  std::map<std::string, HostValue> names_;
};

class Library {
 public:
  Library(const std::string& module, const char* text) : module_(module), text_(text) {}

  HostValue::Function find(std::string_view name) {
    std::call_once(once_, [this] { read(); });
    auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second;
  }
  // From the text alone: what names there are is asked while the tables of names are being made.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    std::string_view text = text_, start = "\ndef ";
    for (size_t at = text.find(start); at != text.npos; at = text.find(start, at)) {
      at += start.size();
      if (text[at] != '_') out.emplace_back(text.substr(at, text.find('(', at) - at));
    }
    return out;
  }
  const std::string& module() const { return module_; }
  const Ast* ast() const { return ast_.get(); }

 private:
  void read() {
    ir::SourceMap sources;
    ir::Diagnostics diagnostics;
    uint32_t file = sources.add({module_ + ".py", text_, 1});
    auto parsed = std::make_shared<Ast>(parse(sources, file, ParseMode::KernelFile, diagnostics));
    LANEWISE_CHECK(!diagnostics.has_errors(), "the library " + module_ + " cannot be parsed");
    strip_ranges(*parsed);
    ast_ = parsed;
    auto environment = std::make_shared<LibraryEnvironment>();
    for (StmtId id : parsed->body) {
      const Stmt& s = (*parsed)[id];
      switch (s.kind) {
        case StmtKind::Import:
          for (const ImportName& name : s.imports) environment->set(name.alias, *builtin_module(name.name));
          break;
        case StmtKind::ImportFrom:
          for (const ImportName& name : s.imports)
            environment->set(name.alias, *builtin_module_attribute(s.name, name.name));
          break;
        case StmtKind::Assign:
          environment->set((*parsed)[s.targets[0]].text,
                           *evaluate_constant(*parsed, s.value, environment.get()));
          break;
        case StmtKind::FunctionDef: {
          auto function = std::make_shared<FunctionRef>();
          function->name = module_ + "." + s.name;
          function->ast = ast_;
          function->def = id;
          function->environment = environment;
          function->identity = function.get();
          function->fast_math = option_of(*parsed, s, "fastmath", environment.get());
          function->contract = option_of(*parsed, s, "fma", environment.get());
          functions_[s.name] = function;
          environment->set(s.name, {HostValue::Function(function)});
          break;
        }
        default: break;
      }
    }
  }

  std::string module_;
  const char* text_;
  std::once_flag once_;
  AstPtr ast_;
  std::map<std::string, HostValue::Function, std::less<>> functions_;
};

std::map<std::string, Library, std::less<>>& libraries() {
  // Never destroyed: functions are used until the process ends.
  static auto& all = *[] {
    auto* made = new std::map<std::string, Library, std::less<>>;
    for (const LibraryText& one : kLibraryTexts) made->try_emplace(one.module, one.module, one.text);
    return made;
  }();
  return all;
}

}  // namespace

HostValue::Function library_function(std::string_view name) {
  size_t dot = name.rfind('.');
  if (dot == name.npos) return nullptr;
  auto found = libraries().find(name.substr(0, dot));
  return found == libraries().end() ? nullptr : found->second.find(name.substr(dot + 1));
}

std::vector<std::string> library_names() {
  std::vector<std::string> out;
  for (auto& [module, library] : libraries())
    for (const std::string& name : library.names()) out.push_back(module + "." + name);
  return out;
}

bool is_library_name(std::string_view name) { return name.find("._") == name.npos && library_function(name); }

bool is_library_function(const FunctionRef& function) {
  for (auto& [module, library] : libraries())
    if (library.ast() && library.ast() == function.ast.get()) return true;
  return false;
}

}  // namespace lanewise::frontend
