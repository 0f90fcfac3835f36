#include "flow/cli/topics.h"

#include "base/base/text.h"
#include "flow/cli/command.h"
#include "flow/cli/config.h"
#include "flow/cli/tokens.h"

namespace cg::cli {

namespace {

constexpr std::string_view kAuditRecovery =
    R"(`codegenie audit verify` exits with 4 when the audit log is not what was written. No workflow runs until that is explained: a log that repairs itself proves nothing.

1. Do not delete, edit or move anything, and start no other run. The broken bytes are evidence too.

2. Copy the home and the guard folder, with times and modes, to another disk. `config show` names both.

  codegenie config show
  cp -a HOME GUARD_DIR /another/disk/

3. Ask what is wrong with the entry that the error names. This reads and changes nothing.

  codegenie audit verify --explain N

It shows the entry as stored, the value that was expected there and the value that was found. Everything before the first bad entry still verifies.

4. Compare with the anchors. An anchor is a signed statement of the head of the log on one day; copies of it should live where this machine cannot write. The last anchor that agrees with the log is the last day up to which nothing was changed, dropped or added.

  codegenie audit anchor verify --anchor-dir DIR

5. Decide by what you found.

  One entry differs        It was changed in place, or the disk failed. Check
                           the disk, then compare with a backup of that file.
  The log is shorter than  It was cut off or an old copy was put back. Find out
  the guard remembers      who restored it, and look for the newer log.
  The guard knows another  The home was replaced or created anew under the same
  log                      path. Find the old home.
  An anchor disagrees      The log was rewritten before that day, or the anchor
                           is of another log. Treat it as an attack until it is
                           shown to be something else.

The guard folder remembers, outside the home, the last head of each log that this machine has seen. Moving it aside is right in one case only: you know why the log is older than the guard, because you restored a backup or moved the home on purpose, and the anchors agree with the restored log. Then rename the folder, never delete it, and write down who did so and why; the next run starts a new one. If you do not know why, the guard has just done its work.

Nothing is repaired automatically, with one exception: a torn last line above the last checkpoint, which a crash in the middle of a write leaves behind, is dropped by the next writer, and an event in the log says so. There is no repair command.

If the log cannot be explained, keep home and guard as they are and start a new home with `--home DIR`. The old log stays what it is: evidence up to its last good anchor.)";

constexpr std::string_view kFormats1 =
    R"(The result goes to standard output; progress, warnings and errors go to standard error. `--format FORMAT` says how the result is written, `--json` is short for `--format json`, and `-o FORMAT=FILE` also writes it to a file, as often as given. Each command lists the formats it has.)";

constexpr std::string_view kFormats2 =
    R"(Every JSON document names its schema, for example "schema": "codegenie/version/v1", and `codegenie schema NAME` prints it. Later versions may add keys; none is renamed or removed. A run that fails before it has a result prints the error as a document with the schema codegenie/error/v1.

A file given to `-o` is opened before the command starts, so that a bad path costs nothing, and replaced in one step when the result is there. If the run fails it keeps its old content.)";

constexpr std::string_view kIgnores =
    R"(An ignore says that somebody decided to live with a finding, why, and until when. Ignores of the operator stand in policy/ignore.yaml of the workspace. A repository may bring its own in .codegenie/ignore.yaml; these are only mentioned, unless policy says `ignores: {from_repo: allow}`.

  schema: codegenie/ignore/v1
  ignores:
    - id: CVE-2020-28469          # an alias will do
      package: glob-parent        # optional, as version (a range) and path
      reason: only parses our own configuration
      owner: web team
      expires: 2027-01-15         # the first day on which it does not count
      justification: vulnerable_code_cannot_be_controlled_by_adversary

`id`, `reason`, `owner` and `expires` are mandatory, and policy caps how far away the expiry may be (180 days by default). A file with one bad ignore is not used at all: the scan ends with exit code 2. An expired ignore brings its finding back and says so; one that matches nothing is a warning.

`justification` is one of OpenVEX's labels. With one, SARIF, CycloneDX and OpenVEX say that the finding does not affect you; without one they say that it is accepted for now.

What is hidden is never silent: the table counts it, `--show-suppressed` lists it, and the JSON has it under `suppressed`.)";

constexpr std::string_view kOffline =
    R"(A scan uses no network at all. Only `vuln-index refresh` without --from and `remediate` without --offline do, through two small programs: codegenie-broker looks the host up and dials it, codegenie-fetch speaks TLS and HTTP over the connection it is handed; each shuts itself in before it reads anything. codegenie itself links no network library.

