// The token stage's text form: one token a line, `line:column kind text`, for kc --emit tokens and golden
// tests. Layout tokens have no text; long and multi-line ones are shown with escapes.
#include "frontend/frontend.h"

namespace lanewise::frontend {
namespace {

std::string_view kind_name(TokenKind kind) {
  switch (kind) {
    case TokenKind::Name: return "name";
    case TokenKind::Keyword: return "keyword";
    case TokenKind::Int: return "int";
    case TokenKind::Float: return "float";
    case TokenKind::Imaginary: return "imaginary";
    case TokenKind::String: return "string";
    case TokenKind::FString: return "fstring";
    case TokenKind::Operator: return "operator";
    case TokenKind::Newline: return "newline";
    case TokenKind::Indent: return "indent";
    case TokenKind::Dedent: return "dedent";
    case TokenKind::End: return "end";
    case TokenKind::Error: return "error";
  }
  return "";
}

bool has_text(TokenKind kind) {
  return kind != TokenKind::Newline && kind != TokenKind::Indent && kind != TokenKind::Dedent &&
         kind != TokenKind::End;
}

}  // namespace

std::string print_tokens(const std::vector<Token>& tokens, const ir::SourceMap& sources) {
  std::string out;
  // Positions are counted along, since SourceMap::position() reads the file from its start each time.
  uint32_t line = 1, column = 1, at = 0;
  if (!tokens.empty()) line = sources.file(tokens[0].range.file).first_line;
  for (const Token& token : tokens) {
    std::string_view text = sources.file(token.range.file).text;
    for (; at < token.range.begin && at < text.size(); ++at) {
      auto byte = static_cast<unsigned char>(text[at]);
      if (byte == '\n') {
        ++line, column = 1;
      } else if ((byte & 0xC0) != 0x80) {
        ++column;
      }
    }
    out += std::to_string(line) + ":" + std::to_string(column) + " " + std::string(kind_name(token.kind));
    if (has_text(token.kind)) {
      out += ' ';
      for (char c : sources.text(token.range)) {
        if (c == '\n') {
          out += "\\n";
        } else if (c == '\r') {
          out += "\\r";
        } else if (c == '\0') {
          out += "\\0";
        } else {
          out += c;
        }
      }
    }
    out += '\n';
  }
  return out;
}

}  // namespace lanewise::frontend
