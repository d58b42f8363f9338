// The text of a plan, for people: nodes with their levels, what each item does.
#include <sstream>

#include "codegen/host/plan.h"

namespace lanewise::codegen::host {
namespace {

class Printer {
 public:
  Printer(const Plan& plan, const ir::Function& kernel) : plan_(plan), f_(kernel) {}

  std::string run() {
    nodes(plan_.nodes, 0);
    return out_.str();
  }

 private:
  std::ostream& line(int depth) { return out_ << std::string(static_cast<size_t>(depth) * 2, ' '); }
  std::string name(ir::ValueId v) {
    const std::string& given = f_.values[v].name;
    return "%" + std::to_string(v.index) + (given.empty() ? "" : "." + given);
  }
  std::string text(ir::OpId id) {
    const ir::Op& op = f_.ops[id];
    std::string result;
    for (ir::ValueId v : op.results) result += name(v) + " ";
    if (!op.results.empty()) result += "= ";
    result += ir::info(op.kind).text;
    for (ir::ValueId v : op.operands) result += " " + name(plan_.resolve(v));
    return result;
  }
  void exit(const Exit& exit) {
    out_ << " level " << exit.level;
    for (const Copy& copy : exit.copies)
      out_ << ", " << name(copy.to) << " <- " << name(plan_.resolve(copy.from));
  }
  void item(const Item& item, int depth) {
    static constexpr const char* kNames[] = {"op",       "copies",   "split",       "resplit",
                                             "for init", "for turn", "stride turn", "while test",
                                             "exit",     "give",     "take"};
    line(depth) << kNames[static_cast<size_t>(item.kind)] << " ";
    if (item.op.valid()) out_ << text(item.op);
    if (item.arm >= 0) out_ << " runs arm " << item.arm;
    bool meets = item.kind == Item::Kind::Give || item.kind == Item::Kind::Take;
    if (item.kind != Item::Kind::Op && !meets) exit(item.exit);
    out_ << "\n";
  }
  void nodes(const std::vector<Node>& list, int depth) {
    static constexpr const char* kNames[] = {"segment", "uniform", "barrier", "if",   "arms",   "for",
                                             "while",   "scope",   "jump",    "fall", "meeting"};
    for (const Node& node : list) {
      line(depth) << kNames[static_cast<size_t>(node.kind)];
      if (node.op.valid()) out_ << " " << text(node.op);
      if (node.kind == Node::Kind::Segment) {
        out_ << " level " << node.segment.level << (node.segment.check ? " check" : "") << "\n";
        for (const Item& i : node.segment.items) item(i, depth + 1);
        continue;
      }
      if (node.level) out_ << " level " << node.level;
      if (node.kind == Node::Kind::Barrier) out_ << " free " << node.free_level;
      if (node.check) out_ << " check";
      if (node.scan) out_ << " scan";
      if (node.varying_bounds) out_ << " varying";
      if (node.stride) out_ << " strided";
      if (node.reset) out_ << " reset";
      if (node.reset_turn) out_ << " reset_turn";
      out_ << "\n";
      nodes(node.first, depth + 1);
      if (!node.at_end.empty()) line(depth) << "at end\n";
      nodes(node.at_end, depth + 1);
      if (!node.second.empty()) line(depth) << "second\n";
      nodes(node.second, depth + 1);
    }
  }

  const Plan& plan_;
  const ir::Function& f_;
  std::ostringstream out_;
};

}  // namespace

std::string print(const Plan& plan, const ir::Function& kernel) { return Printer(plan, kernel).run(); }

}  // namespace lanewise::codegen::host
