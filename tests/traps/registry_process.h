// A registry for tests as a child process: a script that prints its port and then serves.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace cg::test {

class RegistryProcess {
 public:
  /// Returns when it serves.
  explicit RegistryProcess(const std::filesystem::path& serve_script,
                           const std::vector<std::string>& args = {});
  ~RegistryProcess();
  RegistryProcess(const RegistryProcess&) = delete;
  RegistryProcess& operator=(const RegistryProcess&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + port_; }

 private:
  pid_t child_ = -1;
  int input_ = -1;  // its end is the sign to stop
  std::string port_;
};

}  // namespace cg::test
