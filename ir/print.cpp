// IR -> text. The grammar is in ir/README.md; parse.cpp reads it back. Robust against modules that the
// verifier refuses, because its messages are printed with this too.
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/ir.h"
#include "ir/literal.h"
#include "ir/memory_order.h"
#include "ir/text.h"

namespace lanewise::ir {
namespace {

constexpr size_t kHexPerLine = 32;  // bytes of a data array on one line

// Unique names of a function's values, in the order in which the text defines them. Names that are unique
// already stay, which makes parse and print inverse.
class ValueNames {
 public:
  explicit ValueNames(const Function& function)
      : function_(function), names_(function.values.size()), region_seen_(function.regions.size()) {
    if (function.body.index < function.regions.size()) region(function.body, 0);
  }

  std::string operator[](ValueId value) const {
    if (value.index >= names_.size()) return "?";
    const std::string& name = names_[value.index];
    return name.empty() ? "?" : name;
  }

 private:
  void region(RegionId id, unsigned depth) {
    if (id.index >= function_.regions.size() || depth > kMaxRegionDepth || region_seen_[id.index]) return;
    region_seen_[id.index] = true;
    for (ValueId value : function_.regions[id].params) define(value);
    for (OpId op_id : function_.regions[id].ops) {
      if (op_id.index >= function_.ops.size()) continue;
      const Op& op = function_.ops[op_id];
      for (ValueId value : op.results) define(value);
      for (RegionId nested : op.regions) region(nested, depth + 1);
    }
  }

  void define(ValueId value) {
    if (value.index >= names_.size() || !names_[value.index].empty()) return;
    std::string hint = function_.values[value].name;
    for (char& c : hint)
      if (!is_name_char(c)) c = '_';
    if (hint.find_first_not_of("0123456789") == hint.npos) {  // none, or an earlier text's number
      names_[value.index] = std::to_string(next_number_++);
      return;
    }
    if (taken_.insert(hint).second) {
      names_[value.index] = std::move(hint);
      return;
    }
    // "acc.3" is followed by "acc.4", not by "acc.3.1".
    size_t stem = hint.find_last_not_of("0123456789");
    if (stem != 0 && stem + 1 < hint.size() && hint[stem] == '.') hint.resize(stem);
    unsigned& next = next_suffix_[hint];
    std::string name;
    do {
      name = hint + "." + std::to_string(++next);
    } while (!taken_.insert(name).second);
    names_[value.index] = std::move(name);
  }

