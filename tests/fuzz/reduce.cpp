// Shrinks a program that fails: leaves out statements, puts blocks in the place of what stands around them,
// operands or constants in the place of expressions, makes the launch and the arguments small. What is left
// is as valid as the original, since only what may stand at a place is put there (program.h).
#include <algorithm>
#include <cstring>

#include "tests/fuzz/child.h"

namespace lanewise::fuzz {
namespace {

class Reducer {
 public:
  Reducer(Program program, const Failure& failure, std::chrono::seconds limit)
      : program_(std::move(program)), failure_(failure), end_(std::chrono::steady_clock::now() + limit) {
    // Front end failures need no engine.
    engines_ = failure.engine;
  }

  Program run() {
    for (bool changed = true; changed && !late();) {
      changed = false;
      changed |= drop_statements();
      changed |= open_statements();
      changed |= drop_clauses();
      changed |= shrink_expressions();
      changed |= shrink_launch();
      changed |= shrink_memory();
      changed |= drop_names();
      changed |= drop_declarations();
    }
    return std::move(program_);
  }

 private:
  bool late() const { return std::chrono::steady_clock::now() > end_; }

  // Keeps the candidate if it fails in the same way.
  bool accept(Program candidate) {
    Verdict verdict = run_in_child(candidate, engines_, 10);
    bool same = verdict.failure && verdict.failure->kind == failure_.kind;
    if (same) program_ = std::move(candidate);
    return same;
  }

  size_t block_count() {
    size_t count = 0;
    each_block(program_, [&](std::vector<Stmt>&) { ++count; });
    return count;
  }
  static std::vector<Stmt>* block_at(Program& program, size_t index) {
    std::vector<Stmt>* found = nullptr;
    size_t at = 0;
    each_block(program, [&](std::vector<Stmt>& block) {
      if (at++ == index) found = &block;
    });
    return found;
  }

  // Runs of 8, 4, 2, 1 statements of each block.
  bool drop_statements() {
    bool changed = false;
    for (size_t b = 0; b < block_count() && !late(); ++b) {
      for (size_t many : {8, 4, 2, 1}) {
        for (size_t s = block_at(program_, b)->size(); s-- > 0 && !late();) {
          Program candidate = program_;
          std::vector<Stmt>& block = *block_at(candidate, b);
          if (s >= block.size() || (many > 1 && s + 1 < many)) continue;
          auto last = block.begin() + static_cast<ptrdiff_t>(s) + 1;
          auto kept = std::remove_if(last - static_cast<ptrdiff_t>(many), last,
                                     [](const Stmt& stmt) { return !stmt.pinned; });
          if (kept == last) continue;
          block.erase(kept, last);
          changed |= accept(std::move(candidate));
          if (b >= block_count()) return changed;
        }
      }
    }
    return changed;
  }

  // `if c: a` becomes `a`.
  bool open_statements() {
    bool changed = false;
    for (size_t b = 0; b < block_count() && !late(); ++b) {
      for (size_t s = 0; b < block_count() && s < block_at(program_, b)->size() && !late(); ++s) {
        for (size_t c = 0; c < (*block_at(program_, b))[s].clauses.size(); ++c) {
          Program candidate = program_;
          std::vector<Stmt>& block = *block_at(candidate, b);
          if (block[s].pinned || block[s].clauses[c].body.empty()) continue;
          std::vector<Stmt> body = std::move(block[s].clauses[c].body);
          block.erase(block.begin() + static_cast<ptrdiff_t>(s));
          block.insert(block.begin() + static_cast<ptrdiff_t>(s), body.begin(), body.end());
          if (!accept(std::move(candidate))) continue;
          changed = true;
          break;
        }
      }
    }
    return changed;
  }

  bool drop_clauses() {
    bool changed = false;
    for (size_t b = 0; b < block_count() && !late(); ++b) {
      for (size_t s = 0; s < block_at(program_, b)->size(); ++s) {
        for (size_t c = (*block_at(program_, b))[s].clauses.size(); c-- > 0;) {
          Program candidate = program_;
          Stmt& stmt = (*block_at(candidate, b))[s];
          if (!stmt.clauses[c].optional) continue;
          stmt.clauses.erase(stmt.clauses.begin() + static_cast<ptrdiff_t>(c));
          changed |= accept(std::move(candidate));
        }
      }
    }
    return changed;
  }

