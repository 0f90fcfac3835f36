// A shelf that is served, and package managers that see nothing else.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/os/dir.h"
#include "fetch/catalog/catalog.h"
#include "fetch/catalog/installer.h"
#include "support/support.h"

namespace cg::test {

/// codegenie-shelf on a port of its own.
class ShelfProcess {
 public:
  explicit ShelfProcess(const std::string& folder);
  ~ShelfProcess();
  ShelfProcess(const ShelfProcess&) = delete;
  ShelfProcess& operator=(const ShelfProcess&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] pid_t pid() const { return child_; }
  /// Closes its input and waits: how it ended.
  int end();

 private:
  pid_t child_ = -1;
  int input_ = -1;
  std::uint16_t port_ = 0;
};

/// A connection that sends what it is told to.
class Client {
 public:
  explicit Client(std::uint16_t port);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// False if the other side is gone.
  bool send(std::string_view bytes) const;
  /// One answer with its body; what came so far if the connection ends first.
  [[nodiscard]] std::string answer(bool has_body = true);
  /// All of it, up to the end of the connection.
  [[nodiscard]] std::string rest();

 private:
  bool more();
  int fd_ = -1;
  std::string pending_;
};

/// The managers of managers.txt, installed once into the build folder. Throws with what npm
/// said if they cannot be.
[[nodiscard]] const std::filesystem::path& managers();
/// Our node with the manager `name` ("npm9"); "npm11" is that of the machine.
[[nodiscard]] catalog::Tools tools_with(const std::string& name);

/// Runs `command` in `folder` inside a network of its own that has loopback alone and, on
/// port 4873, the shelf in `registry`.
[[nodiscard]] Ran run_apart(const catalog::Command& command, const std::string& folder,
                            const std::string& registry);

/// A catalog of the registry at `url`, through the programs that really fetch.
[[nodiscard]] std::unique_ptr<catalog::Catalog> open_catalog(
    const os::Dir& home, const std::string& url, catalog::Mode mode = catalog::Mode::online);

}  // namespace cg::test
