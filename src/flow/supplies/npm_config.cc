#include "flow/supplies/npm_config.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <memory>

#include "base/base/text.h"
#include "base/os/dir.h"
#include "base/yaml/yaml.h"
#include "flow/workspace/access.h"

namespace cg::supplies {

namespace {

constexpr const char* kPolicyFile = "policy/registry.yaml";
constexpr std::string_view kSchema = "codegenie/registry/v1";
constexpr std::size_t kMaxPolicy = 16U << 10U;
constexpr std::size_t kMaxDefinitions = 1U << 20U;
constexpr std::size_t kDefinitionLength = 600;

Problem bad_policy(const std::string& path, const std::string& what) {
  return {ErrorCode::config_bad,
          "bad policy of the registry",
          {{"file", path}, {"found", what}},
          "nothing was done",
          {"schema: " + std::string(kSchema)}};
}

Problem bad_npmrc(const std::string& path, const std::string& what) {
  return {ErrorCode::registry_config,
          "npm's configuration cannot be used",
          {{"file", path}, {"found", what}},
          "nothing was fetched",
          {}};
}

/// The file with all symbolic links followed; empty if it is not there.
std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real == nullptr ? std::string() : std::string(real.get());
}

/// A program of PATH, links followed; empty if there is none.
std::string find_program(const cli::Environment& environment, const std::string& name) {
  const std::string path = cli::variable(environment, "PATH");
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.starts_with('/')) continue;
    const std::string file = std::string(folder) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return real_path(file);
  }
  return {};
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// The default of the option `registry` in the source of npm's options.
std::string default_in(std::string_view source) {
  for (const std::string_view opening : {"'registry', {", "\"registry\", {"}) {
    const std::size_t at = source.find(opening);
    if (at == std::string_view::npos) continue;
    const std::string_view definition = source.substr(at, kDefinitionLength);
    const std::size_t value = definition.find("default:");
    if (value == std::string_view::npos) continue;
    const std::size_t open = definition.find_first_of("'\"`", value);
    if (open == std::string_view::npos) continue;
    const std::size_t close = definition.find(definition[open], open + 1);
    if (close == std::string_view::npos) continue;
    const auto url = registry::RegistryUrl::parse(definition.substr(open + 1, close - open - 1));
    if (url) return url->str();
  }
  return {};
}

/// A file that need not be there.
Result<registry::Npmrc, Problem> read_npmrc(const std::string& path,
                                            const cli::Environment& environment) {
  if (path.empty() || access(path.c_str(), F_OK) != 0) return registry::Npmrc{};
  // npm is told to have no such file with /dev/null.
  if (real_path(path) == "/dev/null") return registry::Npmrc{};
  CG_TRY_ASSIGN(const std::string text, workspace::read_user_file(path, registry::kMaxNpmrcBytes));
  auto npmrc =
      registry::parse_npmrc(text, [&](std::string_view name) -> std::optional<std::string> {
        const auto found = environment.find(name);
        return found == environment.end() ? std::nullopt : std::optional(found->second);
      });
  if (npmrc) return *std::move(npmrc);
  return fail(
      bad_npmrc(path, "line " + std::to_string(npmrc.error().line) + ": " + npmrc.error().what));
}

/// The repository's own: no link is followed, no variable is told to it.
registry::Npmrc read_project(const std::string& repo) {
  const auto dir = os::Dir::open(repo);
  if (!dir) return {};
  const auto text = dir->read(".npmrc", registry::kMaxNpmrcBytes);
  if (!text) return {};
  auto npmrc = registry::parse_npmrc(*text, {});
  return npmrc ? *std::move(npmrc) : registry::Npmrc{};
}

std::string value_of(const registry::Npmrc& layer, std::string_view key) {
  const registry::NpmrcEntry* entry = layer.find(key);
  return entry == nullptr ? std::string() : entry->value;
}

/// Where npm looks for the file that holds for all users.
std::string global_file(const registry::Layers& layers, const cli::Environment& environment) {
  for (const registry::Npmrc* layer : {&layers.environment, &layers.user}) {
    std::string file = value_of(*layer, "globalconfig");
    if (!file.empty()) return file;
    const std::string prefix = value_of(*layer, "prefix");
    if (!prefix.empty()) return prefix + "/etc/npmrc";
  }
  const std::string node = find_program(environment, "node");
  return node.empty() ? "/etc/npmrc" : parent_of(parent_of(node)) + "/etc/npmrc";
}

}  // namespace

