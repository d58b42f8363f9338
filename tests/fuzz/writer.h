// The generator of random kernels: one Writer makes one program. What it writes is valid by construction:
// every index lies inside, every loop ends, threads write only what is theirs or what atomics make
// independent of the order, and all threads that still run meet at each barrier.
//
// Statements are written in one of two moods. *Together*: all threads that still run are here in the same
// turn of every loop around, so barriers may stand here. *Apart*: under a condition that differs between
// threads.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/program.h"
#include "tests/support/random.h"

namespace lanewise::fuzz {

// A name that can be read. `Name::assign` is what an assignment is wrapped in, "gpu.int32({})", so that the
// type of a variable is the same in every turn of a loop; "" where the name is not assigned to again.
struct Name {
  std::string text;
  Category category;
  std::string assign;
  bool uniform = false;  // the same for all threads of a block
};
// An integer name whose value is known to lie between these.
struct Counter {
  std::string text;
  int64_t low, high;
  bool may_be_unsigned = false;  // then a difference must not be negative
};
// Something with elements. `open` and `close` stand around the indices: "a[t, ", "]".
struct Place {
  std::string open, close = "]";
  std::vector<int64_t> dims;
  ir::Type type;
  bool writable = false;      // by this thread without regard to others
  bool chained = false;       // a[i][j] is fine too
  bool non_negative = false;  // the index is part of a sum
  bool atomic = false;        // in memory that atomics work on
  std::string name;           // of the array or view, if the place is all of it
};
// Elements that many threads change by atomics whose order does not matter, and nobody reads.
struct Sum {
  std::string name;
  int64_t size;
  ir::Type type;
  std::vector<std::string> operations;
};

inline Category category_of(ir::Type type) {
  return type.is_bool() ? Category::Bool : type.is_float() ? Category::Float : Category::Int;
}
std::string spelling(ir::Type type);  // "gpu.float32"

class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed), seed_(seed) {}
  Program run();

 private:
  // What is visible at a point; restored when a block ends.
  struct Scope {
    size_t names, counters, places;
  };
  struct Mood {
    bool together = false;
    bool in_loop = false;
    int depth = 0;
  };
  struct DeviceFunction {
    std::string name;
    std::vector<Category> params;
    size_t least;  // arguments that have no default
    std::vector<Category> results;
  };

  // --- writer_expressions.cpp
  Expr text(std::string words) { return {Category::Text, {std::move(words)}, {}, false}; }
  // "{i} + {i}" with Int expressions for {i}, Float for {f}, Bool for {b}.
  Expr pattern(Category category, std::string_view form, int depth);
  // The same around parts that are already made: "{}".
  Expr around(Category category, std::string_view form, std::vector<Expr> parts);
  Expr expr(Category category, int depth);
  Expr changing(Category category, int depth);  // that is no constant
  Expr number(int depth) { return expr(random_.one_in(3) ? Category::Float : Category::Int, depth); }
  Expr variable(Category category);  // a leaf that is no constant
  Expr leaf(Category category);
  Expr call(const DeviceFunction& function, size_t result, int depth);
  Expr index(int64_t size, bool non_negative, int depth);
  Expr element(const Place& place, int depth);  // its category is that of the type
  Expr uniform(int depth);
  Expr uniform_condition();
  Expr exact_float(ir::Type type);  // small whole numbers, whose sums do not round

  // --- writer_statements.cpp
  std::vector<Stmt> block(Mood mood, int most);
  Stmt statement(Mood mood);
  Stmt line(Expr e) { return {{{std::move(e), {}, false}}, false}; }
  Stmt simple(Mood mood);
  Stmt assign_variable();
  Stmt assign_element();
  Stmt new_name();
  Stmt new_tuple();
  std::string any_order();
  Stmt atomic();
  Stmt inexact();
  Stmt if_statement(Mood mood);
  Stmt guarded(Mood mood);
  Stmt match_statement(Mood mood);
  Stmt for_range(Mood mood);
  Stmt for_sequence(Mood mood);
  Stmt while_loop(Mood mood);
  Stmt accumulate();
  Stmt uneven_loop(Mood mood);
  Stmt warp_operation(Mood mood);
  Stmt exchange();
  Stmt shared_sum();
  Stmt exit(Mood mood);
  void add_else(Stmt& loop, Mood mood);
  Mood inside(Mood mood, bool loop) { return {mood.together, mood.in_loop || loop, mood.depth + 1}; }

  // Under a condition that differs. A loop whose threads meet cannot be left from there.
  Mood apart(Mood mood) { return {false, mood.in_loop && !mood.together, mood.depth}; }

  // --- writer_aggregates.cpp
  Stmt aggregate();
  Stmt array_assignment();
  Stmt reduction();
  Stmt complex_number();
  Stmt whole_complex();
  Stmt nested_tuple();
  Stmt record_copy();
  Stmt check_that_holds();
  Expr array_expr(Category category, const std::vector<int64_t>& dims, const Place* target, int depth);
  Expr array_leaf(Category category, const std::vector<int64_t>& dims, const Place* target);
  void complex_arrays();
  void record_arrays();
  std::string base_of(const std::string& name) const;

  // --- writer_program.cpp
  void launch_shape();
  void scalar_arguments();
  void array_arguments();
  void add_array(const std::string& name, ir::Type type, std::vector<int64_t> shape, bool sum);
  void thread_names();
  void views();
  void local_arrays();
  void shared_arrays();
  void variables();
  void write_results();
  void device_function(size_t number);
  uint64_t random_bits(ir::Type type);

  std::string fresh(const char* stem) { return stem + std::to_string(next_++); }
  Scope scope() const { return {names_.size(), counters_.size(), places_.size()}; }
  void leave(Scope s) {
    names_.resize(s.names);
    counters_.resize(s.counters);
    places_.resize(s.places, Place{"", "]", {}, ir::kI32, false, false, false, false, ""});
  }

  test::Random random_;
  uint64_t seed_;
  Program program_;
  size_t next_ = 0;
  int64_t threads_ = 1, block_threads_ = 1;
  std::vector<Name> names_;
  std::vector<Counter> counters_;
  std::vector<Place> places_;
  std::vector<Sum> sums_;
  std::vector<Place> inexact_;  // written once in a while, never read
  std::vector<DeviceFunction> functions_;
  std::vector<Place> shared_;  // one element a thread
  std::vector<Sum> shared_sums_;
  std::map<std::string, std::string> bases_;  // of views: whose memory they lie in
  std::vector<std::string> records_;          // arrays of records, of kRecords elements
  std::vector<std::string> complex_;          // arrays of five complex numbers
  bool in_function_ = false;
  int nested_turns_ = 1;  // most turns of the loops around, multiplied
};

}  // namespace lanewise::fuzz
