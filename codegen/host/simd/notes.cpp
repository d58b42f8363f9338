// What a kernel's report() says of its code.
#include "codegen/host/simd/gang_emitter.h"

namespace lanewise::codegen::host {

void GangEmitter::note(const ir::Op& op, std::string text) {
  if (is_rare_) return;
  for (const HostNote& known : m_.notes)
    if (known.range == op.range && known.text == text) return;
  m_.notes.push_back({op.range, std::move(text)});
}

EmittedKernel GangEmitter::run_noted() {
  EmittedKernel result = run();
  note_summary();
  result.scalar_loops = has_scalar_loops_;
  return result;
}

void GangEmitter::note_summary() {
  std::string text =
      std::to_string(kGang) + " threads at a time, in vectors of " + std::to_string(m_.vector_bits) + " bits";
  if (plan_.segments > 1)
    text += "; " + std::to_string(plan_.segments) + " parts between barriers, " +
            std::to_string(placement_.context_bytes) + " bytes a thread kept from part to part";
  m_.notes.insert(m_.notes.begin(), {{}, text});
}

}  // namespace lanewise::codegen::host
