#include "learn/rag/rescan.h"

#include "base/base/text.h"
#include "model/canary/forms.h"
#include "model/canary/scan.h"

namespace cg::rag {

namespace {

constexpr std::size_t kMaxPhraseFile = 256U << 10U;
constexpr std::size_t kMaxPhrase = 200;

/// A line ends like a word does: a phrase is one wherever it is broken.
void append_words(std::string& out, std::string_view text) {
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || !out.ends_with(' ')) out += space ? ' ' : c;
  }
}

std::string folded(std::string_view text) {
  std::string out;
  canary::FormReader reader(text, canary::FormReader::Form::folded);
  canary::Piece piece;
  while (reader.next(piece)) append_words(out, piece.text());
  return out;
}

/// Empty: none of them.
std::string phrase_in(std::string_view text, const std::vector<Phrase>& phrases) {
  if (phrases.empty()) return "";
  canary::FormReader reader(text, canary::FormReader::Form::folded);
  canary::Piece piece;
  while (reader.next(piece)) {
    std::string words;
    append_words(words, piece.text());
    for (const Phrase& phrase : phrases) {
      if (words.find(phrase.text) != std::string::npos) return phrase.id;
    }
  }
  return "";
}

}  // namespace

Result<std::vector<Phrase>, std::string> parse_phrases(std::string_view text) {
  std::vector<Phrase> out;
  if (text.size() > kMaxPhraseFile || !is_utf8(text)) {
    return fail(std::string("it is no text, or longer than 256 KiB"));
  }
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    const std::string_view line = trim(raw);
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = line.find(' ');
    const std::string phrase(
        trim(folded(space == std::string_view::npos ? std::string_view() : line.substr(space))));
    if (phrase.empty() || space > 64 || phrase.size() > kMaxPhrase || out.size() == kMaxPhrases) {
      return fail("line " + std::to_string(number) +
                  ": each line is an id, a space and a phrase of at most 200 bytes, 1,000 lines at "
                  "most");
    }
    out.push_back({std::string(line.substr(0, space)), phrase});
  }
  return out;
}

std::vector<Match> scan_example(const example::Example& example,
                                const std::vector<Phrase>& phrases) {
  std::vector<Match> out;
  const auto look = [&](const std::string& field, std::string_view text) {
    const canary::Scan scan = canary::scan(text, SourceKind::rag_retrieved);
    const std::string found =
        scan.collided() ? std::string(scan.hits.front().pattern) : phrase_in(text, phrases);
    if (!found.empty()) out.push_back({found, field});
  };
  look("summary", example.summary);
  look("difference", example.difference);
  look("plan", example.plan);
  look("failure", example.failure);
  look("license", example.license);
  for (std::size_t i = 0; i < example.sites.size(); ++i) {
    const std::string at = "sites[" + std::to_string(i) + "].";
    look(at + "before", example.sites[i].before);
    look(at + "after", example.sites[i].after);
  }
  for (std::size_t i = 0; i < example.changed.size(); ++i) {
    look("changed[" + std::to_string(i) + "]", example.changed[i]);
  }
  return out;
}

}  // namespace cg::rag
