// The hook of prove/runners laid out for a test that runs a trial without the flows.
#pragma once

#include <filesystem>

#include "prove/runners/hook.h"
#include "support/support.h"

namespace cg::test {

/// In a new folder; to be readable in the chamber. Reports go to `reports`.
[[nodiscard]] inline runners::Hook lay_hook(const std::filesystem::path& folder,
                                            const std::string& reports,
                                            const std::string& node = "/usr/bin/node") {
  namespace fs = std::filesystem;
  fs::create_directories(folder);
  const std::string version = run({node, "--print", "process.versions.node"}).out;
  runners::Hook hook{fs::canonical(folder), reports, node, version};
  for (const auto& [name, text] : runners::files_of(hook)) write(folder / name, text);
  fs::permissions(folder / "node", fs::perms(0755));
  return hook;
}

}  // namespace cg::test
