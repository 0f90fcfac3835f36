#include "fetch/catalog/installer.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "fetch/catalog/yarnrc.h"
#include "npm/registry/name.h"

namespace cg::catalog {

namespace {

using Texts = std::vector<std::string>;

/// Beside .yarnrc.yml, and read in its place.
constexpr const char* kYarnrc = ".yarnrc.codegenie.yml";

void append(Texts& to, const Texts& more) { to.insert(to.end(), more.begin(), more.end()); }

unsigned major_of(std::string_view version) {
  const auto number = parse_u64(version.substr(0, version.find('.')));
  return static_cast<unsigned>(std::min<std::uint64_t>(number.value_or(0), 1000));
}

class Planner {
 public:
  Planner(const Project& project, const Tools& tools, const Place& place, const Texts& scripts)
      : project_(project),
        tools_(tools),
        place_(place),
        scripts_(scripts),
        url_(shelf_url(place.port)) {
    install_.readable = tools.readable;
  }

  Result<Install, std::string> plan() && {
    CG_TRY(dispatch());
    return std::move(install_);
  }

 private:
  using Step = Result<Done, std::string>;

  Step dispatch() {
    switch (project_.lock) {
      case npm::LockKind::package_lock:
      case npm::LockKind::npm_shrinkwrap:
        return plan_npm();
      case npm::LockKind::yarn_classic:
        return plan_yarn_classic();
      case npm::LockKind::yarn_berry:
        return plan_yarn_berry();
      case npm::LockKind::pnpm:
        return plan_pnpm();
    }
    std::abort();
  }

  [[nodiscard]] Texts environment() const {
    return {"PATH=" + tools_.path,
            "HOME=" + place_.scratch + "/home",
            "TMPDIR=" + place_.scratch,
            "CI=true",
            "LANG=C.UTF-8",
            "NO_UPDATE_NOTIFIER=1",
            "npm_config_update_notifier=false"};
  }

  /// --NAME=URL for the registry and that of every scope.
  [[nodiscard]] Texts registries(const std::string& prefix) const {
    Texts out = {prefix + "registry=" + url_};
    for (const std::string& scope : project_.scopes) {
      out.push_back(prefix + scope + ":registry=" + url_);
    }
    return out;
  }

  [[nodiscard]] Texts npm_flags() const {
    Texts flags = registries("--");
    append(flags, {"--replace-registry-host=always", "--no-audit", "--no-fund", "--proxy=false",
                   "--https-proxy=false", "--noproxy=127.0.0.1", "--offline=false",
                   "--prefer-offline", "--dry-run=false", "--package-lock=true",
                   "--package-lock-only=false", "--global=false", "--fetch-retries=0",
                   "--script-shell=/bin/sh", "--cache=" + place_.scratch + "/npm-cache",
                   "--userconfig=" + place_.scratch + "/home/.npmrc",
                   "--globalconfig=" + place_.scratch + "/home/npmrc"});
    return flags;
  }

  Step plan_npm() {
    if (!tools_.npm) return fail(std::string("there is no npm in PATH"));
    install_.install = {tools_.npm->argv, environment()};
    install_.run.argv = tools_.npm->argv;
    append(install_.install.argv, {"ci", "--ignore-scripts"});
    append(install_.install.argv, npm_flags());
    append(install_.install.argv, {"--include=dev", "--include=optional", "--include=peer"});
    return rebuild_by_npm();
  }

  /// npm runs the scripts of whatever is in node_modules, whoever put it there.
  Step rebuild_by_npm() {
    if (scripts_.empty()) return Done{};
    if (!tools_.npm) return fail(std::string("there is no npm in PATH to run install scripts"));
    Command command{tools_.npm->argv, environment()};
    add_headers(command);
    append(command.argv, {"rebuild", "--ignore-scripts=false", "--foreground-scripts"});
    append(command.argv, npm_flags());
    command.argv.emplace_back("--");
    append(command.argv, scripts_);
    install_.rebuild = std::move(command);
    return Done{};
  }

  /// node-gyp would fetch them.
  void add_headers(Command& command) {
    if (!tools_.headers.empty()) {
      command.env.push_back("npm_config_nodedir=" + tools_.headers);
    } else {
      install_.notes.push_back("the headers of node " + tools_.node_version +
                               " are not on this machine, so packages that are built for it cannot "
                               "be: install libnode-dev, or node with its folder include/node");
    }
  }

