// Programs of the toolkit, run without a shell, and the files they work on.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "runtime/cuda/device_code.h"

extern char** environ;

namespace lanewise::runtime::cuda {

ProgramResult run_program(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw CudaError(std::string("no pipe for ") + command[0] + ": " + strerror(errno), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int problem = posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  ProgramResult result;
  if (problem != 0) {
    close(ends[0]);
    result.output = strerror(problem);
    return result;
  }
  char buffer[4096];
  for (;;) {
    ssize_t count = read(ends[0], buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    result.output.append(buffer, static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "lanewise-XXXXXX").string();
  if (!mkdtemp(name.data())) throw CudaError("no temporary folder: " + name + ": " + strerror(errno), 0);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& contents) const {
  std::string file = path_ + "/" + name;
  std::ofstream out(file, std::ios::binary);
  out << contents;
  out.close();
  if (!out) throw CudaError("cannot write " + file, 0);
  return file;
}

}  // namespace lanewise::runtime::cuda
