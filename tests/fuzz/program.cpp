// See program.h.
#include "tests/fuzz/program.h"

#include <cstdio>

#include "ir/scalar_ops.h"

namespace lanewise::fuzz {
namespace {

void append(const Expr& expr, std::string& out) {
  for (size_t i = 0; i < expr.text.size(); ++i) {
    out += expr.text[i];
    if (i < expr.parts.size()) append(expr.parts[i], out);
  }
}

void append(const std::vector<Stmt>& block, size_t indent, std::string& out) {
  if (block.empty()) out.append(indent, ' ').append("pass\n");
  for (const Stmt& stmt : block) {
    for (const Clause& clause : stmt.clauses) {
      std::string line = to_string(clause.line);
      out.append(indent, ' ').append(line).append("\n");
      if (line.ends_with(":")) append(clause.body, indent + 4, out);
    }
  }
}

void each_expr(Expr& expr, const std::function<void(Expr&)>& visit) {
  visit(expr);
  for (Expr& part : expr.parts) each_expr(part, visit);
}

void each_block(std::vector<Stmt>& block, const std::function<void(std::vector<Stmt>&)>& visit) {
  visit(block);
  for (Stmt& stmt : block)
    for (Clause& clause : stmt.clauses)
      if (!clause.body.empty()) each_block(clause.body, visit);
}

std::string element_text(const char* at, ir::Type type) {
  ir::Bits bits = ir::load_bits(at, type);
  char text[40];
  if (type.is_float())
    std::snprintf(text, sizeof text, "%.17g", ir::float_value(bits, type));
  else if (type.is_unsigned())
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(bits));
  else
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(bits));
  return text;
}

}  // namespace

std::string to_string(const Expr& expr) {
  std::string out;
  append(expr, out);
  return out;
}

std::string to_string(const Program& program) {
  std::string out = "import math\n\nimport numpy as np\n\nfrom lanewise import gpu\n\n";
  for (const std::string& line : program.constants) out += line + "\n";
  for (const std::string& line : program.types) out += line + "\n";
  for (const Function& function : program.functions) {
    out += "\n\n@gpu.jit(device=True)\n" + function.header + "\n";
    append(function.body, 4, out);
  }
  out += "\n\n@gpu.jit(fma=False)\ndef kernel(";
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    const ArgumentText& parameter = program.parameters[i];
    out += (i > 0 ? ", " : "") + parameter.name + ": " + parameter.annotation;
  }
  out += "):\n";
  append(program.body, 4, out);
  return out;
}

std::string launch_text(const Program& program) {
  auto dims = [](const std::array<int64_t, 3>& d) {
    return "(" + std::to_string(d[0]) + ", " + std::to_string(d[1]) + ", " + std::to_string(d[2]) + ")";
  };
  std::string out = "seed " + std::to_string(program.seed) + ", kernel[" + dims(program.grid) + ", " +
                    dims(program.block) + ", 0, " + std::to_string(program.dynamic_shared_bytes) + "]\n";
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const test::TestArgument& argument = program.arguments[i];
    out += "  " + program.parameters[i].name + ": " + program.parameters[i].annotation + " =";
    if (argument.argument.ndim < 0) {
      uint64_t bits = argument.argument.bits;
      out += " " + element_text(reinterpret_cast<const char*>(&bits), argument.type.scalar) + "\n";
      continue;
    }
    ir::Type element = argument.type.element.scalar;
    for (int d = 0; d < argument.argument.ndim; ++d)
      out += (d ? ", " : " shape ") + std::to_string(argument.argument.shape[static_cast<size_t>(d)]);
    for (int d = 0; d < argument.argument.ndim; ++d)
      out += (d ? ", " : " strides ") + std::to_string(argument.argument.strides[static_cast<size_t>(d)]);
    out += " from byte " + std::to_string(argument.offset) + " of memory";
    constexpr size_t kMost = 64;
    size_t count = argument.bytes.size() / element.element_size();
    for (size_t k = 0; k < count && k < kMost; ++k)
      out += " " + element_text(argument.bytes.data() + k * element.element_size(), element);
    out += count > kMost ? " ...\n" : "\n";
  }
  return out;
}

void each_expr(Program& program, const std::function<void(Expr&)>& visit) {
  each_block(program, [&](std::vector<Stmt>& block) {
    for (Stmt& stmt : block)
      for (Clause& clause : stmt.clauses) each_expr(clause.line, visit);
  });
}

void each_block(Program& program, const std::function<void(std::vector<Stmt>&)>& visit) {
  each_block(program.body, visit);
  for (Function& function : program.functions) each_block(function.body, visit);
}

}  // namespace lanewise::fuzz
