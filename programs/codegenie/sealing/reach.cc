#include "sealing/reach.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "fetch/gitrepo/locate.h"
#include "fix/plugin/load.h"
#include "flow/job/request.h"
#include "flow/repository/enclosing.h"
#include "flow/supplies/npm_config.h"

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
  Collector(const Entry& entry, const cli::Invocation& invocation, const Session& session)
      : entry_(entry), invocation_(invocation), session_(session) {}

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
  void settings() {
    if (!session_.resolved || !session_.resolved->has_value()) return;
    const cli::Settings& settings = **session_.resolved;
    write(settings.get(cli::Key::home));
    write(settings.get(cli::Key::guard_dir));
    key(settings.get(cli::Key::audit_sign));
    const std::string anchors = settings.get(cli::Key::audit_anchor_dir);
    entry_.reaches(Reach::anchors) ? write(anchors) : read(anchors);
    if (entry_.reaches(Reach::new_workspace)) write(folder_of(settings.get(cli::Key::home)));
  }

  void touch(cli::Touch how, std::string_view name, const std::string& value) {
    switch (how) {
      case cli::Touch::by_name:
        if (cli::path_kind(name) != cli::PathKind::none) read(value);
        return;
      case cli::Touch::reads:
        return read(value);
      case cli::Touch::reads_signed:
        read(value);
        return read(value + ".sig");
      case cli::Touch::reads_key:
        return key(value);
      case cli::Touch::reads_tape:
        read(folder_of(real_path(value)));
        if (invocation_.has("unsafe-record")) write_file(value);
        return;
      case cli::Touch::writes_file:
        return write_file(value);
      case cli::Touch::writes_folder:
        return write(value);
      case cli::Touch::makes_folder:
        return write(folder_of(value));
    }
  }

  void arguments() {
    const auto& known = invocation_.command->arguments;
    for (std::size_t i = 0; i < invocation_.arguments.size() && !known.empty(); ++i) {
      const cli::Argument& argument = known[std::min(i, known.size() - 1)];
      touch(argument.touch, argument.name, invocation_.arguments[i]);
    }
    const bool repo =
        std::any_of(known.begin(), known.end(), [](const auto& a) { return a.name == "REPO_DIR"; });
    if (!repo) return;
    const std::string folder = invocation_.arguments.empty() ? "." : invocation_.arguments.front();
    read(folder);
    tracked(folder);
  }

  /// Where git says what it tracks, which may be above the folder, or elsewhere; and the
  /// repository that may be meant by a folder in it.
  void tracked(const std::string& folder) {
    const auto location = gitrepo::locate(folder);
    if (!location) return;
    read(location->git_dir);
    read(location->work_tree + "/.git");
    if (const auto above = repository::lock_above(folder)) read(*above);
  }

  void flags() {
    for (const cli::GivenFlag& given : invocation_.flags) {
      const cli::Flag* flag = cli::find_flag(invocation_.command, given.name);
      if (flag == nullptr || given.value.empty()) continue;
      touch(flag->touch, flag->value_name, given.value);
      if (flag->value_name == "REPO_DIR") tracked(given.value);
    }
  }

  /// What a command reaches beside its own words.
  void command() {
    if (entry_.reaches(Reach::current_folder) && !invocation_.has("repo")) {
      read(".");
      tracked(".");
    }
    // The folder that it is made in is reached by write(), as long as there is none.
    const bool first = entry_.reaches(Reach::first_workspace) && session_.resolved &&
                       session_.resolved->has_value() &&
                       !exists((**session_.resolved).get(cli::Key::home));
    if (first || entry_.reaches(Reach::npm_itself)) {
      for (const std::string& file : supplies::npm_definition_files(session_.environment)) {
        read(file);
      }
    }
    if (entry_.reaches(Reach::plugins)) {
      if (const auto folder = plugin::find_folder()) read(*folder);
    }
    if (entry_.reaches(Reach::npm_settings)) {
      for (const std::string& file : supplies::npm_config_files(session_.environment)) read(file);
    }
    if (entry_.reaches(Reach::repository)) repository();
    if (entry_.reaches(Reach::machine)) read("/");
  }

  void repository() {
    // A request that is none is told by the command itself.
    const auto request = job::read_request(invocation_);
    if (!request) return;
    read(request->repo);
    if (!request->worktree.empty()) write(request->worktree);
    key(request->sign);
    // Tools that a microVM is given a copy of.
    if (session_.tools && session_.tools->has_value()) {
      for (const std::string& path : (*session_.tools)->readable) read(path);
    }
    tracked(request->repo);
  }

  const Entry& entry_;
  const cli::Invocation& invocation_;
  const Session& session_;
  seal::Reach reach_;
};

}  // namespace

seal::Reach reach_of(const Entry& entry, const cli::Invocation& invocation,
                     const Session& session) {
  return Collector(entry, invocation, session).run();
}

}  // namespace cg::program
