#include "prove/gate/checks.h"

#include <algorithm>

namespace cg::gate {

namespace {

const std::string* script(const npm::Manifest& manifest, std::string_view name) {
  for (const auto& [key, command] : manifest.scripts) {
    if (key == name) return &command;
  }
  return nullptr;
}

/// What `npm init` writes, in all its quotings.
bool is_placeholder(std::string_view command) {
  return command.find("Error: no test specified") != std::string_view::npos &&
         command.find("exit 1") != std::string_view::npos;
}

bool has(const npm::Graph& lock, std::string_view package) {
  return std::any_of(lock.nodes().begin(), lock.nodes().end(), [&](const npm::Node& node) {
    return node.name == package && !npm::is_importer(node.source);
  });
}

}  // namespace

std::string_view Checks::why_absent(std::string_view signal) const {
  const auto found = std::find_if(absent.begin(), absent.end(),
                                  [&](const Absent& a) { return a.signal == signal; });
  return found == absent.end() ? std::string_view() : std::string_view(found->why);
}

void set_load(Checks& checks, const std::vector<Moved>& moved) {
  std::erase_if(checks.absent, [](const Absent& a) { return a.signal == "load"; });
  checks.load = !moved.empty();
  if (moved.empty()) checks.absent.push_back({"load", "nothing crosses a breaking version"});
}

Checks checks_of(const npm::Manifest& manifest, const npm::Graph& lock,
                 std::optional<std::vector<std::string>> projects) {
  Checks out;
  out.lock = lock.kind();
  out.build = script(manifest, "build") != nullptr;
  if (!out.build) out.absent.push_back({"build", "no build script"});

  const std::string* test = script(manifest, "test");
  if (test == nullptr) {
    out.absent.push_back({"tests", "no test script"});
  } else if (is_placeholder(*test)) {
    out.absent.push_back({"tests", "the test script is npm's default, which tests nothing"});
  } else {
    out.tests = true;
    out.test_script = *test;
  }

  if (!projects) {
    out.absent.push_back({"typecheck.typescript", "no tsconfig.json"});
  } else if (projects->empty()) {
    out.absent.push_back({"typecheck.typescript", "tsconfig.json leads to no files"});
  } else if (!has(lock, "typescript")) {
    out.absent.push_back({"typecheck.typescript", "typescript is not in the lock"});
  } else {
    out.typecheck = true;
    out.projects = *std::move(projects);
  }
  return out;
}

}  // namespace cg::gate
