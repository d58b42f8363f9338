// Compile: text and argument types to IR, IR to what the target runs; and the texts of the stages between.
#include <cstdlib>

#include "codegen/codegen.h"
#include "ir/too_large.h"
#include "ir/waiting_loops.h"
#include "runtime/backend.h"

namespace lanewise::runtime {
namespace {

// One entry per leaf: what the kernel does with the array whose pointer is the leaf's first slot.
std::vector<ir::Access> access_of_leaves(const ir::Module& module,
                                         const std::vector<frontend::ValueType>& arguments) {
  std::vector<ir::Access> of_params = ir::parameter_access(module), result;
  size_t param = 0;
  for (const frontend::ValueType& argument : arguments) {
    for (const frontend::ValueType& leaf : leaves(argument)) {
      result.push_back(leaf.is_array() ? of_params.at(param) : ir::Access{});
      param += frontend::flatten(leaf).size();
    }
  }
  return result;
}

std::vector<std::string> names_of_parameters(const frontend::FunctionRef& function) {
  const frontend::Ast& ast = *function.ast;
  const auto& params =
      function.def.valid() ? ast.stmts[function.def].params : ast.exprs[function.lambda].params;
  std::vector<std::string> names;
  for (const frontend::Parameter& param : params) names.push_back(param.name);
  return names;
}

codegen::HostTarget host_target(const CompileOptions& options) {
  codegen::HostTarget target;
  target.cpu = options.cpu;
  if (const char* cpu = std::getenv("LANEWISE_CPU"); cpu && *cpu && target.cpu == "native") target.cpu = cpu;
  return target;
}

codegen::HostTarget host_target(const CompiledKernel& kernel) {
  codegen::HostTarget target = host_target(kernel.options);
  CompiledKernel::Variant launched = kernel.launched_variant();
  target.block = launched.block;
  target.facts = launched.facts;
  return target;
}

void open_leaves(const frontend::ValueType& type, std::vector<frontend::ValueType>& out) {
  if (type.has_items()) {
    for (size_t i = 0; i < type.item_count(); ++i) open_leaves(type.item(i), out);
  } else if (type.is_scalar() || type.is_time() || type.is_array()) {
    out.push_back(type);
  }
}

// Beyond a bound of the compiler: an error of the program, with the way out.
[[noreturn]] void refuse_large(const ir::ProgramTooLarge& problem, const frontend::FunctionRef& function,
                               const ir::SourceMap& sources) {
  ir::SourceRange range = problem.range;
  if (range == ir::SourceRange{})
    range = function.def.valid() ? (*function.ast)[function.def].name_range
                                 : (*function.ast)[function.lambda].range;
  ir::Diagnostics diagnostics;
  ir::Diagnostic& d = diagnostics.report(
      ir::DiagnosticId::NotInLanguage, range,
      {"a function as large as `" + problem.function + "` with the helpers that it calls"});
  d.hint =
      "helpers with barriers or shared arrays become part of each caller: call them in a loop rather than "
      "from "
      "many places, and nest fewer loops around a barrier";
  throw CompileError(diagnostics, sources);
}

}  // namespace

void check_target(const ir::Module& module, Target target, const ir::SourceMap& sources) {
  if (target == Target::Cuda) return;
  ir::Diagnostics diagnostics;
  for (const ir::Function& function : module.functions)
    for (const ir::Op& op : function.ops)
      if (op.kind == ir::OpKind::InlinePtx)
        diagnostics
            .report(ir::DiagnosticId::CudaOnly, op.range,
                    {"inline PTX", target == Target::Cpu ? "the CPU" : "the interpreter"})
            .hint = "compile for CUDA (`target=\"cuda\"`), and write another kernel for the CPU";
  if (diagnostics.has_errors()) throw CompileError(diagnostics, sources);
}

std::vector<frontend::ValueType> leaves(const frontend::ValueType& type) {
  std::vector<frontend::ValueType> result;
  open_leaves(type, result);
  return result;
}

ir::Module compile_to_ir(const frontend::FunctionRef& function,
                         const std::vector<frontend::ValueType>& arguments, const CompileOptions& options,
                         const ir::SourceMap& sources, ir::Diagnostics* warnings) {
  ir::Diagnostics own;
  ir::Diagnostics& diagnostics = warnings ? *warnings : own;
  frontend::InferOptions infer_options;
  infer_options.float_mode = options.float_mode;
  infer_options.python_float32 = options.python_float32;
  infer_options.warnings = warnings != nullptr;
  infer_options.performance_notes = options.performance_notes;
  infer_options.cuda_functions = options.target == Target::Cuda || options.cuda_functions;
  frontend::TypedModule typed = frontend::infer(function, arguments, infer_options, sources, diagnostics);
  if (diagnostics.has_errors()) throw CompileError(diagnostics, sources);
  ir::Module module = frontend::lower(typed);
  try {
    ir::run_pipeline(module);
  } catch (const ir::ProgramTooLarge& problem) {
    refuse_large(problem, function, sources);
  }
  ir::find_waiting_loops(module, diagnostics);
  if (diagnostics.has_errors()) throw CompileError(diagnostics, sources);
  return module;
}

std::shared_ptr<CompiledKernel> compile(const frontend::FunctionRef& function,
                                        const std::vector<frontend::ValueType>& arguments,
                                        const CompileOptions& options, const ir::SourceMap& sources,
                                        ir::Diagnostics* warnings) {
  KernelInfo info;
  info.module = compile_to_ir(function, arguments, options, sources, warnings);
  info.name = function.name;
  info.argument_types = arguments;
  info.parameter_names = names_of_parameters(function);
  info.leaf_access = access_of_leaves(info.module, arguments);
  // After inference: a door may have added what the captured functions are linked with.
  info.options = options;
  info.options.cpu = host_target(options).cpu;
  info.sources = sources;
  switch (options.target) {
    case Target::Cpu:
      check_target(info.module, Target::Cpu, sources);
      try {
        return make_cpu_kernel(std::move(info));
      } catch (const ir::ProgramTooLarge& problem) {
        refuse_large(problem, function, sources);
      }
    case Target::Cuda: return make_cuda_kernel(std::move(info));
    case Target::Interpreter: return make_interpreter_kernel(std::move(info));
  }
  throw ir::InternalError("unknown target");
}

codegen::PtxTarget ptx_target(const CompileOptions& options) {
  codegen::PtxTarget target = options.cuda;
  if (target.sm == 0) target.sm = codegen::PtxTarget{}.sm;
  target.ftz |= options.float_mode.fast_math;
  return target;
}

std::string CompiledKernel::report() const {
  return "kernel `" + name + "`: nothing is known of how " +
         (options.target == Target::Cuda ? "the GPU runs it; see its PTX\n" : "the interpreter runs it\n");
}

CompiledKernel::Resources CompiledKernel::resources() {
  throw LaunchError("kernel `" + name +
                    "` is not compiled for CUDA: registers and memory are those of a GPU's code");
}

std::string CompiledKernel::sass_text() const {
  int sm = ptx_target(options).sm;
  return runtime::sass_text(make_cubin(ptx_text(), sm, options.link, options.cuda.max_registers));
}

std::string CompiledKernel::ir_text() const { return ir::print(module); }

std::string CompiledKernel::llvm_text() const {
  switch (options.target) {
    case Target::Cpu: return codegen::host_llvm(module, host_target(*this), true);
    case Target::Cuda: return codegen::ptx_llvm(module, ptx_target(options), true);
    case Target::Interpreter: break;
  }
  throw LaunchError("kernel `" + name + "`: the interpreter makes no LLVM IR; compile for the CPU or CUDA");
}

std::string CompiledKernel::assembly_text() const {
  return codegen::host_assembly(module, host_target(*this));
}

std::string CompiledKernel::cuda_text() const {
  return codegen::emit_cuda(module, ptx_target(options), &sources);
}

std::string CompiledKernel::ptx_text() const {
  return emit_cuda_ptx(module, ptx_target(options), &sources, options.link);
}

}  // namespace lanewise::runtime