Result<RegistryPolicy, Problem> read_registry_policy(const workspace::Workspace& workspace) {
  const std::string path = workspace.home.path_of(kPolicyFile);
  const auto text = workspace.home.read(kPolicyFile, kMaxPolicy);
  if (!text) {
    if (text.error().kind == os::Error::Kind::not_found) return RegistryPolicy{};
    return fail(bad_policy(path, os::describe(text.error())));
  }
  const auto yaml = yaml::parse_yaml(*text);
  if (!yaml) return fail(bad_policy(path, json::describe(yaml.error())));
  if (!yaml->is_object()) return fail(bad_policy(path, "not a mapping"));
  RegistryPolicy policy;
  for (const auto& [key, value] : *yaml->as_object()) {
    const std::string word = value.is_string() ? *value.as_string() : std::string();
    if (key == "schema") {
      if (word != kSchema) return fail(bad_policy(path, "another schema"));
      continue;
    }
    if (key != "registry" && key != "public_registry") {
      return fail(bad_policy(path, "unknown key " + printable(cut_utf8(key, 40))));
    }
    if (!registry::RegistryUrl::parse(word)) return fail(bad_policy(path, key + " is not a URL"));
    (key == "registry" ? policy.registry : policy.public_registry) = word;
  }
  return policy;
}

std::vector<std::string> npm_definition_files(const cli::Environment& environment) {
  // …/npm/bin/npm-cli.js
  const std::string root = parent_of(parent_of(find_program(environment, "npm")));
  if (root.empty()) return {};
  std::vector<std::string> out;
  for (const char* name : {"node_modules/@npmcli/config/lib/definitions/definitions.js",
                           "lib/utils/config/definitions.js"}) {
    // Distributions keep npm's parts elsewhere and link to them.
    out.push_back(real_path(root + "/" + name));
  }
  return out;
}

std::string learn_public_registry(const cli::Environment& environment) {
  for (const std::string& file : npm_definition_files(environment)) {
    const auto dir = os::Dir::open_for_lookup(parent_of(file));
    if (file.empty() || !dir) continue;
    const auto source = dir->read(file.substr(file.rfind('/') + 1), kMaxDefinitions);
    std::string url = source ? default_in(*source) : std::string();
    if (!url.empty()) return url;
  }
  return {};
}

Result<Done, Problem> keep_public_registry(const workspace::Workspace& workspace,
                                           const std::string& url) {
  if (url.empty()) return Done{};
  const std::string text =
      "# The public registry, as the npm that was installed at `init` knows it. Lockfiles name\n"
      "# it when they mean whichever registry is configured. It is asked only if npm's own\n"
      "# configuration and the key `registry` here name no other.\n"
      "schema: " +
      std::string(kSchema) + "\npublic_registry: " + url + "\n";
  const auto written = workspace.home.write_atomic(kPolicyFile, text);
  if (written) return Done{};
  return fail(Problem{
      ErrorCode::home_io,
      "the policy of the registry could not be written",
      {{"file", workspace.home.path_of(kPolicyFile)}, {"found", os::describe(written.error())}},
      "the workspace is there without it",
      {}});
}

namespace {

std::string user_file(const registry::Layers& layers, const cli::Environment& environment) {
  const std::string named = value_of(layers.environment, "userconfig");
  const std::string home = cli::variable(environment, "HOME");
  return named.empty() && !home.empty() ? home + "/.npmrc" : named;
}

}  // namespace

std::vector<std::string> npm_config_files(const cli::Environment& environment) {
  registry::Layers layers;
  layers.environment = registry::npmrc_of_environment(environment);
  std::vector<std::string> out = {user_file(layers, environment)};
  if (auto user = read_npmrc(out[0], environment)) layers.user = *std::move(user);
  out.push_back(global_file(layers, environment));
  if (auto global = read_npmrc(out[1], environment)) layers.global = *std::move(global);
  for (const registry::Npmrc* layer : {&layers.environment, &layers.user, &layers.global}) {
    out.push_back(value_of(*layer, "cafile"));
  }
  return out;
}

Result<registry::Layers, Problem> read_layers(const cli::Environment& environment,
                                              const RegistryPolicy& policy,
                                              const std::string& repo) {
  registry::Layers layers;
  layers.environment = registry::npmrc_of_environment(environment);
  CG_TRY_ASSIGN(layers.user, read_npmrc(user_file(layers, environment), environment));
  CG_TRY_ASSIGN(layers.global, read_npmrc(global_file(layers, environment), environment));
  if (!repo.empty()) layers.project = read_project(repo);
  layers.public_registry = policy.public_registry;
  layers.built_in = policy.registry.empty() ? policy.public_registry : policy.registry;
  return layers;
}

}  // namespace cg::supplies
