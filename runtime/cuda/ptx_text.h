// PTX as text: taken apart at module level, and put together again. What NVRTC makes of device functions is
// merged into a kernel's PTX in this way, so that the assembler inlines them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::runtime::cuda {

// What stands between two statements of a module's level.
struct PtxItem {
  enum class Kind { Directive, Variable, Function, Prototype, Entry, Other };
  Kind kind = Kind::Other;
  std::string text;  // with comments and its end
  std::string name;  // what it defines or declares, "" of directives
  bool visible = false, external = false, weak = false;
  std::vector<std::string> mentions;  // names in it, its own too
};

struct PtxModule {
  int version = 0;  // 10 * major + minor
  std::string target, address_size;
  std::vector<PtxItem> items;  // without .version, .target and .address_size
};

// Throws std::invalid_argument if the text is no PTX.
PtxModule parse_ptx(std::string_view text);

// One PTX text to merge.
struct PtxUnit {
  std::string name;  // what errors call it
  std::string text;
  bool isolated = false;  // its names are its own: they may be those of other units
};

struct MergedPtx {
  std::string text;
  int version = 0;
  std::vector<std::string> unresolved;  // functions that are called and defined nowhere
};

// Lines around each piece of a unit, the first with the unit's name at its end.
constexpr std::string_view kBeginLinked = "// begin linked code of ", kEndLinked = "// end linked code";

// Puts what `kernel` calls of the units into it: functions and variables that are reached, without linkage,
// renamed where names meet. The PTX version is the highest of all. Throws std::invalid_argument naming the
// units that cannot be merged.
MergedPtx merge_ptx(std::string_view kernel, const std::vector<PtxUnit>& units);

// Of names; registers begin with %.
bool is_name_start(char c);
bool is_name_char(char c);
// Whether a word in a function's body, with what follows it at once, is an instruction and no symbol:
// `add.s64`, `ret`.
bool is_opcode(std::string_view word, char next);

// The numbers that the bytes or words of variable `name` are initialised with, as 32-bit words; nothing if
// there is no such variable.
std::vector<uint32_t> ptx_words(std::string_view text, std::string_view name);

// 10 * major + minor from ".version 6.3"; 0 if there is none.
int ptx_version_of(std::string_view text);

}  // namespace lanewise::runtime::cuda
