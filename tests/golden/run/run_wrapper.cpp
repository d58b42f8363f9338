// See run_wrapper.h.
#include "tests/golden/run/run_wrapper.h"

#include "ir/builder.h"

namespace lanewise::run_tests {
namespace {

// The module with an empty function @run in front; calls are moved along.
ir::Module with_room_in_front(const ir::Module& module) {
  ir::Module out = module;
  for (ir::Function& function : out.functions)
    for (ir::Op& op : function.ops)
      if (op.callee.valid()) ++op.callee.index;
  ir::Function run;
  run.name = "run";
  out.functions.insert(out.functions.begin(), std::move(run));
  return out;
}

}  // namespace

std::vector<frontend::ValueType> Wrapped::array_types() const {
  std::vector<frontend::ValueType> out;
  for (ir::Type element : elements)
    out.push_back(frontend::ValueType::array(element, 1, frontend::Layout::C));
  return out;
}

Wrapped wrap(const ir::Module& module, ir::FunctionId function) {
  Wrapped out{with_room_in_front(module), {}, 0};
  ir::FunctionId moved{function.index + 1};
  const ir::Function& callee = out.module[moved];
  ir::Function& run = out.module.entry();
  run.is_kernel = true;
  run.float_mode = callee.float_mode;
  for (ir::ValueId param : callee.params()) out.elements.push_back(callee.type(param).element());
  out.argument_count = out.elements.size();
  out.elements.insert(out.elements.end(), callee.results.begin(), callee.results.end());

  ir::Builder b(out.module, run);
  std::vector<ir::ValueId> arrays, arguments;
  for (size_t i = 0; i < out.elements.size(); ++i) {
    std::string name = "x";
    name += std::to_string(i);
    arrays.push_back(b.param(out.elements[i].pointer(ir::Space::Global), name));
    b.param(ir::kI64, name + ".shape0");
  }
  ir::ValueId first = b.const_int(ir::kI64, 0);
  for (size_t i = 0; i < out.argument_count; ++i) {
    bool is_array = callee.type(callee.params()[i]).is_pointer();
    arguments.push_back(is_array ? arrays[i] : b.emit(ir::OpKind::Load, {arrays[i], first}, out.elements[i]));
  }
  std::vector<ir::ValueId> results = b.call(moved, arguments);
  for (size_t i = 0; i < results.size(); ++i)
    b.emit_void(ir::OpKind::Store, {arrays[out.argument_count + i], first, results[i]});
  b.emit_void(ir::OpKind::Return);
  return out;
}

ir::Module call_on_constants(const ir::Module& module, ir::FunctionId function,
                             const std::vector<ir::Bits>& arguments) {
  ir::Module out = with_room_in_front(module);
  ir::FunctionId moved{function.index + 1};
  const ir::Function& callee = out[moved];
  ir::Function& run = out.entry();
  run.float_mode = callee.float_mode;
  run.results = callee.results;
  ir::Builder b(out, run);
  std::vector<ir::ValueId> constants;
  for (size_t i = 0; i < arguments.size(); ++i) {
    ir::Type type = callee.type(callee.params()[i]);
    constants.push_back(b.constant(type, ir::immediate_of(arguments[i], type)));
  }
  b.emit_void(ir::OpKind::Return, b.call(moved, constants));
  return out;
}

}  // namespace lanewise::run_tests
