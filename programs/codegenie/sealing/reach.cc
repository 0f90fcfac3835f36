#include "sealing/reach.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "fetch/gitrepo/locate.h"
#include "fix/plugin/load.h"
#include "remediation/npm_config.h"
#include "remediation/request.h"

namespace cg::program {

namespace {

std::string folder_of(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool exists(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0;
}

/// With all links followed; as it is if it is not there.
std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real == nullptr ? path : std::string(real.get());
}

/// Collects; what is named twice costs a rule twice and no more.
class Collector {
 public:
  Collector(const cli::Invocation& invocation, const Session& session)
      : invocation_(invocation), session_(session) {}

  seal::Reach run() {
    reach_.readable.emplace_back("/dev/urandom");  // SQLite's
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    reach_.readable.emplace_back("/proc");  // theirs
#endif
    settings();
    arguments();
    flags();
    for (const cli::Output& output : invocation_.outputs) write_file(output.file);
    command();
    return std::move(reach_);
  }

 private:
  /// What cannot be looked at is left to the command to complain about.
  void read(const std::string& path) {
    if (!path.empty() && exists(path)) reach_.readable.push_back(path);
  }
  /// A folder that is there or will be made.
  void write(std::string path) {
    if (path.empty()) return;
    while (!exists(path) && path != "." && path != "/") path = folder_of(path);
    reach_.writable.push_back(std::move(path));
  }
  /// Replaced by a rename in its folder.
  void write_file(const std::string& path) {
    read(path);
    write(folder_of(real_path(path)));
  }
  /// "ssh:KEYFILE"; whatever else signs needs no file of ours.
  void key(const std::string& how) {
    constexpr std::string_view kSsh = "ssh:";
    if (how.starts_with(kSsh)) read(how.substr(kSsh.size()));
  }
  [[nodiscard]] bool is(std::string_view word) const {
    return !invocation_.words.empty() && invocation_.words.front() == word;
  }

  void settings() {
    if (!session_.resolved || !session_.resolved->has_value()) return;
    const cli::Settings& settings = **session_.resolved;
    write(settings.get(cli::Key::home));
    write(settings.get(cli::Key::guard_dir));
    key(settings.get(cli::Key::audit_sign));
    anchors(settings.get(cli::Key::audit_anchor_dir));
  }
  void anchors(const std::string& folder) {
    invocation_.words.back() == "publish" ? write(folder) : read(folder);
  }

  void arguments() {
    const auto& known = invocation_.command->arguments;
    for (std::size_t i = 0; i < invocation_.arguments.size(); ++i) {
      const std::string_view name = known.empty() ? "" : known[std::min(i, known.size() - 1)].name;
      const std::string& value = invocation_.arguments[i];
      if (is("init")) {
        write(folder_of(value));
      } else if (cli::path_kind(name) != cli::PathKind::none || name == "BUNDLE") {
        read(value);
      }
    }
    const bool repo =
        std::any_of(known.begin(), known.end(), [](const auto& a) { return a.name == "REPO_DIR"; });
    if (repo && invocation_.arguments.empty()) read(".");
  }

  void flags() {
    for (const cli::GivenFlag& given : invocation_.flags) {
      const cli::Flag* flag = cli::find_flag(invocation_.command, given.name);
      if (flag == nullptr || given.value.empty()) continue;
      if (given.name == "sign") {
        key(given.value);
      } else if (given.name == "out") {
        write_file(given.value);
      } else if (given.name == "cassette") {
        read(folder_of(real_path(given.value)));  // and the lock beside it
        if (invocation_.has("unsafe-record")) write_file(given.value);
      } else if (given.name == "operator-ack") {
        read(given.value);
        read(given.value + ".sig");
      } else if (given.name == "worktree") {
        write(given.value);
      } else if (given.name == "anchor-dir") {
        anchors(given.value);
      } else if (cli::path_kind(flag->value_name) != cli::PathKind::none) {
        read(given.value);
      }
    }
  }

  /// What a command reaches beside its own words.
  void command() {
    if (is("explain") && !invocation_.has("repo")) read(".");
    if (is("init")) {
      if (session_.resolved && session_.resolved->has_value()) {
        write(folder_of((*session_.resolved)->get(cli::Key::home)));
      }
      for (const std::string& file : npm_definition_files(session_.environment)) read(file);
    }
    if (is("plugins") || is("remediate")) {
      if (const auto folder = plugin::find_folder()) read(*folder);
    }
    if (is("registry") || is("remediate")) {
      for (const std::string& file : npm_config_files(session_.environment)) read(file);
    }
    if (is("remediate")) repository();
    // An image is packed of what is installed, which is anywhere.
    if (is("sandbox") && invocation_.words.back() == "prepare") read("/");
  }

  void repository() {
    // A request that is none is told by the command itself.
    const auto request = read_request(invocation_);
    if (!request) return;
    read(request->repo);
    if (!request->worktree.empty()) write(request->worktree);
    key(request->sign);
    // Tools that a microVM is given a copy of.
    if (session_.tools && session_.tools->has_value()) {
      for (const std::string& path : (*session_.tools)->readable) read(path);
    }
    const auto location = gitrepo::locate(request->repo);
    if (!location) return;
    read(location->git_dir);
    read(location->work_tree + "/.git");
  }

  const cli::Invocation& invocation_;
  const Session& session_;
  seal::Reach reach_;
};

}  // namespace

seal::Reach reach_of(const cli::Invocation& invocation, const Session& session) {
  return Collector(invocation, session).run();
}

}  // namespace cg::program
