#include "flow/proving/challenging.h"

#include <algorithm>
#include <vector>

#include "base/os/dir.h"
#include "prove/challenge/challenge.h"

namespace cg::proving {

namespace {

constexpr std::size_t kMaxEntries = 500'000;

/// Files of the tree that may hold tests, and those that may hold types: paths relative to it.
struct Paths {
  std::vector<std::string> tests;
  std::vector<std::string> types;
};

/// By a walk that follows no link, and goes into nothing that was installed.
Paths paths_in(const os::Dir& tree, const gate::Checks& checks) {
  Paths out;
  std::vector<std::string> open = {""};
  std::size_t seen = 0;
  while (!open.empty() && seen < kMaxEntries) {
    const std::string folder = std::move(open.back());
    open.pop_back();
    const auto dir = tree.open_dir(folder.empty() ? "." : folder);
    const auto entries = dir ? dir->entries(kMaxEntries - seen)
                             : Result<std::vector<os::Entry>, os::Error>(fail(dir.error()));
    if (!entries) continue;
    seen += entries->size();
    for (const os::Entry& entry : *entries) {
      std::string path = folder.empty() ? entry.name : folder + "/" + entry.name;
      if (entry.type == os::FileInfo::Type::folder) {
        if (entry.name != "node_modules" && entry.name != ".git") open.push_back(std::move(path));
      } else if (entry.type == os::FileInfo::Type::file) {
        if (checks.typecheck && challenge::may_hold_types(path)) out.types.push_back(path);
        if (checks.tests && challenge::may_hold_tests(path, checks.test_script)) {
          out.tests.push_back(std::move(path));
        }
      }
    }
  }
  std::sort(out.tests.begin(), out.tests.end());
  std::sort(out.types.begin(), out.types.end());
  return out;
}

std::vector<challenge::File> read_all(const os::Dir& tree, const std::vector<std::string>& paths,
                                      std::size_t max) {
  std::vector<challenge::File> out;
  for (const std::string& path : paths) {
    if (out.size() == max) break;
    auto text = tree.read(path, challenge::kMaxFileBytes);
    if (text) out.push_back({path, *std::move(text)});
  }
  return out;
}

}  // namespace

gate::Challenge challenge_of(const std::string& tree, const gate::Checks& checks,
                             std::uint64_t draw) {
  gate::Challenge out;
  const auto folder = os::Dir::open(tree);
  if (!folder) return out;
  const Paths paths = paths_in(*folder, checks);
  out.tests = challenge::wrong_tests(read_all(*folder, paths.tests, challenge::kMaxFiles), draw);
  const auto sources = read_all(*folder, paths.types, challenge::kMaxFiles);
  challenge::WrongTypes types = challenge::wrong_types(sources, draw);
  out.types = std::move(types.files);
  out.type_names = std::move(types.names);
  out.turn = (draw & 1U) == 0 ? gate::Challenge::Turn::first : gate::Challenge::Turn::second;
  return out;
}

}  // namespace cg::proving
