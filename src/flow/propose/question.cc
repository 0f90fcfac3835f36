#include "flow/propose/question.h"

#include <algorithm>

#include "fetch/gitrepo/client.h"
#include "flow/scan/index.h"
#include "model/callsite/callsite.h"
#include "model/proposal/path.h"
#include "npm/semver/version.h"
#include "npm/syntax/language.h"
#include "prove/gate/attempts.h"
#include "vuln/advisory/osv.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxChoices = 50;
constexpr std::size_t kMaxSourceNotes = 5;
constexpr std::size_t kMaxSourceFiles = 8;

gitrepo::Filter source_files() {
  return {{},
          {"**/*.js", "**/*.cjs", "**/*.mjs", "**/*.jsx", "**/*.ts", "**/*.cts", "**/*.mts",
           "**/*.tsx"},
          {"node_modules"}};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Numbers before "ms" and "s" say how long something took. Without them the same failure
/// gives the same prompt, and a model has no use for them.
std::string without_times(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      out += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    std::size_t fraction = end;
    if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
      fraction = end + 1;
      while (fraction < text.size() && is_digit(text[fraction])) ++fraction;
    }
    std::string_view rest = text.substr(fraction);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    const bool unit = rest.starts_with("ms") || rest.starts_with("s ") || rest.starts_with("s)") ||
                      rest.starts_with("s\n") || rest.starts_with("seconds");
    const bool version = fraction > end && fraction < text.size() && text[fraction] == '.';
    const std::string_view before = out;
    const bool labelled = before.ends_with("duration_ms ") || before.ends_with("duration_ms: ");
    out += (unit || labelled) && !version ? std::string_view("N") : text.substr(i, fraction - i);
    i = fraction;
  }
  return out;
}

void join(std::string& out, const std::string& line) {
  if (line.empty()) return;
  if (!out.empty()) out += "\n";
  out += line;
}

}  // namespace

Result<Sources, Problem> sources_of(const job::Checkout& checkout, const std::string& package) {
  Sources out;
  std::vector<std::string> paths;
  CG_TRY_ASSIGN(const os::Dir folder, checkout.export_some("sources", source_files(), paths));
  for (const std::string& path : paths) {
    const auto language = syntax::language_of(path);
    const auto name = proposal::RepoPath::parse(path);
    if (!language || !name || proposal::protection_of(*name) != proposal::Protection::none) {
      continue;
    }
    const auto text = folder.read(path, syntax::kMaxFileBytes);
    if (!text || text->find(package) == std::string::npos) continue;
    const auto uses = callsite::find_uses(*text, *language, package);
    if (!uses || uses->empty()) continue;
    callsite::Snippet snippet = callsite::snippet(*uses, cap_of(SourceKind::source_snippet));
    const std::size_t pieces = out.snippets.size() + snippet.pieces.size();
    if (out.texts.size() == kMaxSourceFiles || pieces > most_of(SourceKind::source_snippet)) {
      if (out.notes.size() < kMaxSourceNotes) {
        out.notes.push_back(path + " uses " + package + " too, and was not shown to the model");
      }
      continue;
    }
    if (snippet.left_out > 0 && out.notes.size() < kMaxSourceNotes) {
      out.notes.push_back(path + ": " + std::to_string(snippet.left_out) +
                          " functions did not fit and were not shown to the model");
    }
    if (snippet.pieces.empty()) continue;  // what nobody was shown, nobody rewrites
    for (callsite::Piece& piece : snippet.pieces) {
      out.snippets.push_back(
          {SourceKind::source_snippet, std::move(piece.text), path, piece.first_line});
    }
    out.texts[path] = *text;
  }
  return out;
}

std::vector<std::string> choices_for(Situation& situation, const HandedOn& group) {
  const registry::Packument* packument = situation.catalog->get(group.package);
  if (packument == nullptr) return {};
  std::vector<semver::Version> installed;
  for (const std::string& text : group.versions) {
    if (auto version = semver::Version::parse(text, {.loose = true})) {
      installed.push_back(*std::move(version));
    }
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < packument->size() && out.size() < kMaxChoices; ++i) {
    const semver::Version& version = packument->version(i);
    const bool newer = std::all_of(installed.begin(), installed.end(),
                                   [&](const semver::Version& old) { return old < version; });
    if (!newer || version.has_prerelease() || packument->deprecated(i)) continue;
    if (!situation.book.affected(group.package, version)) out.push_back(version.str());
  }
  return out;
}

Result<tiers::Question, Problem> question_for(Situation& situation, const Group& asked,
                                              const Sources& sources) {
  const HandedOn& group = *asked.handed_on;
  tiers::Question out;
  out.group = asked.id;
  out.task.advisory = group.advisories.front();
  out.task.package = group.package;
  for (const std::string& version : group.versions) {
    out.task.installed += (out.task.installed.empty() ? "" : ", ") + version;
  }
  out.task.manifest = group.manifest;
  out.task.published = choices_for(situation, group);
  if (!out.task.published.empty()) out.task.target = out.task.published.front();
  for (const auto& [path, text] : sources.texts) out.task.files.push_back(path);
  std::string description;
  for (const std::string& id : group.advisories) {
    auto records = situation.base.index->records(id);
    if (!records) return fail(scan::problem_of(records.error()));
    for (const vulnindex::Record& record : *records) {
      const auto parsed = advisory::parse_osv(record.text);
      const auto* advisory = parsed ? std::get_if<advisory::Advisory>(&*parsed) : nullptr;
      if (advisory == nullptr) continue;
      join(description, advisory->id + ": " + advisory->summary);
      join(description, advisory->details);
    }
  }
  out.texts.push_back({SourceKind::cve_description, std::move(description), ""});
  out.texts.insert(out.texts.end(), sources.snippets.begin(), sources.snippets.end());
  return out;
}

std::vector<tiers::Text> failure_texts(const gate::AttemptSummary& failed) {
  if (!failed.told.empty()) return {{SourceKind::prior_attempt_summary, failed.told, ""}};
  std::string summary = "Turned down by:";
  for (const std::string& gate : failed.failing) summary += " " + gate;
  for (const std::string& test : failed.failing_tests) join(summary, "fails now: " + test);
  for (const std::string& tried : failed.tried) join(summary, "had tried: " + tried);
  std::vector<tiers::Text> out = {{SourceKind::prior_attempt_summary, std::move(summary), ""}};
  if (!failed.errors.empty()) {
    out.push_back({SourceKind::sandbox_stderr, without_times(failed.errors), ""});
  }
  return out;
}

}  // namespace cg::propose
