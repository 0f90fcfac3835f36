#include "flow/supplies/registry_access.h"

#include <set>

#include "base/base/text.h"
#include "fetch/net/process_fetcher.h"
#include "flow/supplies/npm_config.h"

namespace cg::supplies {

namespace {

constexpr std::size_t kMaxAuthorities = 256U << 10U;

/// "5m", "30s", "1h"; the settings are checked when they are read.
std::chrono::milliseconds duration_of(std::string_view text) {
  const auto number = parse_u64(text.substr(0, text.size() - 1)).value_or(0);
  const std::uint64_t seconds = text.ends_with('h') ? 3600 : text.ends_with('m') ? 60 : 1;
  return std::chrono::seconds(number * seconds);
}

Problem redirected(const registry::ProjectRedirect& redirect) {
  return {ErrorCode::registry_redirect,
          "the repository's .npmrc names another registry" +
              (redirect.scope.empty() ? std::string() : " for " + redirect.scope),
          {{"file", ".npmrc"}, {"found", redirect.url}},
          "nothing was fetched or changed",
          {"codegenie remediate REPO --registry URL    (if that registry is right)",
           "or put it into your own .npmrc"}};
}

Problem unknown_registry() {
  return {ErrorCode::registry_unknown,
          "nobody says which registry to ask",
          {},
          "nothing was fetched or changed",
          {"npm config set registry URL", "or --registry URL for this run"}};
}

/// The certificates that npm is told to trust besides the system's.
Result<std::string, Problem> read_authorities(const registry::Config& config) {
  std::string pem = config.authorities();
  if (config.authorities_file().empty()) return pem;
  CG_TRY_ASSIGN(const std::string file,
                workspace::read_user_file(config.authorities_file(), kMaxAuthorities));
  return pem + file;
}

/// On a machine without npm, what was imported says where it came from.
Result<std::string, Problem> registry_of_cache(const catalog::Cache& cache) {
  CG_TRY_ASSIGN(const std::vector<catalog::CacheEntry> entries, cache.all());
  std::set<std::string> registries;
  for (const catalog::CacheEntry& entry : entries) registries.insert(entry.registry);
  return registries.size() == 1 ? *registries.begin() : std::string();
}

Result<net::Programs, Problem> programs_that_fetch() {
  auto programs = net::find_programs();
  if (programs) return *std::move(programs);
  return fail(Problem{ErrorCode::data_fetch_stopped,
                      "the programs that fetch are not installed",
                      {{"file", os::describe(programs.error())}},
                      "nothing was fetched",
                      {"--offline uses what was fetched before"}});
}

/// Each registry has programs of its own, so that a token goes to it alone.
catalog::MakeFetcher fetchers(const registry::Config& config, std::string authorities) {
  return [config, authorities = std::move(authorities)](
             const registry::Choice& choice) -> Result<std::unique_ptr<net::Fetcher>, Problem> {
    CG_TRY_ASSIGN(net::Programs programs, programs_that_fetch());
    const auto url = net::Url::parse(choice.url.str());
    if (!url) {
      return fail(
          Problem{ErrorCode::registry_config,
                  "the registry cannot be asked: " + std::string(net::describe(url.error())),
                  {{"url", choice.url.str()}},
                  "nothing was fetched",
                  {}});
    }
    net::Access access;
    // No choice is a repository's (registry/config.h). The operator's own, or their npm's, may be
    // inside their network, or in one for tests, under whichever address their resolver has.
    access.addresses = net::Addresses::any;
    access.authorities = authorities;
    access.authorization = config.authorization(choice.url);
    std::map<net::Origin, net::Access> by_origin{{url->origin(), std::move(access)}};
    return std::unique_ptr<net::Fetcher>(
        std::make_unique<net::ProcessFetcher>(std::move(programs), std::move(by_origin)));
  };
}

/// For the hosts of archives. They are in the operator's policy word for word, so that they may be
/// wherever the operator's resolver has them, as the registry may; nobody's token goes there.
catalog::MakeArchiveFetcher archive_fetchers(std::vector<std::string> hosts,
                                             std::string authorities) {
  return
      [hosts = std::move(hosts),
       authorities = std::move(authorities)]() -> Result<std::unique_ptr<net::Fetcher>, Problem> {
        CG_TRY_ASSIGN(net::Programs programs, programs_that_fetch());
        std::map<net::Origin, net::Access> by_origin;
        for (const std::string& host : hosts) {
          const auto url = net::Url::parse("https://" + host + "/");
          if (!url) continue;
          net::Access access;
          access.addresses = net::Addresses::any;
          access.authorities = authorities;
          by_origin.emplace(url->origin(), std::move(access));
        }
        return std::unique_ptr<net::Fetcher>(
            std::make_unique<net::ProcessFetcher>(std::move(programs), std::move(by_origin)));
      };
}

Result<registry::Config, Problem> merge_layers(const registry::Layers& layers) {
  auto config = registry::Config::merge(layers);
  if (!config) {
    return fail(Problem{ErrorCode::registry_config,
                        config.error().key + " is " + config.error().what,
                        {},
                        "nothing was fetched",
                        {"npm config list"}});
  }
  if (config->redirect()) return fail(redirected(*config->redirect()));
  return *std::move(config);
}

}  // namespace

Result<std::unique_ptr<catalog::Catalog>, Problem> open_catalog(const workspace::Access& access,
                                                                const Surroundings& surroundings,
                                                                const RegistryWish& wish,
                                                                const std::string& repo) {
  const catalog::Cache cache(access.workspace.home);
  CG_TRY_ASSIGN(const RegistryPolicy policy, read_registry_policy(access.workspace));
  CG_TRY_ASSIGN(registry::Layers layers, read_layers(surroundings.environment, policy, repo));
  layers.flag = wish.registry;
  CG_TRY_ASSIGN(registry::Config config, merge_layers(layers));
  if (config.registry_for("any") == nullptr && wish.mode == catalog::Mode::offline) {
    CG_TRY_ASSIGN(layers.built_in, registry_of_cache(cache));
    CG_TRY_ASSIGN(config, merge_layers(layers));
  }
  if (config.registry_for("any") == nullptr) return fail(unknown_registry());
  std::string authorities;
  if (wish.mode == catalog::Mode::online) {
    CG_TRY_ASSIGN(authorities, read_authorities(config));
  }
  catalog::Options options;
  options.mode = wish.mode;
  options.max_age = duration_of(surroundings.settings.get(cli::Key::registry_max_age));
  options.archives = {wish.hosts, archive_fetchers(wish.hosts, authorities)};
  catalog::MakeFetcher make = fetchers(config, std::move(authorities));
  os::SystemClock clock;
  return std::make_unique<catalog::Catalog>(cache, std::move(config), std::move(make), options,
                                            clock);
}

void prefetch(catalog::Catalog& catalog, const std::vector<std::string>& names, Watcher& watcher) {
  catalog.prefetch(names, [&](std::size_t done, std::size_t total) {
    watcher.busy("fetching package metadata: " + grouped(done) + " of " + grouped(total));
  });
  watcher.done();
}

}  // namespace cg::supplies
