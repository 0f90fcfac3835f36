#include "session.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "base/os/open.h"
#include "base/os/ports.h"

namespace cg::program {

namespace {

cli::Terminal terminal(int fd) { return isatty(fd) == 1 ? cli::Terminal::yes : cli::Terminal::no; }

bool is_file(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

/// What the runners of GitHub, GitLab, Azure and TeamCity set; most others set the first.
bool is_ci(const cli::Environment& environment) {
  constexpr std::string_view kVariables[] = {"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD",
                                             "TEAMCITY_VERSION"};
  return std::any_of(std::begin(kVariables), std::end(kVariables), [&](std::string_view name) {
    return !cli::variable(environment, name).empty();
  });
}

/// The file, up to one byte past the limit; the error number otherwise.
Result<std::string, int> read_config(const std::string& path) {
  const int fd = os::open_path(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return fail(errno);
  std::string text;
  std::array<char, 16384> buffer{};
  while (text.size() <= cli::kMaxConfigBytes) {
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int error = errno;
      close(fd);
      return fail(error);
    }
    if (got == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(fd);
  return text;
}

Problem unreadable(const std::string& path, int error) {
  return {ErrorCode::config_bad,
          "configuration file cannot be read: " + std::generic_category().message(error),
          {{"file", path}},
          "nothing was done",
          {}};
}

}  // namespace

Result<cli::Settings, Problem> Session::settings() const {
  CG_ASSERT(resolved.has_value());
  return *resolved;
}

Session read_session(int argc, const char* const* argv, const char* const* environment) {
  Session session;
  for (int i = 1; i < argc; ++i) session.args.emplace_back(argv[i]);
  for (const char* const* entry = environment; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    session.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  session.in = terminal(STDIN_FILENO);
  session.out = terminal(STDOUT_FILENO);
  session.err = terminal(STDERR_FILENO);
  session.out_is_watched =
      session.out == cli::Terminal::yes || (is_ci(session.environment) && !is_file(STDOUT_FILENO));
  return session;
}

void decide_styles(Session& session, std::optional<std::string> color_flag) {
  const auto get = [&](std::string_view name) { return cli::variable(session.environment, name); };
  const std::string no_color = get("NO_COLOR");
  const std::string force_color = get("FORCE_COLOR");
  const std::string clicolor_force = get("CLICOLOR_FORCE");
  const std::string term = get("TERM");
  cli::ColorInputs inputs{{}, {}, no_color, force_color, clicolor_force, term, session.out};
  if (color_flag) inputs.flag = cli::parse_color_choice(*color_flag);
  if (session.resolved && session.resolved->has_value()) {
    inputs.config = cli::parse_color_choice((*session.resolved)->get(cli::Key::color));
  }
  const auto charset = cli::decide_charset(get("LC_ALL"), get("LC_CTYPE"), get("LANG"));
  session.out_style = cli::Style(cli::decide_color(inputs), charset);
  if (get("GITHUB_ACTIONS") == "true") {
    session.out_style = session.out_style.with_stop_token(to_hex(os::SystemRandom().bytes<16>()));
  }
  inputs.terminal = session.err;
  session.err_style = cli::Style(cli::decide_color(inputs), charset);
}

Result<cli::Settings, Problem> load_settings(const cli::Invocation& invocation,
                                             const cli::Environment& environment) {
  cli::ConfigInputs inputs;
  inputs.environment = environment;
  if (const auto home = invocation.value("home")) inputs.flags[cli::Key::home] = *home;
  if (const auto color = invocation.value("color")) inputs.flags[cli::Key::color] = *color;
  if (const auto progress = invocation.value("progress")) {
    inputs.flags[cli::Key::progress] = *progress;
  }
  if (const auto named = invocation.value("config")) {
    auto text = read_config(*named);
    if (!text) return fail(unreadable(*named, text.error()));
    inputs.files.push_back({cli::Layer::named_file, *named, *std::move(text)});
  }
  if (!invocation.has("no-config")) {
    for (const cli::ConfigPlace& place : cli::config_places(environment)) {
      auto text = read_config(place.path);
      if (text) {
        inputs.files.push_back({place.layer, place.path, *std::move(text)});
      } else if (text.error() != ENOENT && text.error() != ENOTDIR) {
        return fail(unreadable(place.path, text.error()));
      }
    }
  }
  return cli::resolve_settings(inputs);
}

}  // namespace cg::program
