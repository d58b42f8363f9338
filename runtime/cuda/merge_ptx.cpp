// merge_ptx(): a kernel's PTX and that of the device functions it calls become one text.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "runtime/cuda/ptx_text.h"

namespace lanewise::runtime::cuda {
namespace {

using Kind = PtxItem::Kind;

bool is_definition(const PtxItem& item) {
  bool variable = item.kind == Kind::Variable && !item.external;
  return variable || item.kind == Kind::Function;
}

// What the driver and the assembler define themselves.
bool is_system_function(const std::string& name) {
  static const std::set<std::string> kNames = {"vprintf", "malloc", "free", "__assertfail", "__assert_fail"};
  return kNames.contains(name) || name.starts_with("cuda") || name.starts_with("__cuda");
}

// With other names for some; names inside other words, directives and registers are left alone.
std::string renamed(const std::string& text, const std::map<std::string, std::string>& names) {
  if (names.empty()) return text;
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '%' || text[i] == '.' || std::isdigit(static_cast<unsigned char>(text[i]))) {
      do out += text[i++];
      while (i < text.size() && is_name_char(text[i]));
    } else if (is_name_start(text[i])) {
      size_t begin = i;
      while (i < text.size() && is_name_char(text[i])) ++i;
      std::string word = text.substr(begin, i - begin);
      if (is_opcode(word, i < text.size() ? text[i] : ' ')) {
        out += word;
        continue;
      }
      auto found = names.find(word);
      out += found == names.end() ? word : found->second;
    } else {
      out += text[i++];
    }
  }
  return out;
}

// Without the linkage: seen in this module only, so that the assembler may inline it.
std::string without_linkage(std::string text) {
  for (const char* word : {".visible", ".weak", ".common", ".extern"})
    if (size_t at = text.find(word); at != text.npos && at < std::min(text.find('{'), text.find('(')))
      text.erase(at, std::string(word).size() + (text[at + std::string(word).size()] == ' '));
  return text;
}

// Without the lines of its source: they count the unit's files.
std::string without_lines(const std::string& text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    size_t first = std::min(text.find_first_not_of(" \t", begin), end);
    if (text.compare(first, 5, ".loc\t") != 0 && text.compare(first, 5, ".loc ") != 0)
      out.append(text, begin, end - begin);
    begin = end;
  }
  return out;
}

// What explain_assembler_log() finds.
std::string marked(const std::string& text, std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return std::string(kBeginLinked) + name + "\n" + text + "\n" + std::string(kEndLinked) + "\n";
}

std::string prototype_of(const std::string& function) {
  std::string head = function.substr(0, function.find('{'));
  while (!head.empty() && std::isspace(static_cast<unsigned char>(head.back()))) head.pop_back();
  return head + ";\n";
}

class Merger {
 public:
  Merger(std::string_view kernel, const std::vector<PtxUnit>& units) : kernel_(parse_ptx(kernel)) {
    for (const PtxUnit& unit : units) {
      try {
        units_.push_back({&unit, parse_ptx(unit.text), {}, {}});
      } catch (const std::invalid_argument& problem) {
        throw std::invalid_argument(unit.name + ": " + problem.what());
      }
      Unit& made = units_.back();
      for (size_t i = 0; i < made.module.items.size(); ++i)
        if (is_definition(made.module.items[i])) made.defined.emplace(made.module.items[i].name, i);
    }
  }

  MergedPtx run() {
    share_names();
    MergedPtx out;
    std::set<std::string> taken, resolved;
    for (const PtxItem& item : kernel_.items) taken.insert(item.mentions.begin(), item.mentions.end());
    for (const PtxItem& item : kernel_.items)
      if (item.kind == Kind::Prototype && item.external) taken.erase(item.name);
    for (const PtxItem& item : kernel_.items) {
      if (item.kind != Kind::Prototype || !item.external) continue;
      if (auto found = definition(item.name, nullptr)) {
        reach(*found);
        resolved.insert(item.name);
      } else if (!is_system_function(item.name)) {
        out.unresolved.push_back(item.name);
      }
    }
    choose_names(taken, resolved);
    for (const Place& place : missing_) add_once(out.unresolved, place.name);
    out.version = kernel_.version;
    for (const Unit& unit : units_)
      if (!unit.reached.empty()) out.version = std::max(out.version, unit.module.version);
    out.text = text(out.version, resolved);
    return out;
  }

 private:
  struct Unit {
    const PtxUnit* given;
    PtxModule module;
    std::map<std::string, size_t> defined;  // by name
    std::set<size_t> reached;               // items to take over, their prototypes too
    std::map<std::string, std::string> names{};
  };
  struct Place {
    Unit* unit;
    size_t item;
    std::string name;
  };

  static void add_once(std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  }

