// A workspace with the real advisories in its index.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json/value.h"
#include "support/support.h"

namespace cg::test {

class RealWorkspace {
 public:
  /// Nothing, and a line that says so, if the data is not beside the project.
  [[nodiscard]] static std::unique_ptr<RealWorkspace> make();

  /// Runs codegenie in this workspace.
  [[nodiscard]] Ran codegenie(std::vector<std::string> arguments) const;
  [[nodiscard]] const std::filesystem::path& data() const { return data_; }
  [[nodiscard]] std::string scratch(const std::string& name) const { return scratch_ / name; }
  /// The folders in repos/.
  [[nodiscard]] std::vector<std::filesystem::path> repositories() const;

 private:
  explicit RealWorkspace(std::filesystem::path data) : data_(std::move(data)) {}
  ScratchDir scratch_;
  std::filesystem::path data_;
};

}  // namespace cg::test
