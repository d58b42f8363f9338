// The exceptions of the API edge that carry more than a message.
#include "runtime/runtime.h"

namespace lanewise::runtime {

CompileError::CompileError(ir::Diagnostics found, const ir::SourceMap& map)
    : std::runtime_error(ir::render(found, map)), diagnostics(std::move(found)), sources(map) {}

RaisedError::RaisedError(Place where, std::string text)
    : KernelError(where.exception + ": " + text), place(std::move(where)), report(std::move(text)) {}

}  // namespace lanewise::runtime
