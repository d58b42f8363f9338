#include "ir/ir.h"
namespace lanewise::ir {
bool fold_ranges(Function&) { return false; }
}  // namespace lanewise::ir
