#include "prove/runners/failure.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "prove/runners/shown.h"

namespace cg::runners {

namespace {

/// Output that is longer is looked at from its end.
constexpr std::size_t kMaxLooked = 256U << 10U;
constexpr std::size_t kMaxOwnFrames = 4;  // of one stack
constexpr std::size_t kMaxToldLine = 500;

/// What changes from run to run, and the word for it. In this order: what one leaves, the next may
/// take.
struct Change {
  const char* what;
  const char* word;
};
constexpr Change kChanges[] = {
    {R"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)", "TIME"},
    {R"(\b\d\d:\d\d:\d\d(?:\.\d+)?\b)", "TIME"},
    {R"(\(node:\d+\))", "(node:PID)"},
    {R"((?i)\b(pid|process)([ :=]+)\d+\b)", R"(\1\2PID)"},
    {R"((localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1?\]?):\d{4,5}\b)", R"(\1:PORT)"},
    {R"((?i)\bport([ :=]+)\d{4,5}\b)", R"(port\1PORT)"},
    {R"((/tmp|/var/tmp|/dev/shm)/[^\s'"`(),;:]+)", R"(\1/NAME)"},
    {R"(\b0x[0-9a-fA-F]{6,}\b)", "0xN"},
    {R"(\b(duration_ms|time)([ :=]+)\d+(?:\.\d+)?\b)", R"(\1\2N)"},
    {R"((^|[^\w.])\d+(?:\.\d+)?( ?)(ms|s|m|min|seconds?|minutes?|milliseconds?)\b)", R"(\1N\2\3)"},
};

const RE2& compiled(std::size_t at) {
  static const auto kAll = [] {
    std::array<std::unique_ptr<RE2>, std::size(kChanges)> out;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = std::make_unique<RE2>(kChanges[i].what, RE2::Quiet);
      CG_ASSERT(out[i]->ok());
    }
    return out;
  }();
  return *kAll[at];
}

std::string steady(std::string line) {
  for (std::size_t i = 0; i < std::size(kChanges); ++i) {
    RE2::GlobalReplace(&line, compiled(i), kChanges[i].word);
  }
  return line;
}

void erase_all(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.erase(at, what.size());
  }
}

/// Paths as the repository has them.
std::string beneath(std::string line, std::string_view root) {
  if (root.empty()) return line;
  for (const std::string_view before : {"file://", ""}) {
    erase_all(line, std::string(before) + std::string(root) + "/");
  }
  return line;
}

/// node's own insides, and what a package manager or node says of its own end.
bool is_of_tools(std::string_view line) {
  static const RE2 kTools(
      R"(node:[a-z_/]+:\d+|\(internal/|^\s*at .*\bnative\b|^Node\.js v|^npm (ERR!|error|notice|warn|WARN)|^\s*at .*<anonymous>\)?$)",
      RE2::Quiet);
  return RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), kTools);
}

/// "lib/a.js:3:5" of a line of a stack; empty if it is none. Names of functions are another matter
/// in each version of node.
std::string_view frame_of(std::string_view line) {
  static const RE2 kFrame(
      R"(^\s*(?:at )?(?:.*\()?([^\s()]+\.(?:js|cjs|mjs|jsx|ts|cts|mts|tsx):\d+(?::\d+)?)\)?$)",
      RE2::Quiet);
  static const RE2 kStarts(R"(^\s*at |^\s*\S+ \(|^\s*[^\s:()]+:\d+:\d+\)?$)", RE2::Quiet);
  const re2::StringPiece piece(line.data(), line.size());
  re2::StringPiece found;
  if (!RE2::PartialMatch(piece, kStarts) || !RE2::FullMatch(piece, kFrame, &found)) return {};
  return {found.data(), found.size()};
}

/// Lines one after the other, with the stacks among them cut down to what says something.
class Telling {
 public:
  explicit Telling(std::string_view root) : root_(root) {}

  void take(std::string_view raw) {
    if (is_of_tools(raw)) return;
    std::string line = beneath(std::string(cut_utf8(raw, kMaxToldLine)), root_);
    if (const std::string_view frame = frame_of(line); !frame.empty()) {
      take_frame(std::string(frame));
      return;
    }
    own_ = foreign_ = 0;
    line = steady(std::move(line));
    const bool blank = trim(line).empty();
    if (blank && (out_.empty() || out_.back().empty())) return;
    out_.push_back(blank ? "" : std::move(line));
  }

  [[nodiscard]] std::string text(std::size_t most) {
    while (!out_.empty() && out_.back().empty()) out_.pop_back();
    std::string out;
    for (const std::string& line : out_) {
      if (out.size() + line.size() + 1 > most) break;
      out += line + "\n";
    }
    return out;
  }

 private:
  void take_frame(std::string frame) {
    const bool foreign = frame.find("node_modules/") != std::string::npos;
    std::size_t& seen = foreign ? foreign_ : own_;
    if (seen++ >= (foreign ? 1 : kMaxOwnFrames)) return;
    out_.push_back("    at " + steady(std::move(frame)));
  }

  std::string_view root_;
  std::vector<std::string> out_;
  std::size_t own_ = 0;  // frames of the stack that is being read
  std::size_t foreign_ = 0;
};

/// The keys of a diagnostic that say what was wrong, and where.
bool is_wanted(std::string_view key) {
  for (const std::string_view one : {"error", "message", "code", "diff", "stack", "values"}) {
    if (key == one) return true;
  }
  return false;
}

std::string_view unquoted(std::string_view value) {
  const bool quoted = value.size() >= 2 && (value.front() == '\'' || value.front() == '"') &&
                      value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

std::string told(std::string_view output, std::string_view root, std::size_t most) {
  Telling out(root);
  const std::string text =
      without_escapes(output.substr(output.size() - std::min(output.size(), kMaxLooked)));
  for (const std::string_view line : split(text, '\n')) out.take(line);
  return out.text(most);
}

std::string told_in_yaml(const std::vector<std::string>& lines, std::string_view root) {
  Telling out(root);
  bool wanted = false;
  for (const std::string& line : lines) {
    const bool outer = !line.starts_with(' ');
    const std::size_t colon = outer ? line.find(':') : std::string::npos;
    if (outer) wanted = colon != std::string::npos && is_wanted(line.substr(0, colon));
    if (!wanted) continue;
    std::string_view said = outer ? std::string_view(line).substr(colon + 1) : line;
    said = unquoted(trim(said));
    if (!said.starts_with('|') && !said.starts_with('>')) out.take(said);
  }
  return out.text(kMaxFailureBytes);
}

std::string list_failures(std::vector<Failure> failures, std::size_t most) {
  std::stable_sort(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
    return a.text.size() < b.text.size();
  });
  std::string out;
  std::vector<std::string_view> told_before;
  for (const Failure& one : failures) {
    if (std::find(told_before.begin(), told_before.end(), one.text) != told_before.end()) continue;
    told_before.push_back(one.text);
    const auto same = std::count_if(failures.begin(), failures.end(),
                                    [&](const Failure& other) { return other.text == one.text; });
    std::string entry = one.id;
    if (same > 1) entry += ", and " + std::to_string(same - 1) + " more";
    entry += ":\n" + one.text;
    if (out.size() + entry.size() <= most) out += entry;
  }
  return out;
}

}  // namespace cg::runners
