#include "frame.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/base/text.h"
#include "flow/cli/help.h"
#include "flow/cli/problem.h"
#include "output.h"
#include "sealing/refusals.h"
#include "sealing/seal.h"

namespace cg::program {

namespace {

struct Manner {
  cli::Format format = cli::Format::table;
  bool quiet = false;
};

void say(std::string_view text, const Session& session) {
  write_stderr(cli::outgoing(text, cli::Format::table, session.err_style));
}

void tell(const Problem& problem, const Session& session, const Manner& manner) {
  const auto hints = manner.quiet ? cli::Hints::hide : cli::Hints::show;
  say(cli::render_problem(problem, session.err_style, hints), session);
}

bool is_json(cli::Format format) {
  return format == cli::Format::json || format == cli::Format::jsonl;
}

/// Ends a run that has no result.
ExitCode give_up(const Problem& problem, const Session& session, const Manner& manner) {
  tell(problem, session, manner);
  if (!is_json(manner.format)) return problem.exit();
  const std::string json = json_text(cli::problem_json(problem), manner.format);
  const auto written = write_stdout(cli::outgoing(json, manner.format, session.out_style));
  if (!written) tell(written.error(), session, manner);
  return problem.exit();
}

ExitCode after_lost_output(ExitCode exit) {
  const bool plain = exit == ExitCode::ok || exit == ExitCode::findings;
  return plain ? ExitCode::usage : exit;
}

struct Extra {
  cli::Format format;
  PendingFile file;
};

Result<std::vector<Extra>, Problem> open_outputs(const cli::Invocation& invocation) {
  std::vector<Extra> extras;
  for (const cli::Output& output : invocation.outputs) {
    CG_TRY_ASSIGN(PendingFile file, PendingFile::open(output.file));
    extras.push_back({output.format, std::move(file)});
  }
  return extras;
}

ExitCode print(const Report& report, std::vector<Extra> extras, const Session& session,
               const Manner& manner) {
  ExitCode exit = report.exit;
  const auto check = [&](const Result<Done, Problem>& written) {
    if (written) return;
    tell(written.error(), session, manner);
    exit = after_lost_output(exit);
  };
  // Files are for other programs and tickets, not for this terminal.
  const cli::Style file_style(cli::Color::off, cli::Charset::utf8);
  const auto rendered = [&](cli::Format format, const cli::Style& style, bool watched) {
    std::string text = report.render(format, style);
    return report.bytes == Bytes::exact && !watched ? text : cli::outgoing(text, format, style);
  };
  for (Extra& extra : extras) check(extra.file.commit(rendered(extra.format, file_style, false)));
  check(write_stdout(rendered(manner.format, session.out_style, session.out_is_watched)));
  if (report.problem) tell(*report.problem, session, manner);
  if (manner.quiet) return exit;
  const cli::Style& style = session.err_style;
  std::string notes;
  std::vector<std::string> warnings = report.warnings;
  if (!session.ci_key.warning.empty()) warnings.push_back(session.ci_key.warning);
  for (const std::string& line : warnings) {
    notes += style.paint(cli::Role::warning, "warning") + ": " + printable(line) + "\n";
  }
  for (const std::string& line : report.hints) {
    notes += style.paint(cli::Role::code, "hint") + ": " + printable(line) + "\n";
  }
  say(notes, session);
  return exit;
}

Result<Report, Problem> help_report(const CommandSet& commands, const cli::Invocation& invocation,
                                    const Session& session) {
  CG_TRY_ASSIGN(std::string text,
                cli::help_on(commands.table, invocation.words, session.out_style));
  return text_report(std::move(text));
}

Result<Report, Problem> run_command(const CommandSet& commands, const cli::Invocation& invocation,
                                    Session& session) {
  switch (invocation.mode) {
    case cli::Mode::help:
      return help_report(commands, invocation, session);
    case cli::Mode::version:
      return text_report(std::string(commands.table.program) + " " +
                         std::string(commands.table.version) + "\n");
    case cli::Mode::run:
      break;
  }
  // A file that was named on purpose must be good, even for a command that needs
  // no settings.
  if (invocation.has("config")) CG_TRY(session.settings());
  return entry_of(commands, *invocation.command).run(invocation, session);
}

bool proves_fixes(const CommandSet& commands, const cli::Invocation& invocation) {
  if (invocation.mode != cli::Mode::run ||
      !entry_of(commands, *invocation.command).reaches(Reach::package_managers)) {
    return false;
  }
  const auto is_given = [&](std::string_view flag) {
    return cli::find_flag(invocation.command, flag) != nullptr && invocation.has(flag);
  };
  return !is_given("dry-run") && !is_given("plan-only") && !is_given("no-gates") &&
         !is_given("workflow");
}

/// KiB of a line of /proc/meminfo: "MemTotal:"; 0 if there is no such line.
std::uint64_t memory_of(std::string_view name) {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const std::string_view rest = trim(std::string_view(line).substr(name.size()));
    return parse_u64(rest.substr(0, rest.find(' '))).value_or(0);
  }
  return 0;
}

/// One for each processor, as far as there is memory for what most take.
unsigned suites_at_once() {
  constexpr std::uint64_t kForOne = 3ULL << 20U;  // KiB: of a step, and its files
  const std::uint64_t available = memory_of("MemAvailable:");
  const std::uint64_t processors = std::thread::hardware_concurrency();
  constexpr std::uint64_t kMost = 8;
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(std::min(processors, available / kForOne), 1, kMost));
}

