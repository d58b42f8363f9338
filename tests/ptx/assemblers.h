// NVIDIA's ptxas, in the releases that can be found on this machine.
#pragma once
#include <string>
#include <vector>

namespace lanewise::test {

struct Assembler {
  std::string path;
  std::string release;  // "12.9"
};

// Looked for in LANEWISE_PTXAS (paths, separated by colons), CUDA_HOME, /usr/local/cuda*, the wheels that
// tools/setup.sh puts into .venv. One of each release, oldest first.
const std::vector<Assembler>& assemblers();

// What ptxas says of the text, "" if it takes it.
std::string assemble(const Assembler& assembler, const std::string& ptx, int sm);

// What to do to get the assemblers that are missing.
std::string how_to_get_assemblers();

}  // namespace lanewise::test
