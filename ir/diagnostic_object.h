// A diagnostic as named values, the same for all who hand them on: CompileError.diagnostics in Python, kc's
// JSON.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/diagnostics.h"

namespace lanewise::ir {

// Object: takes texts, numbers and lists by name, as in `to["id"] = ...`; make_list makes a list of a
// std::vector<Object>.
template <class Object, class MakeList>
Object as_object(const Diagnostic& diagnostic, const SourceMap& sources, MakeList make_list) {
  auto add_place = [&](Object& to, SourceRange range) {
    std::optional<Place> place = sources.place(range);
    if (!place) return;
    to["file"] = place->file;
    to["line"] = place->begin.line;
    to["column"] = place->begin.column;
    to["end_line"] = place->end.line;
    to["end_column"] = place->end.column;
  };
  auto list_of = [&](const std::vector<Label>& labels) {
    std::vector<Object> all;
    for (const Label& label : labels) {
      Object one;
      one["text"] = label.text;
      add_place(one, label.range);
      all.push_back(std::move(one));
    }
    return make_list(std::move(all));
  };
  Object result;
  result["id"] = std::string(info(diagnostic.id).text_id);
  result["severity"] = std::string(to_string(info(diagnostic.id).severity));
  result["message"] = diagnostic.message;
  result["hint"] = diagnostic.hint;
  add_place(result, diagnostic.range);
  result["labels"] = list_of(diagnostic.labels);
  result["call_chain"] = list_of(diagnostic.call_chain);
  result["rendered"] = render(diagnostic, sources);
  return result;
}

}  // namespace lanewise::ir
