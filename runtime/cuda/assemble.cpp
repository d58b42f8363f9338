// The way from PTX to machine code without a driver: nvJitLink and the toolkit's programs.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "codegen/cuda_toolkit.h"
#include "runtime/cuda/assembler_log.h"
#include "runtime/cuda/device_code.h"

namespace lanewise::runtime {
namespace cuda {
namespace {

using codegen::ToolkitPiece;

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The number before `unit` in the assembler's report: "used 12 registers", "16 bytes spill stores".
int64_t number_before(const std::string& text, const std::string& unit) {
  size_t at = text.find(" " + unit);
  if (at == text.npos) return 0;
  size_t begin = at;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1]))) --begin;
  return begin == at ? 0 : std::strtoll(text.c_str() + begin, nullptr, 10);
}

// Runs the first ptxas that takes the PTX; what it wrote.
std::string assemble(const std::string& file, int sm, const std::string& out,
                     std::vector<std::string> options) {
  std::vector<std::string> assemblers = codegen::find_all(ToolkitPiece::Ptxas);
  if (assemblers.empty()) throw CudaError(codegen::missing_text(ToolkitPiece::Ptxas), 0);
  std::string problems;
  for (const std::string& assembler : assemblers) {
    std::vector<std::string> command = {assembler, "-arch=sm_" + std::to_string(sm), "-o", out, file};
    command.insert(command.end(), options.begin(), options.end());
    ProgramResult result = run_program(command);
    if (result.status == 0) return result.output;
    problems += "\n  " + assembler + ": " + result.output;
  }
  throw CudaError("assembling for sm_" + std::to_string(sm) + " failed" + problems + "  " +
                      explain_assembler_log(contents_of(file), problems),
                  0);
}

std::vector<std::string> assembler_options(int max_registers, bool line_info) {
  std::vector<std::string> options;
  if (max_registers > 0) options.push_back("-maxrregcount=" + std::to_string(max_registers));
  if (line_info) options.push_back("-lineinfo");
  return options;
}

}  // namespace
}  // namespace cuda

std::string make_cubin(const std::string& ptx, int sm, const std::vector<LinkInput>& link, int max_registers,
                       bool line_info) {
  using namespace cuda;
  bool must_link = std::any_of(link.begin(), link.end(), is_binary);
  bool has_linker = !codegen::find(ToolkitPiece::NvJitLink).empty();
  if (must_link || has_linker) return link_cubin(ptx, sm, link, max_registers, line_info);
  if (codegen::find(ToolkitPiece::Ptxas).empty())
    throw CudaError("a cubin is made by nvJitLink or ptxas, and neither is on this machine\n  " +
                        codegen::missing_text(ToolkitPiece::NvJitLink) + "\n  " +
                        codegen::missing_text(ToolkitPiece::Ptxas),
                    0);
  TemporaryFolder folder;
  std::string out = folder.path() + "/kernel.cubin";
  assemble(folder.write("kernel.ptx", ptx), sm, out, assembler_options(max_registers, line_info));
  return contents_of(out);
}

std::string make_fatbin(const std::vector<std::pair<int, std::string>>& cubins,
                        const std::pair<int, std::string>& ptx) {
  using namespace cuda;
  std::string program = codegen::find(ToolkitPiece::Fatbinary);
  if (program.empty()) throw CudaError(codegen::missing_text(ToolkitPiece::Fatbinary), 0);
  TemporaryFolder folder;
  std::string out = folder.path() + "/kernel.fatbin";
  std::vector<std::string> command = {program, "--create=" + out, "-64"};
  for (const auto& [sm, cubin] : cubins) {
    std::string number = std::to_string(sm);
    command.push_back("--image3=kind=elf,sm=" + number + ",file=" + folder.write(number + ".cubin", cubin));
  }
  std::string number = std::to_string(ptx.first);
  command.push_back("--image3=kind=ptx,sm=" + number + ",file=" + folder.write(number + ".ptx", ptx.second));
  ProgramResult result = run_program(command);
  if (result.status != 0) throw CudaError("making a fatbin failed: " + program + ": " + result.output, 0);
  return contents_of(out);
}

AssembledResources measure_ptx(const std::string& ptx, int sm, int max_registers) {
  using namespace cuda;
  TemporaryFolder folder;
  std::vector<std::string> options = assembler_options(max_registers, false);
  options.insert(options.end(), {"-v", "-c"});
  std::string said = assemble(folder.write("kernel.ptx", ptx), sm, folder.path() + "/kernel.o", options);
  size_t entry = std::min(said.find("Compiling entry function"), said.size());
  said.erase(0, entry);
  AssembledResources found;
  found.registers = static_cast<int>(number_before(said, "registers"));
  found.shared_bytes = number_before(said, "bytes smem");
  found.stack_bytes = number_before(said, "bytes stack frame");
  found.spill_stores = number_before(said, "bytes spill stores");
  found.spill_loads = number_before(said, "bytes spill loads");
  found.constant_bytes = number_before(said, "bytes cmem[0]");
  return found;
}

std::string sass_text(const std::string& cubin) {
  using namespace cuda;
  using codegen::ToolkitPiece;
  TemporaryFolder folder;
  std::string file = folder.write("kernel.cubin", cubin), problems;
  auto run = [&](ToolkitPiece piece, const char* option) -> std::optional<std::string> {
    for (const std::string& program : codegen::find_all(piece)) {
      ProgramResult result = run_program({program, option, file});
      if (result.status == 0) return result.output;
      problems += "\n  " + program + ": " + result.output;
    }
    return std::nullopt;
  };
  if (auto text = run(ToolkitPiece::Nvdisasm, "-c")) return *text;
  if (auto text = run(ToolkitPiece::Cuobjdump, "-sass")) return *text;
  throw CudaError("machine code is shown by nvdisasm" +
                      (problems.empty() ? "\n  " + codegen::missing_text(ToolkitPiece::Nvdisasm) : problems),
                  0);
}

}  // namespace lanewise::runtime
