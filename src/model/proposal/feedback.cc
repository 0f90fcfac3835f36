#include "model/proposal/feedback.h"

#include <iterator>

namespace cg::proposal {

namespace {

/// In the order of Reason.
constexpr std::string_view kReasonWords[] = {
    "only the package of the task may be moved",
    "there is no such manifest",
    "the manifest does not name this package",
    "overrides stand in the root manifest alone",
    "nothing is known about this package",
    "no such version is published",
    "the version is not newer than what it replaces",
    "an advisory speaks of that version too",
    "it is a prerelease, and none is installed",
    "it is deprecated, and another version would do",
    "policy does not let that version be taken",
    "it needs another node than the repository has",
    "no lockfile can say what it bundles",
    "it was tried before and failed",
    "only files that the task lists may be changed",
    "a script of a manifest names this file",
    "the context and removed lines of a hunk do not stand in the file",
    "the context and removed lines of a hunk stand in the file more than once",
    "the file would stay as it is",
    "the text cannot be parsed",
    "it uses a global, or a member of one, that the old text does not use",
    "it imports a module or an export that the old text does not import",
    "the new version of the package has no such export",
    "it makes code from text, or makes up the name of a member or module",
    "what is outside of the file is called with other arguments than before, or not called any "
    "more",
    "it writes to something outside that the old text does not write to",
    "a name means something else than before",
    "a name looks like another one",
    "an assertion or an error is gone, changed, or no longer reached as before",
    "it tells tools to look away",
    "a text names a host that the old text does not name",
    "a text or a comment gives orders to whoever reads it",
};
static_assert(std::size(kReasonWords) == static_cast<std::size_t>(Reason::carries_orders) + 1);

/// In the order of DiffFault.
constexpr std::string_view kFaultWords[] = {
    "it is longer than 32 KiB",
    "what stands there does not belong into a unified diff, or names no path as a/PATH and b/PATH",
    "it creates a file",
    "it removes a file",
    "it changes a file that is not in `files`",
    "it leaves a file of `files` as it is",
    "it changes a hidden file",
    "it changes a file of a dependency",
    "it changes a file that is no source",
    "it changes a declaration",
    "it changes configuration",
    "it changes a test",
    "the hunk has no context and no removed line, so that it would fit anywhere",
    "an added line has characters that nobody sees, or goes far off to the right",
    "an added line is too long",
};
static_assert(std::size(kFaultWords) == static_cast<std::size_t>(DiffFault::long_line) + 1);

std::string turned_down(std::string_view rule, std::string_view words) {
  return "Your last answer was turned down: " + std::string(rule) + ": " + std::string(words) +
         ".\n";
}

std::string listed(const std::vector<std::size_t>& lines) {
  std::string out;
  for (const std::size_t line : lines) {
    out += (out.empty() ? "" : ", ") + std::to_string(line);
  }
  return out;
}

std::string words_of(const json::Misplaced& why, const std::string& file) {
  const std::string hunk = "Hunk " + std::to_string(why.hunk) + " of " + file;
  switch (why.kind) {
    case json::Misplaced::Kind::absent:
      return hunk + " finds no place" +
             (why.places.empty() ? ", and nothing in the file is like it" : "") +
             ": copy its context and removed lines from the file as it is.\n";
    case json::Misplaced::Kind::out_of_order:
      return hunk + " stands only in line " + listed(why.places) +
             ", above the hunk before it or where that one changes lines: hunks come in the order "
             "of "
             "the file, and one line is changed by one of them.\n";
    case json::Misplaced::Kind::ambiguous:
      break;
  }
  const bool more = why.places.size() == json::kMaxPlacesTold;
  return hunk + " stands in lines " + listed(why.places) + (more ? " and perhaps more" : "") +
         ": give it more of the lines around, until they stand once. Line numbers do not count.\n";
}

}  // namespace

std::string place_of(const Rejection& rejection) {
  if (rejection.file.empty()) return std::string(rejection.where);
  if (rejection.line == 0) return rejection.file;
  return rejection.file + ":" + std::to_string(rejection.line);
}

std::string feedback(const Rejection& rejection) {
  std::string out =
      turned_down(name(rejection.reason), kReasonWords[static_cast<std::size_t>(rejection.reason)]);
  if (rejection.misplaced) {
    out += words_of(*rejection.misplaced, rejection.file);
    for (const Excerpt& one : rejection.stands) {
      out += "From line " + std::to_string(one.line) + " on " + rejection.file + " has:\n" +
             one.text + "\n";
    }
    return out;
  }
  if (rejection.file.empty()) {
    out += "It is about `" + std::string(rejection.where) + "`.\n";
    return out;
  }
  out += "It is about " + rejection.file;
  // What a rule finds is in the new text, unless it is gone from the old one.
  if (rejection.line > 0) out += ", near line " + std::to_string(rejection.line);
  return out + ".\n";
}

std::string feedback(const Violation& violation) {
  constexpr std::string_view kDiff = "diff.";
  const std::string_view where = violation.where;
  if (violation.fault != Fault::bad_diff || !where.starts_with(kDiff)) {
    return turned_down(name(violation.fault), "it was none of the four shapes");
  }
  const auto refusal = parse_refusal(where.substr(kDiff.size()));
  if (!refusal) return turned_down(name(violation.fault), "the diff cannot be read");
  std::string out =
      turned_down(name(refusal->fault), kFaultWords[static_cast<std::size_t>(refusal->fault)]);
  if (refusal->unit != DiffRefusal::Unit::whole) {
    const std::string text = text_of(*refusal);
    out += "It is about " + text.substr(text.find(' ') + 1) + " of your diff.\n";
  }
  return out;
}

}  // namespace cg::proposal