Without a network, fetch a feed elsewhere and carry it over:

  codegenie vuln-index refresh --from all.zip

Or carry a whole index, which keeps the age it has:

  codegenie vuln-index export --out advisories.tar.zst     (there)
  codegenie vuln-index import advisories.tar.zst           (here)

`--offline` makes sure: whatever would use the network fails instead.)";

constexpr std::string_view kEnvironment =
    R"(A flag wins over a variable, a variable over every configuration file. `codegenie config show --origin` tells where each setting came from. An empty variable counts as not set.)";

constexpr std::string_view kExitCodes =
    R"(A fleet may decide by these numbers alone; the second line says how.)";

constexpr std::string_view kFlags =
    R"(Every command takes these flags, before or after its words. `--` ends the flags; a value that begins with a dash is given as `--flag=-value`. Flags cannot be shortened.)";

/// Paragraphs, wrapped; one that begins with two spaces is kept as it is.
std::string prose(std::string_view text, const Style& style) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    const std::string_view paragraph = text.substr(0, end);
    if (!out.empty()) out += "\n";
    out += paragraph.starts_with("  ") ? style.words(paragraph) + "\n"
                                       : wrapped(style.words(paragraph), kColumns, 0);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 2);
  }
  return out;
}

std::string exit_codes(const Style& style) {
  Entries entries;
  for (const ExitCodeRow& row : exit_code_table()) {
    const std::string number = std::to_string(row.number);
    entries.emplace_back(
        std::string(3 - number.size(), ' ') + number + "  " + std::string(row.name), row.meaning);
    entries.emplace_back("", "→ " + std::string(row.reaction));
  }
  return prose(kExitCodes, style) + "\n" + two_columns(entries, style);
}

std::string environment(const Style& style) {
  Entries entries;
  for (const Variable& variable : environment_variables()) {
    entries.emplace_back(variable.name, variable.help);
  }
  return prose(kEnvironment, style) + "\n" + two_columns(entries, style);
}

std::string formats(const Style& style) {
  Entries entries;
  for (const Format format : kFormats) entries.emplace_back(name(format), describe(format));
  return prose(kFormats1, style) + "\n" + two_columns(entries, style) + "\n" +
         prose(kFormats2, style);
}

std::string flags(const Style& style) {
  Entries entries;
  for (const Flag& flag : global_flags()) entries.emplace_back(flag_form(flag), flag.help);
  return prose(kFlags, style) + "\n" + two_columns(entries, style);
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {
      {"exit-codes", "What each exit code means and what to do about it"},
      {"environment", "The variables that are read"},
      {"formats", "How results are written"},
      {"flags", "The flags of every command"},
      {"ignores", "How to live with a finding for a while"},
      {"offline", "What uses the network, and how to do without"},
      {"audit-recovery", "What to do when `audit verify` exits with 4"},
  };
  return all;
}

std::optional<std::string> topic_text(std::string_view topic, const Style& style) {
  if (topic == "exit-codes") return exit_codes(style);
  if (topic == "environment") return environment(style);
  if (topic == "formats") return formats(style);
  if (topic == "flags") return flags(style);
  if (topic == "ignores") return prose(kIgnores, style);
  if (topic == "offline") return prose(kOffline, style);
  if (topic == "audit-recovery") return prose(kAuditRecovery, style);
  return std::nullopt;
}

std::vector<Variable> environment_variables() {
  std::vector<Variable> variables;
  for (const SettingRow& setting : setting_table()) {
    variables.push_back({setting.variable, setting.help});
  }
  constexpr Variable kOthers[] = {
      {"HOME", "where the defaults of the folders begin"},
      {"XDG_CONFIG_HOME", "where codegenie/config.yaml is looked for; ~/.config if not set"},
      {"XDG_STATE_HOME", "where home and guard_dir are by default; ~/.local/state if not set"},
      {"NO_COLOR", "if not empty, no colour unless a flag or setting asks for it"},
      {"FORCE_COLOR", "colour also where there is no terminal; 0 does nothing"},
      {"CLICOLOR_FORCE", "the same"},
      {"TERM", "no colour if not set or `dumb`"},
      {"LC_ALL, LC_CTYPE, LANG",
       "whether the terminal shows UTF-8; otherwise words replace the glyphs"},
  };
  variables.insert(variables.end(), std::begin(kOthers), std::end(kOthers));
  return variables;
}

}  // namespace cg::cli
