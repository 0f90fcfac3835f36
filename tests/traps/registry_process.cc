#include "traps/registry_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "support/support.h"

namespace cg::test {

RegistryProcess::RegistryProcess(const std::filesystem::path& serve_script,
                                 const std::vector<std::string>& args) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("pipe failed");
  }
  std::vector<std::string> words = {"node", serve_script};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = fork();
  if (child_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  port_ = read_line(out[0]);
  close(out[0]);
  if (port_.empty()) throw std::runtime_error("the registry did not start");
}

RegistryProcess::~RegistryProcess() {
  close(input_);
  waitpid(child_, nullptr, 0);
}

}  // namespace cg::test