  /// The URLs of its lock are asked for as they are, whatever the registry: only files from
  /// a mirror come first.
  Step plan_yarn_classic() {
    if (!tools_.yarn) return fail(std::string("there is no yarn in PATH"));
    const bool is_classic = major_of(tools_.yarn->version) == 1;
    if (!is_classic) return fail("yarn 1 is needed, and PATH has " + tools_.yarn->version);
    install_.install = {tools_.yarn->argv, environment()};
    append(install_.install.argv,
           {"--no-default-rc", "install", "--frozen-lockfile", "--offline", "--ignore-scripts",
            "--non-interactive", "--production=false", "--registry", url_, "--cache-folder",
            place_.scratch + "/yarn-cache"});
    append(install_.install.env, {"YARN_IGNORE_PATH=1", "YARN_YARN_OFFLINE_MIRROR=" + place_.mirror,
                                  "YARN_YARN_OFFLINE_MIRROR_PRUNING=false"});
    install_.run = {tools_.yarn->argv, {"YARN_IGNORE_PATH=1"}};
    install_.readable.push_back(place_.mirror);
    return rebuild_by_npm();
  }

  Step plan_yarn_berry() {
    CG_TRY_ASSIGN(std::string settings, tame_yarnrc(project_.yarnrc));
    install_.files.emplace_back(kYarnrc, std::move(settings));
    CG_TRY_ASSIGN(install_.install.argv, berry_argv());
    install_.install.env = environment();
    append(install_.install.env, berry_environment());
    append(install_.install.env,
           {"YARN_NPM_REGISTRY_SERVER=" + url_, "YARN_UNSAFE_HTTP_WHITELIST=127.0.0.1",
            "YARN_ENABLE_NETWORK=1", "YARN_HTTP_RETRY=0"});
    install_.leaves = {place_.scratch + "/yarn"};
    const Texts& argv = install_.install.argv;
    install_.run = {{argv.begin(), std::find(argv.begin(), argv.end(), "install")},
                    berry_environment()};
    install_.run.env.emplace_back("YARN_ENABLE_NETWORK=0");
    if (node_linker_of(project_.yarnrc) == "pnp") {
      install_.commands = install_.run.argv;
      install_.commands.emplace_back("run");
    }
    if (scripts_.empty()) return Done{};
    if (node_linker_of(project_.yarnrc) != "node-modules") {
      return fail(std::string("install scripts cannot be run one by one without node_modules"));
    }
    return rebuild_by_npm();
  }

  /// What holds whenever yarn runs: it reads the settings that were tamed.
  [[nodiscard]] Texts berry_environment() const {
    return {std::string("YARN_RC_FILENAME=") + kYarnrc,
            "YARN_IGNORE_PATH=1",
            "YARN_ENABLE_TELEMETRY=0",
            "YARN_ENABLE_SCRIPTS=0",
            "YARN_HTTP_PROXY=",
            "YARN_HTTPS_PROXY=",
            "YARN_ENABLE_GLOBAL_CACHE=1",
            "YARN_GLOBAL_FOLDER=" + place_.scratch + "/yarn"};
  }

  /// The repository's own yarn, if it brings one: a lock is of the yarn that wrote it, and
  /// the code of the repository runs in the same chamber anyway.
  Result<Texts, std::string> berry_argv() {
    if (!project_.own_yarn.empty()) {
      return Texts{tools_.node, place_.tree + "/" + project_.own_yarn, "install", "--immutable",
                   without_scripts(writer_of_lock())};
    }
    if (!tools_.yarn) return fail(std::string("there is no yarn in PATH"));
    const unsigned found = major_of(tools_.yarn->version);
    if (found < 2) return fail("yarn 2 or later is needed, and PATH has " + tools_.yarn->version);
    Texts argv = tools_.yarn->argv;
    append(argv, {"install", without_scripts(found)});
    if (found == writer_of_lock()) {
      argv.emplace_back("--immutable");
    } else {
      argv.emplace_back("--no-immutable");
      install_.notes.push_back("yarn " + tools_.yarn->version +
                               " did not write this lock and may write it anew");
    }
    return argv;
  }

