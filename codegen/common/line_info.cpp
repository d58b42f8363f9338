#include "codegen/common/line_info.h"

#include <llvm/IR/Module.h>

namespace lanewise::codegen {

LineInfo::LineInfo(llvm::Module& module, const ir::SourceMap& sources, Kind kind)
    : sources_(sources), builder_(module) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  builder_.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_Python), file(0), "lanewise",
                             true, "", 0, "",
                             kind == Kind::Directives ? llvm::DICompileUnit::DebugDirectivesOnly
                                                      : llvm::DICompileUnit::LineTablesOnly);
}

llvm::DIFile* LineInfo::file(uint32_t id) {
  llvm::DIFile*& known = files_[id];
  if (known) return known;
  std::string name = id < sources_.size() ? sources_.file(id).name : "<unknown>";
  // LLVM writes the name between quotation marks as it is.
  for (char& c : name)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  known = builder_.createFile(name, "");
  return known;
}

llvm::DIScope* LineInfo::scope(uint32_t id) {
  if (id == subprogram_file_) return subprogram_;
  llvm::DIScope*& known = scopes_[id];
  if (!known) known = builder_.createLexicalBlockFile(subprogram_, file(id));
  return known;
}

void LineInfo::start_function(const ir::Function& function, llvm::Function* llvm_function) {
  const std::vector<ir::OpId>& ops = function.regions[function.body].ops;
  ir::SourceRange range = ops.empty() ? ir::SourceRange{} : function.ops[ops.front()].range;
  unsigned line = range.file < sources_.size() ? sources_.position(range).line : 0;
  subprogram_file_ = range.file;
  scopes_.clear();
  llvm::DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  subprogram_ = builder_.createFunction(file(range.file), function.name, llvm_function->getName(),
                                        file(range.file), line, type, line, llvm::DINode::FlagPrototyped,
                                        llvm::DISubprogram::SPFlagDefinition);
  llvm_function->setSubprogram(subprogram_);
}

void LineInfo::set(llvm::IRBuilder<>& builder, const ir::Op& op) {
  if (op.range.file >= sources_.size()) return;
  ir::SourcePosition at = sources_.position(op.range);
  builder.SetCurrentDebugLocation(
      llvm::DILocation::get(builder.getContext(), at.line, at.column, scope(op.range.file)));
}

void LineInfo::finish() { builder_.finalize(); }

}  // namespace lanewise::codegen
