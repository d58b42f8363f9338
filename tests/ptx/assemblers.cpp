#include "tests/ptx/assemblers.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace lanewise::test {
namespace {
namespace fs = std::filesystem;

// The output of a command, and its exit status.
std::string run(const std::string& command, int& status) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return "cannot run " + command;
  char buffer[4096];
  while (size_t n = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  status = pclose(pipe);
  return output;
}

std::vector<std::string> candidates() {
  std::vector<std::string> paths;
  if (const char* set = std::getenv("LANEWISE_PTXAS")) {
    std::istringstream list(set);
    for (std::string path; std::getline(list, path, ':');) paths.push_back(path);
  }
  if (const char* home = std::getenv("CUDA_HOME")) paths.push_back(std::string(home) + "/bin/ptxas");
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", error))
    if (entry.path().filename().string().starts_with("cuda"))
      paths.push_back((entry.path() / "bin/ptxas").string());
  fs::path environment = fs::path(LANEWISE_SOURCE_DIR) / ".venv";
  for (const fs::directory_entry& entry : fs::directory_iterator(environment, error))
    if (entry.path().filename().string().starts_with("cuda-"))
      paths.push_back((entry.path() / "nvidia/cuda_nvcc/bin/ptxas").string());
  return paths;
}

}  // namespace

const std::vector<Assembler>& assemblers() {
  static const std::vector<Assembler> found = [] {
    std::map<double, Assembler> by_release;
    for (const std::string& path : candidates()) {
      if (!fs::exists(path)) continue;
      int status = 0;
      std::string text = run("'" + path + "' --version", status);
      size_t at = text.find("release ");
      if (status != 0 || at == text.npos) continue;
      std::string release = text.substr(at + 8, text.find(',', at) - at - 8);
      by_release.try_emplace(std::atof(release.c_str()), Assembler{path, release});
    }
    std::vector<Assembler> list;
    for (auto& [release, assembler] : by_release) list.push_back(assembler);
    return list;
  }();
  return found;
}

std::string assemble(const Assembler& assembler, const std::string& ptx, int sm) {
  std::string name = (fs::temp_directory_path() / "lanewise-ptx-XXXXXX").string();
  int descriptor = mkstemp(name.data());
  if (descriptor < 0) return "no temporary file";
  close(descriptor);
  std::ofstream(name) << ptx;
  int status = 0;
  std::string command = "'" + assembler.path + "' -arch=sm_" + std::to_string(sm) + " -o /dev/null " + name;
  std::string output = run(command, status);
  fs::remove(name);
  return status == 0 ? "" : output.empty() ? "ptxas failed without a word" : output;
}

std::string how_to_get_assemblers() {
  return "tools/setup.sh installs the wheels nvidia-cuda-nvcc-cu12==12.9.* (sm_50 to sm_121) and "
         "nvidia-cuda-nvcc-cu11==11.8.* (sm_35 to sm_90) if LANEWISE_SETUP=test";
}

}  // namespace lanewise::test