  /// Its setting holds for dependencies alone, and not for the repository's own packages.
  static std::string without_scripts(unsigned major) {
    return major >= 3 ? "--mode=skip-build" : "--skip-builds";
  }

  [[nodiscard]] unsigned writer_of_lock() const {
    const unsigned version = major_of(project_.lock_version);
    return version >= 7 ? 4 : version >= 5 ? 3 : 2;
  }

  Step plan_pnpm() {
    if (!tools_.pnpm) return fail(std::string("there is no pnpm in PATH"));
    install_.install = {tools_.pnpm->argv, environment()};
    append(install_.install.argv, {"install", "--frozen-lockfile", "--ignore-scripts"});
    append(install_.install.argv, pnpm_flags());
    append(install_.install.argv, {"--prod=false", "--offline=false", "--reporter=append-only"});
    append(install_.install.env, pnpm_environment());
    install_.run = {tools_.pnpm->argv, pnpm_environment()};
    // What pnpm-workspace.yaml says counts for more than the environment, and less than this.
    append(
        install_.run.argv,
        {"--config.manage-package-manager-versions=false", "--config.package-manager-strict=false",
         "--config.package-manager-strict-version=false", "--config.verify-deps-before-run=false"});
    if (scripts_.empty()) return Done{};
    if (major_of(tools_.pnpm->version) >= 10) {
      // It builds what the repository's files name, and takes no other word for it.
      install_.notes.emplace_back(
          "npm runs install scripts for pnpm, of direct dependencies alone");
      return rebuild_by_npm();
    }
    Command command{tools_.pnpm->argv, environment()};
    add_headers(command);
    append(command.argv, {"rebuild", "--config.ignore-scripts=false"});
    append(command.argv, pnpm_flags());
    append(command.argv, scripts_);
    append(command.env, pnpm_environment());
    install_.rebuild = std::move(command);
    return Done{};
  }

  [[nodiscard]] Texts pnpm_flags() const {
    Texts flags = registries("--config.");
    append(flags, {"--config.proxy=", "--config.https-proxy=", "--config.noproxy=127.0.0.1",
                   "--config.global=false", "--config.lockfile=true", "--config.fetch-retries=0",
                   "--config.script-shell=/bin/sh", "--config.side-effects-cache=false",
                   "--config.store-dir=" + place_.scratch + "/pnpm-store",
                   "--config.cache-dir=" + place_.scratch + "/pnpm-cache",
                   "--config.state-dir=" + place_.scratch + "/pnpm-state"});
    return flags;
  }

  /// Neither fetch another pnpm nor insist on one, nor install when a script is run.
  [[nodiscard]] static Texts pnpm_environment() {
    return {"npm_config_manage_package_manager_versions=false",
            "npm_config_package_manager_strict=false",
            "npm_config_verify_deps_before_run=false",
            "pnpm_config_manage_package_manager_versions=false",
            "pnpm_config_package_manager_strict=false",
            "pnpm_config_verify_deps_before_run=false",
            "COREPACK_ENABLE_STRICT=0"};
  }

  const Project& project_;
  const Tools& tools_;
  const Place& place_;
  const Texts& scripts_;
  std::string url_;
  Install install_;
};

}  // namespace

Project project_of(const npm::Graph& graph, std::string yarnrc) {
  std::set<std::string> scopes;
  for (const npm::Node& node : graph.nodes()) {
    if (!registry::is_package_name(node.name)) continue;
    const std::string_view scope = registry::scope_of(node.name);
    if (!scope.empty()) scopes.emplace(scope);
  }
  Project out{graph.kind(), std::string(graph.lock_version()), Texts(scopes.begin(), scopes.end()),
              std::move(yarnrc)};
  out.own_yarn = own_yarn_of(out.yarnrc);
  return out;
}

Result<Install, std::string> plan_install(const Project& project, const Tools& tools,
                                          const Place& place, const Texts& scripts) {
  const bool named = std::all_of(scripts.begin(), scripts.end(), [](const std::string& name) {
    return registry::is_package_name(name) && !name.starts_with('-');  // or it is a flag
  });
  if (!named) return fail(std::string("what may run install scripts is not the name of a package"));
  return Planner(project, tools, place, scripts).plan();
}

}  // namespace cg::catalog
