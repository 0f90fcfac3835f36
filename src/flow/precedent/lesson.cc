#include "flow/precedent/lesson.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/base/text.h"
#include "learn/carry/carry.h"
#include "model/callsite/callsite.h"
#include "model/prompt/clean.h"
#include "model/secrets/secrets.h"

namespace cg::precedent {

namespace {

constexpr std::size_t kMaxSites = 24;
constexpr std::size_t kMaxSite = 8U << 10U;
constexpr std::size_t kMaxSitesBytes = 48U << 10U;
constexpr std::size_t kMaxSummary = 1024;
constexpr std::size_t kMaxDifference = 20U << 10U;
constexpr std::size_t kMaxPlan = 48U << 10U;
constexpr std::size_t kMaxChanged = 64;
constexpr std::size_t kMaxTemplates = 48U << 10U;
constexpr std::size_t kMaxLine = 500;

/// Without secrets, as a text that shows all of itself.
std::string cleaned(std::string_view text, std::size_t most) {
  std::string out;
  static_cast<void>(prompt::append_clean(out, secrets::scrub(text), most));
  return out;
}

std::vector<std::string> sorted(std::set<std::string> items) {
  return {std::make_move_iterator(items.begin()), std::make_move_iterator(items.end())};
}

std::string_view build_of(npm::LockKind kind) {
  switch (kind) {
    case npm::LockKind::package_lock:
    case npm::LockKind::npm_shrinkwrap:
      break;
    case npm::LockKind::yarn_classic:
    case npm::LockKind::yarn_berry:
      return "yarn";
    case npm::LockKind::pnpm:
      return "pnpm";
  }
  return "npm";
}

std::string_view name_of(syntax::Language language) {
  switch (language) {
    case syntax::Language::javascript:
      break;
    case syntax::Language::typescript:
      return "typescript";
    case syntax::Language::tsx:
      return "tsx";
  }
  return "javascript";
}

/// Whole functions as they stand, moved to the left margin.
std::string outdented(std::string_view text) {
  std::size_t margin = std::string_view::npos;
  bool first = true;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t indent = line.find_first_not_of(" \t");
    if (!std::exchange(first, false) && indent != std::string_view::npos)
      margin = std::min(margin, indent);
  }
  std::string out;
  first = true;
  for (std::string_view line : split(text, '\n')) {
    if (!out.empty()) out += "\n";
    if (!std::exchange(first, false) && margin != std::string_view::npos) {
      line.remove_prefix(std::min(margin, line.size()));
    }
    out += line;
  }
  return out;
}

/// The functions of a file that use the package, and the statements that import it.
std::vector<std::string> pieces_in(std::string_view text, syntax::Language language,
                                   std::string_view package) {
  std::vector<std::string> out;
  const auto uses = callsite::find_uses(text, language, package);
  if (!uses) return out;
  for (const auto* pieces : {&uses->imports, &uses->functions}) {
    for (const callsite::Piece& piece : *pieces) {
      out.push_back(cleaned(outdented(piece.text), kMaxSite));
    }
  }
  return out;
}

/// Those of all files; where an answer changed a file, beside what became of them.
std::vector<example::Site> sites_in(const Texts& files, const Texts& rewritten,
                                    std::string_view package) {
  std::vector<example::Site> out;
  std::size_t room = kMaxSitesBytes;
  for (const auto& [path, text] : files) {
    const auto language = syntax::language_of(path);
    if (!language) continue;
    const std::vector<std::string> before = pieces_in(text, *language, package);
    std::vector<std::string> after(before.size());
    if (const auto now = rewritten.find(path); now != rewritten.end()) {
      std::vector<std::string> pieces = pieces_in(now->second, *language, package);
      // Told apart by their order, as names may change; where some came or went, by none.
      if (pieces.size() == before.size()) after = std::move(pieces);
    } else if (!rewritten.empty()) {
      after = before;
    }
    for (std::size_t i = 0; i < before.size() && out.size() < kMaxSites; ++i) {
      const std::size_t size = before[i].size() + after[i].size();
      if (size > room) continue;
      room -= size;
      out.push_back({std::string(name_of(*language)), before[i], after[i]});
    }
  }
  return out;
}

}  // namespace

example::Break break_of(upgrade::Break kind) {
  switch (kind) {
    case upgrade::Break::esm_only:
      return example::Break::esm_only;
    case upgrade::Break::path_gone:
      return example::Break::path_gone;
    case upgrade::Break::name_gone:
      return example::Break::name_gone;
    case upgrade::Break::signature:
      return example::Break::signature;
    case upgrade::Break::options:
      return example::Break::options;
    case upgrade::Break::behaviour:
      break;
  }
  return example::Break::behaviour;
}

example::Example lesson_of(const Breaking& breaking) {
  example::Example out;
  out.partition = {"vuln-remediation", "javascript", std::string(build_of(breaking.lock))};
  std::set<std::string> aliases;
  std::set<std::string> weaknesses;
  for (const advisory::Advisory& one : breaking.advisories) {
    if (out.advisory.empty()) {
      out.advisory = one.id;
      out.summary = cleaned(one.summary, kMaxSummary);
    } else {
      aliases.insert(one.id);
    }
    aliases.insert(one.aliases.begin(), one.aliases.end());
    weaknesses.insert(one.cwes.begin(), one.cwes.end());
  }
  aliases.erase(out.advisory);
  out.aliases = sorted(std::move(aliases));
  out.weaknesses = sorted(std::move(weaknesses));
  out.package = breaking.package;
  out.from = breaking.from;
  out.to = breaking.to;
  out.breaks = break_of(breaking.gist.breaks);
  out.changed = breaking.gist.changed;
  if (out.changed.size() > kMaxChanged) out.changed.resize(kMaxChanged);
  out.difference = cleaned(breaking.difference, kMaxDifference);
  out.sites = sites_in(breaking.files, {}, breaking.package);
  out.license = cleaned(breaking.license, kMaxLine);
  return out;
}

void add_answer(example::Example& lesson, const Answer& answer, const Texts& files) {
  lesson.kind = answer.kind;
  lesson.plan = cleaned(answer.plan, kMaxPlan);
  lesson.author = answer.author;
  lesson.model = answer.model;
  lesson.prompt = answer.prompt;
  lesson.sites = sites_in(files, answer.rewritten, lesson.package);
  const bool elsewhere = std::any_of(answer.rewritten.begin(), answer.rewritten.end(),
                                     [&](const auto& file) { return !files.contains(file.first); });
  if (elsewhere) return;
  std::set<std::string> templates;
  std::size_t bytes = 0;
  for (const auto& [path, text] : files) {
    const auto language = syntax::language_of(path);
    if (!language) continue;
    const auto now = answer.rewritten.find(path);
    const std::string& after = now == answer.rewritten.end() ? text : now->second;
    auto learned = carry::learn({text, *language, lesson.package}, after);
    // All of the answer or none: half of it carried over would be another answer.
    if (!learned) return;
    std::string one = carry::write(*learned);
    // What a secret was taken out of would no longer be exact.
    if (!secrets::find_secrets(one).empty()) return;
    const auto [at, fresh] = templates.insert(std::move(one));
    bytes += fresh ? at->size() : 0;
  }
  if (bytes <= kMaxTemplates) lesson.templates = sorted(std::move(templates));
}

}  // namespace cg::precedent
