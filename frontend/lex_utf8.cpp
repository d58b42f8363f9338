// UTF-8 and the characters of identifiers. Beyond ASCII the letters of Unicode are told from its symbols by
// the blocks that hold none of XID_Continue; a rare unassigned code point inside a letters' block passes.
#include <algorithm>
#include <iterator>

#include "frontend/lexer.h"

namespace lanewise::frontend {
namespace {

struct CodeRange {
  char32_t first, last;
};

// Sorted ranges of code points from U+0080 on that stand in no identifier.
constexpr CodeRange kNotIdentifier[] = {
    {0x80, 0xA9},       {0xAB, 0xB4},       {0xB6, 0xB6},       {0xB8, 0xB9},       {0xBB, 0xBF},
    {0xD7, 0xD7},       {0xF7, 0xF7},       {0x2C2, 0x2C5},     {0x2D2, 0x2DF},     {0x2E5, 0x2EB},
    {0x37E, 0x37E},     {0x55A, 0x55F},     {0x589, 0x58F},     {0x5BE, 0x5BE},     {0x600, 0x60F},
    {0x61B, 0x61F},     {0x66A, 0x66D},     {0x6D4, 0x6D4},     {0x964, 0x965},     {0xE3F, 0xE3F},
    {0x1680, 0x1680},   {0x2000, 0x203E},   {0x2041, 0x2053},   {0x2055, 0x2070},   {0x2072, 0x207E},
    {0x2080, 0x208F},   {0x20A0, 0x20CF},   {0x2100, 0x2101},   {0x2103, 0x2106},   {0x2108, 0x2109},
    {0x2114, 0x2114},   {0x2116, 0x2117},   {0x211E, 0x2123},   {0x2140, 0x2144},   {0x214A, 0x214D},
    {0x214F, 0x215F},   {0x2189, 0x2BFF},   {0x2CE5, 0x2CEA},   {0x2CF9, 0x2CFF},   {0x2E00, 0x3004},
    {0x3008, 0x3020},   {0x3030, 0x3030},   {0x303D, 0x3040},   {0x30A0, 0x30A0},   {0x30FB, 0x30FB},
    {0x3190, 0x319F},   {0x31C0, 0x31EF},   {0x3200, 0x33FF},   {0x4DC0, 0x4DFF},   {0xA490, 0xA4CF},
    {0xD800, 0xF8FF},   {0xFD3E, 0xFD4F},   {0xFE10, 0xFE1F},   {0xFE30, 0xFE32},   {0xFE35, 0xFE4C},
    {0xFE50, 0xFE6F},   {0xFEFF, 0xFF0F},   {0xFF1A, 0xFF20},   {0xFF3B, 0xFF3E},   {0xFF40, 0xFF40},
    {0xFF5B, 0xFF65},   {0xFFE0, 0xFFFF},   {0x1D000, 0x1D164}, {0x1F000, 0x1FBEF}, {0x1FBFA, 0x1FFFF},
    {0x323B0, 0xE00FF}, {0xE01F0, 0x10FFFF}};

// Code points that may stand in an identifier, but not first: combining marks and digits of common scripts.
constexpr CodeRange kNotFirst[] = {
    {0xB7, 0xB7},       {0x300, 0x36F},    {0x483, 0x487},   {0x591, 0x5C7},   {0x610, 0x61A},
    {0x64B, 0x669},     {0x6F0, 0x6F9},    {0x966, 0x96F},   {0xE50, 0xE59},   {0x203F, 0x2040},
    {0x2054, 0x2054},   {0x20D0, 0x20F0},  {0x302A, 0x302F}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
    {0xFE33, 0xFE34},   {0xFE4D, 0xFE4F},  {0xFF10, 0xFF19}, {0xFF3F, 0xFF3F}, {0x1D7CE, 0x1D7FF},
    {0x1FBF0, 0x1FBF9}, {0xE0100, 0xE01EF}};

// Letters of identifiers that NFKC writes as others: ligatures, letter-like symbols, presentation forms, full
// and half width, mathematical alphabets, superscripts.
constexpr CodeRange kCompatibility[] = {
    {0xAA, 0xAA},     {0xB5, 0xB5},      {0xBA, 0xBA},     {0x132, 0x133},   {0x13F, 0x140},
    {0x149, 0x149},   {0x17F, 0x17F},    {0x1C4, 0x1CC},   {0x1F1, 0x1F3},   {0x2B0, 0x2B8},
    {0x2E0, 0x2E4},   {0x1D2C, 0x1D2E},  {0x1D30, 0x1D3A}, {0x1D3C, 0x1D4D}, {0x1D4F, 0x1D6A},
    {0x2071, 0x2071}, {0x207F, 0x207F},  {0x2090, 0x209C}, {0x2100, 0x2117}, {0x2119, 0x212D},
    {0x212F, 0x2131}, {0x2133, 0x213F},  {0x2145, 0x2149}, {0x2160, 0x217F}, {0xFB00, 0xFB06},
    {0xFB13, 0xFB17}, {0xFB20, 0xFB29},  {0xFB4F, 0xFDFB}, {0xFE70, 0xFEFC}, {0xFF10, 0xFF5A},
    {0xFF66, 0xFFDC}, {0x1D400, 0x1D7FF}};

template <size_t N>
bool contains(const CodeRange (&ranges)[N], char32_t code) {
  const CodeRange* at = std::ranges::lower_bound(ranges, code, {}, &CodeRange::last);
  return at != std::end(ranges) && at->first <= code;
}

}  // namespace

CodePoint decode_utf8(std::string_view text, size_t pos) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  unsigned first = byte(pos);
  if (first < 0x80) return {first, 1};
  uint32_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return {};
  char32_t code = first & (0x7Fu >> length);
  for (uint32_t i = 1; i < length; ++i) {
    if ((byte(pos + i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(pos + i) & 0x3F);
  }
  bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, length};
}

void append_utf8(std::string& out, char32_t code) {
  auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6)), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12)), put(0x80 | ((code >> 6) & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18)), put(0x80 | ((code >> 12) & 0x3F)), put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

size_t find_invalid_utf8(std::string_view text) {
  for (size_t pos = 0; pos < text.size();) {
    if (static_cast<unsigned char>(text[pos]) < 0x80) {
      ++pos;
      continue;
    }
    CodePoint code = decode_utf8(text, pos);
    if (code.length == 1) return pos;
    pos += code.length;
  }
  return text.npos;
}

bool is_identifier_start(char32_t code) {
  if (code < 0x80) return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code == '_';
  return !contains(kNotIdentifier, code) && !contains(kNotFirst, code);
}

size_t find_compatibility_letter(std::string_view name) {
  for (size_t pos = 0; pos < name.size(); pos += decode_utf8(name, pos).length)
    if (contains(kCompatibility, decode_utf8(name, pos).value)) return pos;
  return name.npos;
}

bool is_identifier_part(char32_t code) {
  if (code < 0x80) return is_identifier_start(code) || (code >= '0' && code <= '9');
  return !contains(kNotIdentifier, code);
}

}  // namespace lanewise::frontend