/// node itself says where it is, and a sealed process could not ask it.
void look_for_tools(Session& session) {
  session.machine = {suites_at_once(), (memory_of("MemTotal:") << 10U) / 4 * 3};
  session.tools = catalog::find_tools(cli::variable(session.environment, "PATH"),
                                      cli::variable(session.environment, "HOME"));
}

/// Once, before the first byte of others is read. From here on spawn::current() starts what
/// this process no longer can.
Result<std::optional<Seal>, Problem> shut_in(const CommandSet& commands,
                                             const cli::Invocation& invocation, Session& session) {
  if (invocation.mode != cli::Mode::run) return std::optional<Seal>();
  const Entry& entry = entry_of(commands, *invocation.command);
  if (entry.sealing == Sealing::reads_nothing) return std::optional<Seal>();
  CG_TRY_ASSIGN(Seal seal, seal_program(entry, invocation, session));
  spawn::set_current(seal.host.get());
  return std::optional(std::move(seal));
}

}  // namespace

ExitCode run(const CommandSet& commands, Session& session) {
  const cli::Wish wish = cli::peek(session.args);
  decide_styles(session, wish.color);
  if (session.args.empty()) {
    say(cli::top_help(commands.table, session.err_style), session);
    return ExitCode::usage;
  }
  const auto parsed = cli::parse(commands.table, session.args);
  if (!parsed) return give_up(parsed.error(), session, {wish.format, wish.quiet});
  const cli::Invocation& invocation = *parsed;
  const Manner manner{invocation.format, invocation.has("quiet")};
  session.resolved = load_settings(invocation, session.environment);
  decide_styles(session, invocation.value("color"));
  auto extras = open_outputs(invocation);
  if (!extras) return give_up(extras.error(), session, manner);
  if (proves_fixes(commands, invocation)) look_for_tools(session);
  const auto seal = shut_in(commands, invocation, session);
  if (!seal) return give_up(seal.error(), session, manner);
  session.seal = *seal ? &**seal : nullptr;
  const auto report = run_command(commands, invocation, session);
  // A command that tried to reach the network has no result that could be trusted.
  if (const auto refused = note_refusals(session)) return give_up(*refused, session, manner);
  if (!report) return give_up(report.error(), session, manner);
  return print(*report, *std::move(extras), session, manner);
}

}  // namespace cg::program
