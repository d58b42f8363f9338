#include "codegen/common/gpu_module.h"

#include <algorithm>

namespace lanewise::codegen {

bool fits_constant_bank(const ir::Module& module) {
  constexpr size_t kBankBytes = 65536;
  size_t bytes = 0;
  for (const ir::DataArray& array : module.data)
    bytes = (bytes + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment + array.bytes.size();
  return bytes <= kBankBytes;
}

bool has_reports(const ir::Module& module) {
  auto reports = [](const ir::Op& op) { return op.kind == ir::OpKind::Report; };
  return std::any_of(module.functions.begin(), module.functions.end(),
                     [&](const ir::Function& f) { return std::any_of(f.ops.begin(), f.ops.end(), reports); });
}

}  // namespace lanewise::codegen