  static Expr* expr_at(Program& program, size_t index) {
    Expr* found = nullptr;
    size_t at = 0;
    each_expr(program, [&](Expr& expr) {
      if (at++ == index) found = &expr;
    });
    return found;
  }
  // What may stand in the place of an expression, smallest first.
  static std::vector<Expr> substitutes(const Expr& expr) {
    std::vector<Expr> out;
    auto add = [&](const char* text) { out.push_back({expr.category, {text}, {}, true}); };
    if (expr.category == Category::Text) return out;
    if (expr.parts.empty() && (expr.text[0].size() == 1 || expr.constant)) return out;
    switch (expr.category) {
      case Category::Int: add("1"), add("0"), add("n"), add("t"); break;
      case Category::Float: add("1.0"), add("0.5"), add("w"); break;
      case Category::Bool: add("True"), add("False"); break;
      case Category::Index: add("0"); break;
      case Category::Text: break;
    }
    add_operands(expr, expr.category, out);
    return out;
  }
  static void add_operands(const Expr& expr, Category category, std::vector<Expr>& out) {
    for (const Expr& part : expr.parts) {
      if (part.category == category)
        out.push_back(part);
      else
        add_operands(part, category, out);
    }
  }

  bool shrink_expressions() {
    bool changed = false;
    for (size_t e = 0; !late(); ++e) {
      Expr* expr = expr_at(program_, e);
      if (!expr) break;
      for (Expr& smaller : substitutes(*expr)) {
        Program candidate = program_;
        *expr_at(candidate, e) = std::move(smaller);
        if (accept(std::move(candidate))) {
          changed = true;
          break;
        }
      }
    }
    return changed;
  }

  bool shrink_launch() {
    bool changed = false;
    for (size_t axis = 0; axis < 6; ++axis) {
      for (int64_t to : {int64_t{1}, int64_t{2}, int64_t{4}}) {
        Program candidate = program_;
        int64_t& extent = axis < 3 ? candidate.grid[axis] : candidate.block[axis - 3];
        if (extent <= to || late()) continue;
        extent = to;
        if (accept(std::move(candidate))) {
          changed = true;
          break;
        }
      }
    }
    return changed;
  }

  bool shrink_memory() {
    bool changed = false;
    for (size_t a = 0; a < program_.arguments.size() && !late(); ++a) {
      Program candidate = program_;
      test::TestArgument& argument = candidate.arguments[a];
      if (argument.argument.ndim < 0) {
        if (argument.argument.bits == 0) continue;
        argument.argument.bits = 0;
      } else {
        if (std::count(argument.bytes.begin(), argument.bytes.end(), 0) ==
            static_cast<ptrdiff_t>(argument.bytes.size()))
          continue;
        std::fill(argument.bytes.begin(), argument.bytes.end(), char{0});
      }
      changed |= accept(std::move(candidate));
    }
    return changed;
  }

  // Functions, constants and parameters that nothing mentions.
  bool drop_names() {
    bool changed = false;
    for (size_t f = program_.functions.size(); f-- > 0;) {
      Program candidate = program_;
      candidate.functions.erase(candidate.functions.begin() + static_cast<ptrdiff_t>(f));
      changed |= accept(std::move(candidate));
    }
    for (size_t c = program_.constants.size(); c-- > 0;) {
      Program candidate = program_;
      candidate.constants.erase(candidate.constants.begin() + static_cast<ptrdiff_t>(c));
      changed |= accept(std::move(candidate));
    }
    for (size_t c = program_.types.size(); c-- > 0;) {
      Program candidate = program_;
      candidate.types.erase(candidate.types.begin() + static_cast<ptrdiff_t>(c));
      changed |= accept(std::move(candidate));
    }
    for (size_t p = program_.parameters.size(); p-- > 0 && !late();) {
      Program candidate = program_;
      candidate.parameters.erase(candidate.parameters.begin() + static_cast<ptrdiff_t>(p));
      candidate.arguments.erase(candidate.arguments.begin() + static_cast<ptrdiff_t>(p));
      changed |= accept(std::move(candidate));
    }
    return changed;
  }

  // Pinned statements, such as arrays with what fills them, whose names are gone.
  bool drop_declarations() {
    bool changed = false;
    for (size_t b = 0; b < block_count() && !late(); ++b) {
      for (size_t s = block_at(program_, b)->size(); s-- > 0;) {
        Program candidate = program_;
        std::vector<Stmt>& block = *block_at(candidate, b);
        if (!block[s].pinned) continue;
        std::string line = to_string(block[s].clauses[0].line), name = line.substr(0, line.find(' '));
        if (line.find(" = ") == line.npos || name.find_first_of(".[") != name.npos) continue;
        block.erase(block.begin() + static_cast<ptrdiff_t>(s));
        if (!mentions(to_string(candidate), name)) changed |= accept(std::move(candidate));
      }
    }
    return changed;
  }
  static bool mentions(const std::string& text, const std::string& name) {
    auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (size_t at = 0; (at = text.find(name, at)) != text.npos; at += name.size())
      if (!in_word(text[at - 1]) && !in_word(text[at + name.size()])) return true;
    return false;
  }

  Program program_;
  Failure failure_;
  unsigned engines_ = 0;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace

Program reduce(const Program& program, const Failure& failure, std::chrono::seconds limit) {
  return Reducer(program, failure, limit).run();
}

}  // namespace lanewise::fuzz
