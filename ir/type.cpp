// The text of types, as the IR text form and messages about the IR write it.
#include "ir/type.h"

namespace lanewise::ir {

std::string_view to_string(Space space) {
  switch (space) {
    case Space::None: return "";
    case Space::Generic: return "generic";
    case Space::Global: return "global";
    case Space::Shared: return "shared";
    case Space::Local: return "local";
    case Space::Constant: return "const";
  }
  return "?";
}

std::string to_string(Type type) {
  std::string out;
  if (type.is_var()) return out.append("var<").append(to_string(type.value())).append(">");
  if (type.is_pointer()) {
    out.append("ptr<").append(to_string(type.element())).append(", ");
    return out.append(to_string(type.space)).append(">");
  }
  switch (type.kind) {
    case Type::Kind::Void: return "void";
    case Type::Kind::Bool: return "bool";
    case Type::Kind::Int: out = "i"; break;
    case Type::Kind::UInt: out = "u"; break;
    case Type::Kind::Float: out = "f"; break;
    case Type::Kind::BFloat: out = "bf"; break;
  }
  return out.append(std::to_string(type.bits));
}

}  // namespace lanewise::ir
