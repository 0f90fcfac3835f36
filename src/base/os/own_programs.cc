#include "base/os/own_programs.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace cg::os {

Result<std::string, Error> own_folder() {
  std::array<char, PATH_MAX> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0) return fail(from_errno(errno, "/proc/self/exe"));
  const std::string program(path.data(), static_cast<std::size_t>(size));
  return program.substr(0, program.rfind('/'));
}

Result<std::vector<std::string>, Error> program_folders() {
  CG_TRY_ASSIGN(const std::string own, own_folder());
  return std::vector<std::string>{own, own + "/../libexec/codegenie"};
}

Result<std::string, Error> folder_with(std::initializer_list<std::string_view> programs) {
  CG_TRY_ASSIGN(const auto folders, program_folders());
  const auto path = [](const std::string& folder, std::string_view program) {
    return folder + "/" + std::string(program);
  };
  for (const std::string& folder : folders) {
    const bool all = std::all_of(programs.begin(), programs.end(), [&](std::string_view program) {
      return access(path(folder, program).c_str(), X_OK) == 0;
    });
    if (all) return folder;
  }
  return fail(from_errno(ENOENT, path(folders.front(), *std::prev(programs.end()))));
}

}  // namespace cg::os
