// A review in words: for documents as lines of spans, for the terminal and the commit as text.
#include <algorithm>

#include "base/base/text.h"
#include "fix/report/document.h"
#include "fix/report/review.h"
#include "vuln/formats/words.h"

namespace cg::report {

namespace {

constexpr std::size_t kMostFiles = 5;  // of each kind, in a sentence

std::string_view written_by(Author author) {
  switch (author) {
    case Author::engine:
      break;
    case Author::model:
      return ", written by a model";
    case Author::example:
      return ", carried over from a solved example";
  }
  return "";
}

std::string counts(const FileChange& change) {
  return " +" + std::to_string(change.added) + " -" + std::to_string(change.removed);
}

}  // namespace

Line counted_files(const std::vector<FileChange>& files) {
  Line out;
  for (std::size_t i = 0; i < std::min(files.size(), kMostFiles); ++i) {
    if (i > 0) out.push_back(ours(", "));
    out += {code(files[i].path), ours(counts(files[i]))};
  }
  if (files.size() > kMostFiles) {
    out.push_back(ours(" and " + grouped(files.size() - kMostFiles) + " more"));
  }
  return out;
}

namespace {

Line where_to_look(const Review& review) {
  Line out = {strong("What a reviewer should look at:"), ours(" ")};
  if (!review.model.empty()) {
    const bool model =
        std::any_of(review.model.begin(), review.model.end(),
                    [](const auto& change) { return change.author == Author::model; });
    out.push_back(ours(model ? "first what a model wrote, line by line: "
                             : "first what was carried over from a solved example: "));
    out += counted_files(review.model);
    out.push_back(ours(". Then "));
  }
  const bool manifest = !review.manifests.empty();
  if (!manifest && review.rest.empty()) {
    out.back() = ours(". Nothing else changes.");
    return out;
  }
  out += counted_files(manifest ? review.manifests : review.rest);
  if (review.overrides) out.push_back(ours(", above all its overrides"));
  if (!manifest) {
    out.push_back(ours(". No manifest changes."));
  } else if (review.rest.empty()) {
    out.push_back(ours("."));
  } else {
    out.push_back(ours(". The rest follows from it: "));
    out += counted_files(review.rest);
    out.push_back(ours("."));
  }
  return out;
}

Line weak_gates(const Review& review) {
  Line out = {strong("Weak:"), ours(" ")};
  for (std::size_t i = 0; i < std::min(review.weak.size(), kMostFiles); ++i) {
    if (i > 0) out.push_back(ours("; "));
    out.push_back(words(review.weak[i].signal));
    if (!review.weak[i].words.empty()) out += {ours(" ("), words(review.weak[i].words), ours(")")};
    out += {ours(": "), words(review.weak[i].weak)};
  }
  if (review.weak.size() > kMostFiles) {
    out.push_back(ours(" and " + grouped(review.weak.size() - kMostFiles) + " more"));
  }
  out.push_back(ours(". What passed so is not proven."));
  return out;
}

}  // namespace

std::vector<Line> review_notes(const Review& review) {
  std::vector<Line> out;
  if (!review.files().empty()) out.push_back(where_to_look(review));
  if (!review.weak.empty()) out.push_back(weak_gates(review));
  return out;
}

Section said_section(const Review& review) {
  const bool model = std::any_of(review.said.begin(), review.said.end(),
                                 [](const auto& said) { return said.example.empty(); });
  Section out{{ours(model ? "What the model said for its plan (quoted, untrusted text)"
                          : "Where the plan comes from")},
              {},
              {},
              {}};
  out.table.head = {"Branch", "Plan", "Its reason"};
  for (const Review::Said& said : review.said) {
    out.table.rows.push_back(
        {{code(said.branch)},
         {words(spoken(said.kind))},
         {said.rationale.empty() ? ours("none given") : quote(said.rationale)}});
  }
  return out;
}

std::vector<std::string> file_lines(const Review& review) {
  std::vector<std::string> out;
  for (const FileChange& change : review.files()) {
    out.push_back(formats::shown(change.path, kLongest) + counts(change) +
                  std::string(written_by(change.author)));
  }
  return out;
}

std::vector<std::string> caution_lines(const Review& review) {
  std::vector<std::string> out;
  for (const Review::Said& said : review.said) {
    std::string line = said.example.empty() ? "plan of a model: "
                                            : "plan after solved example " + said.example + ": ";
    line += formats::shown(spoken(said.kind), kLongest);
    if (!said.rationale.empty()) {
      line += "; its reason, quoted and not to be trusted: \"" +
              formats::shown(said.rationale, kLongest) + "\"";
    }
    out.push_back(std::move(line));
  }
  for (const Gate& gate : review.weak) {
    std::string line = "weak: " + formats::shown(gate.signal, kLongest);
    if (!gate.words.empty()) line += " (" + formats::shown(gate.words, kLongest) + ")";
    out.push_back(line + ": " + formats::shown(gate.weak, kLongest) + "; not proven");
  }
  return out;
}

}  // namespace cg::report
