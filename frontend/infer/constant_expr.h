// Constant expressions outside of any function body: parameters' defaults, annotations.
#pragma once
#include <optional>

#include "frontend/ast.h"
#include "frontend/host_value.h"

namespace lanewise::frontend {

// The value of an expression of literals and names of `environment`; nullopt, and nothing reported, where
// it is more than that.
std::optional<HostValue> evaluate_constant(const Ast& ast, ExprId id, Environment* environment);

}  // namespace lanewise::frontend
