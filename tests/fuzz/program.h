// Random kernels as trees of text: what the generator makes, what runs, and what the reducer shrinks. A node
// of an expression knows what may stand in its place, so that a smaller program is still a valid one.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/two_ways.h"

namespace lanewise::fuzz {

// What an expression gives. Whatever its width and kind, an Int may stand where an Int stood, and so on. An
// Index lies within its dimension; so does 0. Text is replaced by nothing.
enum class Category : uint8_t { Int, Float, Bool, Index, Text };

// text[0] parts[0] text[1] parts[1] ... text[n]
struct Expr {
  Category category = Category::Text;
  std::vector<std::string> text{""};
  std::vector<Expr> parts;
  bool constant = false;  // to the compiler, too
};
std::string to_string(const Expr& expr);

struct Stmt;
// One line, and the block under it if it ends in a colon.
struct Clause {
  Expr line;
  std::vector<Stmt> body;
  bool optional = false;  // an elif or else that may be left out
};
// One or more clauses that stay together.
struct Stmt {
  std::vector<Clause> clauses;
  bool pinned = false;  // without it the program would not end, or read what nobody wrote
};

struct Function {
  std::string name, header;  // "def d0(p0, p1=3):" with its decorator
  std::vector<Stmt> body;
};

struct ArgumentText {
  std::string name, annotation;
  int ulps = 0;  // by which the elements may differ at the end
};

struct Program {
  uint64_t seed = 0;
  bool divergent = false;          // some threads may miss a barrier: an error, and the same one everywhere
  bool undefined_on_cuda = false;  // names lanes of a warp that do not come
  std::vector<std::string> constants;  // of the module: "K0 = 3"
  std::vector<std::string> types;      // of records: "T0 = np.dtype(...)"
  std::vector<Function> functions;     // device functions
  std::vector<Stmt> body;
  std::vector<ArgumentText> parameters;
  std::vector<test::TestArgument> arguments;  // their types are those of the annotations
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  int64_t dynamic_shared_bytes = 0;
};

// The kernel file.
std::string to_string(const Program& program);
// The launch and what the arguments hold.
std::string launch_text(const Program& program);

Program random_program(uint64_t seed);

// Calls `visit` with every expression, outermost first, and every list of statements.
void each_expr(Program& program, const std::function<void(Expr&)>& visit);
void each_block(Program& program, const std::function<void(std::vector<Stmt>&)>& visit);

}  // namespace lanewise::fuzz