  // Names of units that are linked are seen by all; two definitions of one are an error, as for any linker.
  void share_names() {
    for (Unit& unit : units_) {
      if (unit.given->isolated) continue;
      for (const auto& [name, index] : unit.defined) {
        const PtxItem& item = unit.module.items[index];
        if (!item.visible && !item.weak) continue;
        auto [found, is_new] = shared_.emplace(name, Place{&unit, index, name});
        if (is_new || item.weak) continue;
        const Place& other = found->second;
        if (other.unit->module.items[other.item].weak)
          found->second = {&unit, index, name};
        else
          throw std::invalid_argument("`" + name + "` is defined in " + other.unit->given->name + " and in " +
                                      unit.given->name);
      }
    }
  }

  // What `name` means in a unit, or in the kernel's own text if that is null.
  std::optional<Place> definition(const std::string& name, Unit* from) {
    if (from)
      if (auto own = from->defined.find(name); own != from->defined.end())
        return Place{from, own->second, name};
    if (!from)
      for (Unit& unit : units_)
        if (auto own = unit.defined.find(name); unit.given->isolated && own != unit.defined.end())
          return Place{&unit, own->second, name};
    if (auto found = shared_.find(name); found != shared_.end()) return found->second;
    return std::nullopt;
  }

  // Takes over an item and all that it mentions.
  void reach(const Place& first) {
    std::vector<Place> work = {first};
    while (!work.empty()) {
      Place place = work.back();
      work.pop_back();
      if (!place.unit->reached.insert(place.item).second) continue;
      for (const std::string& name : place.unit->module.items[place.item].mentions) {
        if (auto found = definition(name, place.unit)) {
          work.push_back(*found);
          continue;
        }
        // A declaration of something outside: printf, dynamic shared memory, what is linked later.
        for (size_t i = 0; i < place.unit->module.items.size(); ++i) {
          const PtxItem& item = place.unit->module.items[i];
          if (item.name != name || !item.external) continue;
          place.unit->reached.insert(i);
          if (item.kind == Kind::Prototype && !is_system_function(name))
            missing_.push_back({place.unit, i, name});
        }
      }
    }
  }

  // The kernel calls its functions by the names it knows; other names make way.
  void choose_names(std::set<std::string>& taken, const std::set<std::string>& resolved) {
    std::map<const PtxItem*, std::string> final;
    auto choose = [&](Unit& unit, size_t index, bool called) {
      const PtxItem& item = unit.module.items[index];
      if (!is_definition(item) || final.contains(&item)) return;
      std::string name = item.name;
      for (int n = 1; !called && (taken.contains(name) || resolved.contains(name)); ++n)
        name = item.name + "$" + std::to_string(n);
      taken.insert(name);
      final[&item] = name;
    };
    for (const std::string& name : resolved)
      if (auto found = definition(name, nullptr)) choose(*found->unit, found->item, true);
    for (Unit& unit : units_)
      for (size_t index : unit.reached) choose(unit, index, false);
    for (Unit& unit : units_) {
      for (size_t index : unit.reached) {
        for (const std::string& mentioned : unit.module.items[index].mentions) {
          auto found = definition(mentioned, &unit);
          if (!found) continue;
          auto known = final.find(&found->unit->module.items[found->item]);
          if (known != final.end() && known->second != mentioned) unit.names[mentioned] = known->second;
        }
      }
    }
  }

  std::string text(int version, const std::set<std::string>& resolved) const {
    std::string out = ".version " + std::to_string(version / 10) + "." + std::to_string(version % 10) +
                      "\n.target " + kernel_.target + "\n.address_size " +
                      (kernel_.address_size.empty() ? "64" : kernel_.address_size) + "\n\n";
    std::string prototypes, variables, functions;
    std::set<std::string> declared;
    for (const Unit& unit : units_) {
      for (size_t index : unit.reached) {
        const PtxItem& item = unit.module.items[index];
        if (item.external) {
          if (definition(item.name) || !declared.insert(item.name).second) continue;
          (item.kind == Kind::Prototype ? prototypes : variables) += item.text + "\n";
          continue;
        }
        std::string renamed_text = renamed(without_linkage(item.text), unit.names);
        if (item.kind == Kind::Function) {
          prototypes += prototype_of(renamed_text);
          functions += marked(without_lines(renamed_text), unit.given->name) + "\n";
        } else if (item.kind == Kind::Variable) {
          variables += marked(renamed_text, unit.given->name);
        }
      }
    }
    std::string body;
    for (const PtxItem& item : kernel_.items) {
      if (item.kind == Kind::Prototype && item.external &&
          (resolved.contains(item.name) || !declared.insert(item.name).second))
        continue;
      body += item.text + "\n" + (item.kind == Kind::Directive || item.kind == Kind::Variable ? "" : "\n");
    }
    return out + prototypes + variables + "\n" + functions + body;
  }

  // Whether a name that a unit declares is defined by another.
  bool definition(const std::string& name) const { return shared_.contains(name); }

  PtxModule kernel_;
  std::vector<Unit> units_;
  std::map<std::string, Place> shared_;
  std::vector<Place> missing_;
};

}  // namespace

MergedPtx merge_ptx(std::string_view kernel, const std::vector<PtxUnit>& units) {
  return Merger(kernel, units).run();
}

}  // namespace lanewise::runtime::cuda
