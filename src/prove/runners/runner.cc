#include "prove/runners/runner.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/base/text.h"
#include "prove/runners/reports.h"

namespace cg::runners {

namespace {

using Words = std::vector<std::string>;

/// A shell's words, if the command is one that needs no shell: quotes, and nothing else that
/// a shell would act upon. Patterns and variables may stand in arguments.
class WordReader {
 public:
  std::optional<Words> read(std::string_view script) && {
    for (const char c : script) {
      if (!take(c)) return std::nullopt;
    }
    if (quote_ != 0) return std::nullopt;
    end_word();
    return std::move(words_);
  }

 private:
  bool take(char c) {
    static constexpr std::string_view kActs = "|&;<>()`\\#!\n\r";
    if (quote_ == 0 && kActs.find(c) != std::string_view::npos) return false;
    if (c == '(' && word_.ends_with('$')) return false;
    if (c == '`' || c == '\\') return quote_ == '\'' && (word_ += c, true);
    if (quote_ != 0) {
      if (c == quote_) {
        quote_ = 0;
      } else {
        word_ += c;
      }
      return true;
    }
    if (c == '\'' || c == '"') {
      quote_ = c;
      in_word_ = true;
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else {
      word_ += c;
      in_word_ = true;
    }
    return true;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  Words words_;
  std::string word_;
  bool in_word_ = false;
  char quote_ = 0;
};

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

/// Tools that run the rest of their line as a command of its own.
bool is_prefix(std::string_view word) {
  static constexpr std::array<std::string_view, 5> kTools = {"cross-env", "cross-env-shell", "npx",
                                                             "nyc", "c8"};
  return std::find(kTools.begin(), kTools.end(), word) != kTools.end();
}

/// Where the command proper starts, behind variables and prefixes with their options.
std::size_t past_prefixes(const Words& words) {
  std::size_t i = 0;
  while (i < words.size() && is_assignment(words[i])) ++i;
  while (i < words.size() && is_prefix(words[i])) {
    ++i;
    while (i < words.size() && (is_assignment(words[i]) || words[i].starts_with('-'))) ++i;
  }
  return i;
}

/// "mocha" of "./node_modules/.bin/mocha".
std::string_view base_name(std::string_view path) {
  const bool is_path = path.find('/') != std::string_view::npos;
  if (is_path && path.find("node_modules/") == std::string_view::npos) return {};
  return path.substr(path.rfind('/') + 1);
}

struct Known {
  std::string_view command;
  Runner runner;
};
constexpr std::array<Known, 10> kKnown = {{{"jest", Runner::jest},
                                           {"jest.js", Runner::jest},
                                           {"mocha", Runner::mocha},
                                           {"mocha.js", Runner::mocha},
                                           {"_mocha", Runner::mocha},
                                           {"ts-mocha", Runner::mocha},
                                           {"vitest", Runner::vitest},
                                           {"vitest.mjs", Runner::vitest},
                                           {"tap", Runner::tap},
                                           {"ava", Runner::ava}}};

Runner runner_of(std::string_view command) {
  const std::string_view base = base_name(command);
  for (const Known& known : kKnown) {
    if (base == known.command) return known.runner;
  }
  return Runner::unknown;
}

/// `node --test …`, or a runner's file given to node.
Runner runner_of_node(const Words& words, std::size_t at) {
  for (; at < words.size(); ++at) {
    if (words[at] == "--test") return Runner::node_test;
    if (words[at].starts_with("--test=")) return Runner::unknown;
    if (!words[at].starts_with('-')) return runner_of(words[at]);
  }
  return Runner::unknown;
}

/// Says itself where results go, watches, or ends its options: nothing can be added.
bool has_own_will(std::string_view word) {
  static constexpr std::array<std::string_view, 18> kOptions = {"--",
                                                                "--reporter",
                                                                "--reporters",
                                                                "-R",
                                                                "--json",
                                                                "--outputFile",
                                                                "--output-file",
                                                                "--test-reporter",
                                                                "--watch",
                                                                "--watchAll",
                                                                "-w",
                                                                "--tap",
                                                                "-o",
                                                                "--verify",
                                                                "watch",
                                                                "dev",
                                                                "bench",
                                                                "--listTests"};
  word = word.substr(0, word.find('='));
  return std::find(kOptions.begin(), kOptions.end(), word) != kOptions.end() ||
         word.starts_with("--outputFile.") || word.starts_with("--reporter-option");
}

struct Release {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
};

std::optional<Release> release_of(std::string_view version) {
  const auto parts = split(version, '.');
  const auto major = parse_u64(parts.front());
  const auto minor = parts.size() > 1 ? parse_u64(parts[1]) : std::nullopt;
  if (!major || !minor) return std::nullopt;
  return Release{*major, *minor};
}

/// Before these, a runner writes no report of its own into a file, or in another shape.
bool can_report(Runner runner, std::string_view version) {
  if (runner == Runner::node_test) return true;  // comes with node
  const auto release = release_of(version);
  if (!release) return false;
  switch (runner) {
    case Runner::jest:
      return release->major >= 20;
    case Runner::mocha:
      return release->major > 9 || (release->major == 9 && release->minor >= 2);
    case Runner::vitest:
      return release->major > 0 || release->minor >= 20;
    case Runner::tap:
      return release->major >= 15;
    case Runner::ava:
      return release->major >= 1;
    case Runner::node_test:
    case Runner::unknown:
      break;
  }
  return false;
}

}  // namespace

Runner detect(std::string_view script) {
  const auto words = WordReader().read(script);
  if (!words) return Runner::unknown;
  if (std::any_of(words->begin(), words->end(), has_own_will)) return Runner::unknown;
  const std::size_t at = past_prefixes(*words);
  if (at == words->size()) return Runner::unknown;
  const std::string& command = (*words)[at];
  if (command == "node") {
    // The report is asked for in NODE_OPTIONS: a script that sets it takes it away.
    const bool sets_options = std::any_of(words->begin(), words->end(), [](const std::string& w) {
      return w.starts_with("NODE_OPTIONS=");
    });
    const Runner found = runner_of_node(*words, at + 1);
    return found == Runner::node_test && sets_options ? Runner::unknown : found;
  }
  if (command == "react-scripts" && at + 1 < words->size() && (*words)[at + 1] == "test") {
    return Runner::jest;
  }
  return runner_of(command);
}

Reporting reporting(Runner runner, std::string_view version, std::string_view file) {
  Reporting out;
  if (!can_report(runner, version)) return out;
  out.runner = runner;
  out.file = file;
  const std::string path(file);
  switch (runner) {
    case Runner::jest:
      out.args = {"--json", "--outputFile=" + path};
      break;
    case Runner::mocha:
      out.args = {"--reporter", "json", "--reporter-option", "output=" + path};
      break;
    case Runner::vitest:
      out.args = {"--reporter=default", "--reporter=json", "--outputFile.json=" + path};
      break;
    case Runner::node_test:
      // After the script's own words they would be arguments of a test, not of node. A second
      // pair keeps what people read.
      out.env = {"NODE_OPTIONS=--test-reporter=tap --test-reporter-destination=" + path +
                 " --test-reporter=spec --test-reporter-destination=stdout"};
      break;
    case Runner::tap:
      out.args = {"--reporter=tap", "--output-file=" + path};
      break;
    case Runner::ava:
      out.args = {"--tap"};
      out.file.clear();  // ava keeps what tests print out of its standard output
      break;
    case Runner::unknown:
      break;
  }
  return out;
}

TestRun read_report(Runner runner, std::string_view text, std::string_view root) {
  if (text.size() >= kMaxReportBytes) {
    CaseList list(runner, root);
    list.lacks("the report is too large");
    return std::move(list).finish();
  }
  switch (runner) {
    case Runner::jest:
    case Runner::vitest:
      return read_jest_json(runner, text, root);
    case Runner::mocha:
      return read_mocha_json(text, root);
    case Runner::ava:
      // The scripts around it print to the same stream.
      text.remove_prefix(std::min(text.find("TAP version "), text.size()));
      return read_tap(runner, text, root);
    case Runner::node_test:
    case Runner::tap:
      return read_tap(runner, text, root);
    case Runner::unknown:
      break;
  }
  return {};
}

}  // namespace cg::runners
