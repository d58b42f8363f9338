// See child.h.
#include "tests/fuzz/child.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace lanewise::fuzz {
namespace {

constexpr char kField = '\x1f';

std::string pack(const Verdict& verdict) {
  std::string out = verdict.too_long ? "L" : verdict.failure ? "F" : "G";
  if (verdict.failure)
    out += verdict.failure->kind + kField + std::to_string(verdict.failure->engine) + kField +
           verdict.failure->detail;
  return out;
}

Verdict unpack(const std::string& text) {
  Verdict verdict;
  verdict.too_long = text[0] == 'L';
  if (text[0] != 'F') return verdict;
  size_t first = text.find(kField), second = text.find(kField, first + 1);
  verdict.failure = {text.substr(1, first - 1), text.substr(second + 1),
                     static_cast<unsigned>(std::stoul(text.substr(first + 1)))};
  return verdict;
}

}  // namespace

void write_all(int pipe, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t wrote = write(pipe, text.data() + done, text.size() - done);
    if (wrote <= 0) return;
    done += static_cast<size_t>(wrote);
  }
}

ChildResult in_child(const std::function<void(int pipe)>& work, int seconds) {
  int ends[2];
  if (pipe(ends) != 0) return {"", "no pipe"};
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    work(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  ChildResult result;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  bool late = false;
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd wait{ends[0], POLLIN, 0};
    if (left.count() <= 0 || poll(&wait, 1, static_cast<int>(left.count())) == 0) {
      late = true;
      kill(child, SIGKILL);
      break;
    }
    char buffer[4096];
    ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    result.output.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (late)
    result.ended = "no end after " + std::to_string(seconds) + " s";
  else if (WIFSIGNALED(status))
    result.ended = "crash: signal " + std::to_string(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    result.ended = "exit status " + std::to_string(WEXITSTATUS(status));
  return result;
}

Verdict run_in_child(const Program& program, unsigned engines, int seconds) {
  ChildResult result =
      in_child([&](int pipe) { write_all(pipe, pack(run_program(program, engines))); }, seconds);
  if (!result.ended.empty() || result.output.empty()) {
    Verdict verdict;
    verdict.failure = {result.ended.empty() ? "no answer" : result.ended, "", engines};
    return verdict;
  }
  return unpack(result.output);
}

}  // namespace lanewise::fuzz
