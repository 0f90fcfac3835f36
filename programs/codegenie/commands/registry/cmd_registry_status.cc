// codegenie registry status
#include <map>

#include "access.h"
#include "base/base/text.h"
#include "commands.h"
#include "fetch/catalog/cache.h"
#include "flow/supplies/npm_config.h"

namespace cg::program {

namespace {

constexpr std::uint64_t kKilobyte = 1000;

struct RegistryStatus {
  std::string path;
  std::string registry;  // empty if none is configured
  std::vector<std::pair<std::string, std::size_t>> cached;
  catalog::Cache::Size size;
  std::size_t packages = 0;
  Time oldest{};
  Time newest{};
};

Result<std::string, Problem> configured_registry(const Access& access, const Session& session) {
  CG_TRY_ASSIGN(const supplies::RegistryPolicy policy,
                supplies::read_registry_policy(access.workspace));
  CG_TRY_ASSIGN(const registry::Layers layers,
                supplies::read_layers(session.environment, policy, ""));
  const auto config = registry::Config::merge(layers);
  if (!config) {
    return fail(Problem{ErrorCode::registry_config,
                        config.error().key + " is " + config.error().what,
                        {},
                        "nothing was touched",
                        {"npm config list"}});
  }
  const registry::Choice* choice = config->registry_for("any");
  return choice == nullptr ? std::string() : choice->url.str();
}

Result<RegistryStatus, Problem> read_status(const Access& access, const Session& session) {
  const catalog::Cache cache(access.workspace.home);
  RegistryStatus status{access.workspace.home.path_of("cache/registry")};
  CG_TRY_ASSIGN(status.registry, configured_registry(access, session));
  CG_TRY_ASSIGN(const std::vector<catalog::CacheEntry> entries, cache.all());
  CG_TRY_ASSIGN(status.size, cache.size());
  status.packages = entries.size();
  std::map<std::string, std::size_t> counts;
  for (const catalog::CacheEntry& entry : entries) {
    ++counts[entry.registry];
    if (status.oldest.ms == 0 || entry.fetched < status.oldest) status.oldest = entry.fetched;
    status.newest = std::max(status.newest, entry.fetched);
  }
  status.cached.assign(counts.begin(), counts.end());
  return status;
}

std::string registry_status_text(const RegistryStatus& status, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows = {
      {{"Path"}, {printable(status.path)}},
      {{"Registry"}, {status.registry.empty() ? "none is configured" : status.registry}},
      {{"Holds"},
       {counted(status.packages, "package", "packages") + ", " +
        grouped(status.size.bytes / kKilobyte) + " kB"}}};
  for (const auto& [url, count] : status.cached) {
    rows.push_back({{""}, {grouped(count) + " of " + url}});
  }
  if (status.packages > 0) {
    rows.push_back({{"Fetched"}, {to_iso(status.oldest) + " to " + to_iso(status.newest)}});
  }
  return cli::layout({{}, {}}, rows, style);
}

Result<Report, Problem> run_registry_status(const cli::Invocation&, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const RegistryStatus status, read_status(access, session));
  json::Value::Array registries;
  for (const auto& [url, count] : status.cached) {
    registries.emplace_back(json::Value::Object{{"url", url}, {"packages", number(count)}});
  }
  const auto time = [&](Time value) {
    return status.packages == 0 ? json::Value() : json::Value(to_iso(value));
  };
  json::Value json = json::Value::Object{
      {"schema", "codegenie/registry-status/v1"},
      {"path", printable(status.path)},
      {"registry", status.registry.empty() ? json::Value() : json::Value(status.registry)},
      {"packages", number(status.packages)},
      {"bytes", number(status.size.bytes)},
      {"oldest", time(status.oldest)},
      {"newest", time(status.newest)},
      {"registries", std::move(registries)}};
  return json_report(std::move(json), [status](const cli::Style& style) {
    return registry_status_text(status, style);
  });
}

}  // namespace

Entry registry_status_command() {
  return {
      {.path = {"registry", "status"},
       .summary = "Say which registry is asked and what the cache holds",
       .about = {"Metadata of packages comes from the registry that npm is configured with, and "
                 "is kept in the workspace. Nobody is asked by this command."},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie registry status", "is there enough for --offline?"}}},
      run_registry_status,
      Sealing::sealed,
      {Reach::npm_settings}};
}

}  // namespace cg::program
