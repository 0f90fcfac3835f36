#include "jail/spawn/places.h"

#include <limits.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace cg::spawn {

Result<Places, os::Error> places_of_this_program() {
  std::array<char, PATH_MAX> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0) return fail(os::from_errno(errno, "/proc/self/exe"));
  const std::string program(path.data(), static_cast<std::size_t>(size));
  const std::string own = program.substr(0, program.rfind('/'));
  Places places;
  places.folders = {own, own + "/../libexec/codegenie"};
  return places;
}

}  // namespace cg::spawn
