// What tests share: scratch folders, files, child processes, the data folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cg::test {

/// A folder of its own, mode 0700, removed with everything in it at the end.
class ScratchDir {
 public:
  ScratchDir();
  ~ScratchDir();
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string read(const std::filesystem::path& path);
void write(const std::filesystem::path& path, const std::string& bytes);
/// Up to the end of the line; what came so far if whoever writes ends first.
[[nodiscard]] std::string read_line(int fd);

/// The first `from` replaced; throws if there is none.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

struct Ran {
  int exit = -1;  // 128 + signal if it was killed
  std::string out;
  std::string err;
};

/// Runs a program and waits. `env` is added to the environment of the test
/// ("NAME=value"; "NAME" alone removes it); `input` is its standard input.
[[nodiscard]] Ran run(const std::vector<std::string>& argv,
                      const std::vector<std::string>& env = {}, const std::string& input = "");

/// The unpacked test data beside the project ($CG_DATA, set by ./check when the
/// data is there). Tests that read it fail when the variable names a folder that
/// lacks the file, and are skipped when it is not set.
[[nodiscard]] std::optional<std::filesystem::path> data_dir();

// Why a test is skipped.
inline constexpr const char* kNoData = "CG_DATA is not set: the real data is not there";
inline constexpr const char* kNoPackages = "npm could not fetch the packages of this test";
inline constexpr const char* kNoNamespaces = "no network and mount namespace can be had here";

}  // namespace cg::test