  const Function& function_;
  std::vector<std::string> names_;
  std::vector<bool> region_seen_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, unsigned> next_suffix_;
  unsigned next_number_ = 0;
};

std::string quoted_name(const std::string& name) {
  bool plain = !name.empty();
  for (char c : name) plain = plain && is_name_char(c);
  if (plain) return name;
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// One grammar rule prints every op:
//   op = [results "="] mnemonic ["@" callee] [immediate] [operands] [":" types] [loc] [at] {label [params]
//   region}
class Printer {
 public:
  Printer(const Function& function, const Module& module, PrintOptions options)
      : function_(function), module_(module), options_(options), names_(function) {}

  std::string run() {
    out_ += function_.is_kernel ? "kernel @" : "function @";
    out_ += quoted_name(function_.name);
    if (function_.body.index >= function_.regions.size()) return out_ + "() {}\n";
    params(function_.regions[function_.body]);
    if (!function_.results.empty()) {
      out_ += " -> ";
      list(function_.results, [&](Type type) { out_ += to_string(type); });
    }
    mode(function_.float_mode);
    out_ += " {\n";
    if (options_.locations) sites();
    region_ops(function_.regions[function_.body], 1);
    out_ += "}\n";
    return std::move(out_);
  }

  std::string run_op(OpId id) {
    op_line(function_.ops[id]);
    return std::move(out_);
  }

 private:
  template <class List, class Each>
  void list(const List& items, Each each) {
    std::string_view separator;
    for (const auto& item : items) {
      out_ += separator;
      each(item);
      separator = ", ";
    }
  }
  void name(ValueId value) {
    out_ += '%';
    out_ += names_[value];
  }
  Type type(ValueId value) const {
    return value.index < function_.values.size() ? function_.type(value) : kVoid;
  }

  void params(const Region& region) {
    out_ += '(';
    list(region.params, [&](ValueId value) {
      name(value);
      out_ += ": ";
      out_ += to_string(type(value));
    });
    out_ += ')';
  }

  void location(SourceRange range) {
    out_ += " loc(";
    out_ += std::to_string(range.file);
    out_ += ':';
    out_ += std::to_string(range.begin);
    out_ += ':';
    out_ += std::to_string(range.end);
    out_ += ')';
  }
  void at(uint32_t site) {
    if (site == kNoCallSite) return;
    out_ += " at ";
    out_ += std::to_string(site);
  }
  void mode(FloatMode mode) {
    if (!mode.contract) out_ += " no_contract";
    if (mode.fast_math) out_ += " fast_math";
  }
  void sites() {
    for (size_t i = 0; i < function_.call_sites.size(); ++i) {
      const CallSite& site = function_.call_sites[i];
      out_ += "  site ";
      out_ += std::to_string(i);
      out_ += " @";
      out_ += quoted_name(site.callee);
      location(site.range);
      at(site.parent);
      mode(site.float_mode);
      out_ += '\n';
    }
  }

  void region_ops(const Region& region, unsigned depth) {
    for (OpId id : region.ops) {
      out_.append(2 * static_cast<size_t>(depth), ' ');
      if (id.index >= function_.ops.size()) {
        out_ += "?\n";
        continue;
      }
      const Op& op = function_.ops[id];
      op_line(op);
      if (!op.regions.empty()) nested_regions(op, depth);
      out_ += '\n';
    }
  }

  void nested_regions(const Op& op, unsigned depth) {
    std::string_view labels = info(op.kind).regions;
    for (RegionId id : op.regions) {
      size_t comma = labels.find(',');
      out_ += ' ';
      out_ += labels.empty() ? "?" : labels.substr(0, comma);
      labels = comma == labels.npos ? "" : labels.substr(comma + 1);
      if (id.index >= function_.regions.size() || depth > kMaxRegionDepth) {
        out_ += " ?";
        continue;
      }
      const Region& region = function_.regions[id];
      if (!region.params.empty()) params(region);
      out_ += " {\n";
      region_ops(region, depth + 1);
      out_.append(2 * static_cast<size_t>(depth), ' ');
      out_ += '}';
    }
  }

  void op_line(const Op& op) {
    if (!op.results.empty()) {
      list(op.results, [&](ValueId value) { name(value); });
      out_ += " = ";
    }
    out_ += info(op.kind).text;
    if (op.kind == OpKind::Call) {
      out_ += " @";
      out_ += op.callee.index < module_.functions.size() ? quoted_name(module_[op.callee].name) : "?";
    }
    immediate(op);
    if (!op.operands.empty()) {
      out_ += ' ';
      list(op.operands, [&](ValueId value) { name(value); });
    }
    if (!op.results.empty()) {
      out_ += " : ";
      list(op.results, [&](ValueId value) { out_ += to_string(type(value)); });
    }
    if (options_.locations) {
      location(op.range);
      at(op.call_site);
    }
  }

  void ordering(const Op& op) {
    const auto* packed = std::get_if<int64_t>(&op.immediate);
    if (!packed) return;
    bool known = *packed >= 0 && *packed < kOrderings;
    Ordering order = known ? ordering_of(op) : Ordering{};
    out_ += known ? " " + std::string(kOrderNames[static_cast<size_t>(order.order)]) + "." +
                        std::string(kScopeNames[static_cast<size_t>(order.scope)])
                  : " ?";
  }

  void immediate(const Op& op) {
    if (has_order(op.kind)) return ordering(op);
    Type result = op.results.size() == 1 ? type(op.results[0]) : kVoid;
    if (auto* integer = std::get_if<int64_t>(&op.immediate)) {
      out_ += ' ';
      if (result.is_bool() && (*integer == 0 || *integer == 1))
        out_ += *integer ? "true" : "false";
      else
        out_ += result == kU64 ? std::to_string(static_cast<uint64_t>(*integer)) : std::to_string(*integer);
    } else if (auto* number = std::get_if<double>(&op.immediate)) {
      out_ += ' ';
      out_ += shortest_decimal(*number, result);
    }
  }

  const Function& function_;
  const Module& module_;
  PrintOptions options_;
  ValueNames names_;
  std::string out_;
};

void print_data(const Module& module, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  for (size_t i = 0; i < module.data.size(); ++i) {
    const DataArray& array = module.data[i];
    out += "data " + std::to_string(i);
    if (!array.name.empty()) out += " @" + quoted_name(array.name);
    out += " : " + to_string(array.element) + " {";
    size_t size = array.element.element_size() == 0 ? 1 : array.element.element_size();
    for (size_t byte = 0; byte < array.bytes.size(); ++byte) {
      if (byte % kHexPerLine == 0)
        out += "\n  ";
      else if (byte % size == 0)
        out += ' ';
      auto value = static_cast<unsigned char>(array.bytes[byte]);
      out += kHex[value >> 4];
      out += kHex[value & 15];
    }
    out += array.bytes.empty() ? "}\n\n" : "\n}\n\n";
  }
}

void print_messages(const Module& module, std::string& out) {
  for (size_t i = 0; i < module.messages.size(); ++i) {
    const Message& message = module.messages[i];
    out += "message " + std::to_string(i);
    if (!message.exception.empty()) out += " @" + quoted_name(message.exception);
    out += " : " + quoted_name(message.format) + "\n";
  }
  if (!module.messages.empty()) out += "\n";
}

void print_externals(const Module& module, std::string& out) {
  for (size_t i = 0; i < module.externals.size(); ++i) {
    const ExternalFunction& external = module.externals[i];
    out += "external " + std::to_string(i) + " @" + quoted_name(external.symbol) + " line " +
           std::to_string(external.first_line);
    auto text = [&](std::string_view label, const std::string& value) {
      if (!value.empty()) out += "\n  " + std::string(label) + " " + quoted_name(value);
    };
    text("file", external.file);
    text("source", external.source);
    text("bridge", external.bridge);
    for (const std::string& option : external.options) text("option", option);
    for (uint32_t operand : external.read_only) out += "\n  read_only " + std::to_string(operand);
    out += "\n\n";
  }
}

void print_ptx(const Module& module, std::string& out) {
  for (size_t i = 0; i < module.ptx.size(); ++i) {
    const PtxText& ptx = module.ptx[i];
    out += "ptx " + std::to_string(i);
    if (ptx.pure) out += " pure";
    if (ptx.version) out += " version " + std::to_string(ptx.version);
    if (ptx.sm) out += " sm " + std::to_string(ptx.sm);
    out += " : " + quoted_name(ptx.text) + "\n";
  }
  if (!module.ptx.empty()) out += "\n";
}

}  // namespace

std::string print(const Function& function, const Module& module, const PrintOptions& options) {
  return Printer(function, module, options).run();
}

std::string print(const Module& module, const PrintOptions& options) {
  std::string out;
  print_data(module, out);
  print_messages(module, out);
  print_externals(module, out);
  print_ptx(module, out);
  for (size_t i = 0; i < module.functions.size(); ++i) {
    if (i > 0) out += '\n';
    out += print(module.functions[i], module, options);
  }
  return out;
}

std::string print_op(const Function& function, const Module& module, OpId op) {
  return Printer(function, module, {}).run_op(op);
}

}  // namespace lanewise::ir
