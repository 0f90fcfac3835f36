#include "flow/proving/obstacles.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "fetch/catalog/tarball_cache.h"
#include "flow/repository/files.h"
#include "trust/hash/integrity.h"

namespace cg::proving {

namespace {

constexpr std::size_t kMaxComposeFiles = 10;
constexpr std::size_t kMaxComposeBytes = 256U << 10U;
constexpr std::size_t kMaxNodeFile = 4'096;
// Of tarballs that are looked into: what a preflight may take is seconds.
constexpr std::size_t kMaxTarballs = 32;
constexpr std::uint64_t kMaxTarball = 4U << 20U;
constexpr std::uint64_t kMaxTarballsBytes = 64U << 20U;
constexpr std::uint64_t kMaxUnpacked = 64U << 20U;
constexpr std::array<std::string_view, 3> kScripts = {"preinstall", "install", "postinstall"};

bool is_compose_file(std::string_view name) {
  const bool starts = name.starts_with("docker-compose") || name.starts_with("compose.") ||
                      name.starts_with("compose-");
  return starts && (name.ends_with(".yml") || name.ends_with(".yaml"));
}

std::vector<preflight::TextFile> compose_files(const os::Dir& repo) {
  std::vector<std::string> paths;
  static_cast<void>(repository::discover(
      repo, [&](const os::Dir&, const std::string& path, const std::string& name) {
        if (is_compose_file(name)) paths.push_back(path);
      }));
  std::sort(paths.begin(), paths.end());
  if (paths.size() > kMaxComposeFiles) paths.resize(kMaxComposeFiles);
  std::vector<preflight::TextFile> out;
  for (const std::string& path : paths) {
    auto text = repo.read(path, kMaxComposeBytes);
    if (text) out.push_back({path, *std::move(text)});
  }
  return out;
}

/// "18.17.0" of {"volta": {"node": "18.17.0"}}.
std::string volta_of(std::string_view manifest) {
  const auto parsed = json::parse_json(manifest);
  if (!parsed || !parsed->is_object()) return {};
  const json::Value* volta = parsed->find("volta");
  return volta != nullptr && volta->is_object() ? volta->text("node") : std::string();
}

/// In the lock's own folder, else at the top.
std::vector<preflight::NodeWish> node_wishes(const os::Dir& repo,
                                             const repository::LoadedLock& lock) {
  std::vector<preflight::NodeWish> out;
  for (const std::string_view name : {".nvmrc", ".node-version"}) {
    for (const std::string_view folder : {lock.folder(), std::string_view()}) {
      const std::string path = repository::join(folder, name);
      auto text = repo.read(path, kMaxNodeFile);
      if (!text) continue;
      out.push_back({path, "it", *std::move(text)});
      break;
    }
  }
  const std::string path = repository::join(lock.folder(), "package.json");
  const auto manifest = repo.read(path, npm::kMaxManifestBytes);
  std::string volta = manifest ? volta_of(*manifest) : std::string();
  if (!volta.empty()) out.push_back({path, "volta.node", std::move(volta)});
  return out;
}

/// "install: node-gyp rebuild; postinstall: node done.js" of a tarball's own manifest.
std::string commands_in(std::string_view tarball) {
  archive::Limits most;
  most.max_output = kMaxUnpacked;
  most.max_entry = kMaxUnpacked;
  const auto tar = archive::gunzip(tarball, most);
  if (!tar) return {};
  std::string manifest;
  bool gyp = false;
  const auto read = archive::read_tar(*tar, most, [&](const archive::Entry& entry) {
    const std::size_t slash = entry.name.find('/');
    const std::string_view path =
        slash == std::string_view::npos ? std::string_view() : entry.name.substr(slash + 1);
    if (path == "package.json") manifest = entry.content;
    gyp = gyp || path == "binding.gyp";
    return archive::Next::more;
  });
  if (!read) return {};
  const auto parsed = npm::parse_manifest("package.json", manifest);
  if (!parsed) return {};
  std::string out;
  bool own = false;
  for (const std::string_view name : kScripts) {
    for (const auto& [script, command] : parsed->scripts) {
      if (script != name || command.empty()) continue;
      out += (out.empty() ? "" : "; ") + script + ": " + command;
      own = own || name != "postinstall";
    }
  }
  // As npm: what can be built and does not say how is built by node-gyp.
  if (gyp && !own) out = "install: node-gyp rebuild" + (out.empty() ? "" : "; " + out);
  return out;
}

Result<std::map<std::string, std::string, std::less<>>, Problem> commands_of(
    const os::Dir& home, const npm::Graph& graph) {
  const catalog::TarballCache cache(home);
  std::map<std::string, std::string, std::less<>> out;
  std::size_t count = 0;
  std::uint64_t bytes_seen = 0;
  for (const npm::Node& node : graph.nodes()) {
    if (!node.flags.install_script || node.flags.bundled) continue;
    const auto integrity = hash::Integrity::parse(node.integrity);
    const std::string label = std::string(node.name) + "@" + std::string(node.version);
    if (!integrity || out.contains(label)) continue;
    if (++count > kMaxTarballs || bytes_seen > kMaxTarballsBytes) break;
    CG_TRY_ASSIGN(const std::optional<catalog::Tarball> found, cache.find(*integrity));
    bytes_seen += found ? found->size : 0;
    if (!found || found->size > kMaxTarball) continue;
    const auto bytes = home.read(found->path, kMaxTarball);
    if (bytes) out.emplace(label, commands_in(*bytes));
  }
  return out;
}

}  // namespace

Result<std::vector<preflight::Obstacle>, Problem> obstacles_to(
    const propose::Situation& situation, const std::vector<propose::LockPlan>& plans,
    const std::string& node) {
  const os::Dir& repo = situation.base.checkout.files();
  const std::vector<preflight::TextFile> compose = compose_files(repo);
  std::vector<preflight::Obstacle> out;
  for (const propose::LockPlan& plan : plans) {
    const repository::LoadedLock& lock = situation.lock(plan.lock);
    preflight::Facts facts{lock.path, lock.graph, lock.manifests, node, {}, {}, {}, {}, {}};
    facts.node_wishes = node_wishes(repo, lock);
    facts.compose_files = compose;
    facts.run_scripts = situation.base.policy.run_scripts;
    facts.fetch_urls = situation.base.policy.fetch_urls;
    CG_TRY_ASSIGN(facts.commands, commands_of(situation.catalog->home(), lock.graph));
    for (preflight::Obstacle& one : preflight::look(facts)) out.push_back(std::move(one));
  }
  return out;
}

record::PreflightDone looked(const std::vector<preflight::Obstacle>& obstacles) {
  const auto count = [&](preflight::Severity severity) {
    return static_cast<std::uint64_t>(
        std::count_if(obstacles.begin(), obstacles.end(),
                      [&](const preflight::Obstacle& one) { return one.severity == severity; }));
  };
  const std::string worst =
      obstacles.empty() ? "" : obstacles.front().where + " " + obstacles.front().what;
  return {count(preflight::Severity::blocks), count(preflight::Severity::may_fail),
          count(preflight::Severity::note), cut(worst, 500)};
}

std::string headline(const record::PreflightDone& done) {
  const std::uint64_t more = done.blocks + done.may_fail - 1;
  return "preflight: " + done.worst + (more == 0 ? "" : ", and " + std::to_string(more) + " more");
}

}  // namespace cg::proving
