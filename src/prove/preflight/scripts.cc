#include <algorithm>
#include <array>
#include <set>

#include "base/base/text.h"
#include "prove/preflight/parts.h"

namespace cg::preflight {

namespace {

// What locks do not tell: of yarn none, of pnpm only old ones say that a package runs something
// when it is installed. These are known not to work without, or to fetch what they need then.
constexpr std::array<std::string_view, 21> kBuilt = {
    "argon2",   "bcrypt",  "better-sqlite3", "bufferutil", "canvas",    "cpu-features",   "deasync",
    "electron", "fibers",  "grpc",           "iltorb",     "leveldown", "node-sass",      "nodegit",
    "re2",      "robotjs", "sharp",          "sqlite3",    "usb",       "utf-8-validate", "zeromq"};
// Run by an install of the repository itself, in this order.
constexpr std::array<std::string_view, 5> kOwn = {"preinstall", "install", "postinstall",
                                                  "preprepare", "prepare"};
// Set up git or say something; no test needs them.
constexpr std::array<std::string_view, 8> kHarmless = {
    "husky", "simple-git-hooks", "lefthook", "pre-commit", "yorkie",
    "is-ci", "opencollective",   "echo"};

bool locks_tell(const npm::Graph& graph) {
  const npm::LockKind kind = graph.kind();
  return kind == npm::LockKind::package_lock || kind == npm::LockKind::npm_shrinkwrap;
}

bool runs_something(const npm::Graph& graph, const npm::Node& node) {
  if (npm::is_importer(node.source) || node.source == npm::Source::link) return false;
  if (node.flags.install_script) return true;
  return !locks_tell(graph) && std::binary_search(kBuilt.begin(), kBuilt.end(), node.name);
}

/// As YAML takes it: a scope begins with what it keeps for itself.
std::string in_policy(const std::string& name) {
  return name.starts_with('@') ? "\"" + name + "\"" : name;
}

/// Takes the place of the line that is there: so with the packages that policy has already.
std::string scripts_line(const std::set<std::string>& off, const Facts& facts) {
  std::set<std::string> names = off;
  names.insert(facts.run_scripts.begin(), facts.run_scripts.end());
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "" : ", ") + in_policy(printable(name));
  }
  return "let them run, put under gates: in policy/policy.yaml of the workspace:  run_scripts: [" +
         list + "]";
}

bool calls_only_harmless(std::string_view command) {
  for (const std::string_view part : split(command, '&')) {
    const std::string_view one = trim(part);
    if (one.empty()) continue;
    const bool harmless = std::any_of(kHarmless.begin(), kHarmless.end(),
                                      [&](std::string_view word) { return has_word(one, word); });
    if (!harmless && one != "exit 0" && one != "true") return false;
  }
  return true;
}

const std::string* script_of(const npm::Manifest& manifest, std::string_view name) {
  for (const auto& [script, command] : manifest.scripts) {
    if (script == name) return &command;
  }
  return nullptr;
}

/// The gate of that name runs it.
bool is_the_build(const npm::Manifest& manifest, const std::string& command) {
  const std::string* build = script_of(manifest, "build");
  return build != nullptr &&
         (command == *build || command == "npm run build" || command == "yarn build" ||
          command == "yarn run build" || command == "pnpm build" || command == "pnpm run build");
}

}  // namespace

void look_at_install_scripts(const Facts& facts, std::vector<Obstacle>& out) {
  std::set<std::string> off;
  for (const npm::Node& node : facts.graph.nodes()) {
    const std::string name(node.name);
    const bool allowed =
        std::binary_search(facts.run_scripts.begin(), facts.run_scripts.end(), name);
    if (runs_something(facts.graph, node) && !allowed) off.insert(name);
  }
  const std::string line = scripts_line(off, facts);
  std::set<std::string> told;
  for (const npm::Node& node : facts.graph.nodes()) {
    if (!runs_something(facts.graph, node)) continue;
    const std::string where = label(node);
    if (!told.insert(where).second) continue;
    const bool is_off = off.contains(std::string(node.name));
    const auto known = facts.commands.find(where);
    const std::string command = known == facts.commands.end() ? "" : shown(known->second);
    std::string what = is_off ? "would run " : "runs ";
    what += command.empty() ? "something" : "`" + command + "`";
    out.push_back({Kind::install_script, is_off ? Severity::may_fail : Severity::note, "", where,
                   what + " when it is installed" + (is_off ? "" : ", as policy lets it"),
                   is_off ? line : ""});
  }
}

void look_at_own_scripts(const Facts& facts, std::vector<Obstacle>& out) {
  for (const npm::Manifest& manifest : facts.manifests) {
    for (const std::string_view name : kOwn) {
      const std::string* command = script_of(manifest, name);
      if (command == nullptr) continue;
      const bool needless = calls_only_harmless(*command) || is_the_build(manifest, *command);
      out.push_back({Kind::own_script, needless ? Severity::note : Severity::may_fail, "",
                     shown(manifest.path),
                     "its " + std::string(name) + " script, `" + shown(*command) +
                         "`, is not run by the install",
                     needless ? "" : "call it in the test or build script if the tests miss it"});
    }
  }
}

}  // namespace cg::preflight
