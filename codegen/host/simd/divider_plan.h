// Which divisions and roots of a kernel's vectors are computed from estimates, or from a reciprocal that is
// known, instead of by the instruction: those of loops that wait for the divider. The results are the same
// to the bit.
#pragma once
#include <vector>

#include "codegen/host/plan.h"
#include "codegen/host/simd/divider_costs.h"
#include "codegen/host/simd/shapes.h"

namespace lanewise::codegen::host {

struct DividerForm {
  bool by_instruction = true;
  DividerOp op = DividerOp::Quotient;  // a root that keeps its reciprocal for quotients is a ReciprocalRoot
  unsigned parts_by_instruction = 0;   // of the gang's vectors: the divider works beside the other ports
};

// By op.
std::vector<DividerForm> plan_divider(const ir::Function& kernel, const Plan& plan, const Tree& tree,
                                      const Shapes& shapes, const DividerCosts& costs);

}  // namespace lanewise::codegen::host
