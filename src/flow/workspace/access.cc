#include "flow/workspace/access.h"

#include "base/base/text.h"

namespace cg::workspace {

Result<audit::Log, Problem> open_log(const Access& access, os::Clock& clock) {
  return audit::Log::open(access.workspace.home, access.place(), clock);
}

Result<audit::LogReport, Problem> verify_log(const Access& access,
                                             const std::function<void(std::uint64_t)>& at) {
  return audit::verify(access.workspace.home, access.verify_options(), at);
}

Result<std::string, Problem> read_user_file(const std::string& path, std::size_t max) {
  const std::size_t slash = path.rfind('/');
  const auto problem = [&](const os::Error& e) {
    return bad_value("cannot read " + printable(path) + ": " + os::describe(e), "check the path");
  };
  const auto dir =
      os::Dir::open_for_lookup(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  if (!dir) return fail(problem(dir.error()));
  auto bytes = dir->read(slash == std::string::npos ? path : path.substr(slash + 1), max);
  if (!bytes) return fail(problem(bytes.error()));
  return *std::move(bytes);
}

}  // namespace cg::workspace
