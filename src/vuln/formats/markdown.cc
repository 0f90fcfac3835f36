#include <array>

#include "base/base/text.h"
#include "vuln/advisory/severity.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/markup.h"
#include "vuln/formats/uri.h"
#include "vuln/formats/words.h"

namespace cg::formats {

namespace {

using advisory::Level;

std::string advisory_link(const findings::Finding& finding) {
  const std::string url = page(finding);
  std::string name = prose(finding.advisory, 60);
  if (url.empty()) return name;
  std::string target;
  for (const char c : url)
    target += c == '&' || c == '_' || c == '~' ? entity(c) : std::string(1, c);
  return "[" + name + "](" + target + ")";
}

std::string fixed_in(const findings::Finding& finding) {
  constexpr std::size_t kMost = 3;
  if (finding.fixed_in.empty()) return "none";
  std::string out;
  for (std::size_t i = 0; i < finding.fixed_in.size() && i < kMost; ++i) {
    if (i > 0) out += ", ";
    out += code(finding.fixed_in[i], 60);
  }
  return finding.fixed_in.size() > kMost ? out + ", …" : out;
}

std::string via(const findings::Finding& finding) {
  if (finding.direct) return "direct";
  if (finding.via.empty()) return "–";
  std::string out = code(finding.via.front(), 100);
  if (finding.via.size() > 2) out += " > …";
  if (finding.via.size() > 1) out += " > " + code(finding.via.back(), 100);
  return out;
}

std::string plan(const findings::Finding& finding) {
  if (finding.outlook.strategy == findings::Strategy::none) {
    if (finding.outlook.reason.empty()) return "a person decides";
    return "a person decides: " + prose(finding.outlook.reason, 120);
  }
  std::string out(findings::name(finding.outlook.strategy));
  for (char& c : out) c = c == '_' ? ' ' : c;
  if (!finding.outlook.target.empty()) out += " to " + code(finding.outlook.target, 60);
  return out;
}

std::string copy_cell(const findings::Finding& finding) {
  std::string out = code(finding.package, 214);
  if (!finding.version.empty()) out += " " + code(finding.version, 60);
  return finding.dev ? out + " (dev)" : out;
}

std::string where(const findings::Finding& finding) {
  std::string out = code(finding.lockfile, 160);
  if (!finding.location.empty()) out += " " + code(finding.location, 160);
  return out;
}

std::string row(const findings::Finding& finding) {
  std::string out = "| " + std::string(advisory::name(finding.severity.level)) + " | ";
  out += copy_cell(finding) + " | " + via(finding) + " | " + fixed_in(finding) + " | ";
  out += advisory_link(finding) + " " + prose(summary(finding), 160) + " | ";
  return out + plan(finding) + " | " + where(finding) + " |\n";
}

std::string ignored_item(const findings::Finding& finding) {
  return "- " + advisory_link(finding) + " in " + copy_cell(finding) + ": " +
         prose(ignored_because(finding.suppression.value_or(findings::Suppression{})), 300) + "\n";
}

/// "1 critical, 2 high".
std::string by_level(const std::vector<findings::Finding>& findings) {
  constexpr std::array<Level, 6> kOrder = {Level::critical, Level::high, Level::moderate,
                                           Level::low,      Level::none, Level::unknown};
  std::string out;
  for (const Level level : kOrder) {
    std::size_t count = 0;
    for (const findings::Finding& finding : findings)
      count += finding.severity.level == level ? 1 : 0;
    if (count == 0) continue;
    if (!out.empty()) out += ", ";
    out += std::to_string(count) + " " + std::string(advisory::name(level));
  }
  return out;
}

/// Appends lines while `out` stays under `limit`, then how many were left out.
template <class Item, class Line>
void append_bounded(std::string& out, const std::vector<Item>& items, std::size_t limit,
                    Line line_of) {
  std::size_t done = 0;
  for (; done < items.size(); ++done) {
    const std::string line = line_of(items[done]);
    if (out.size() + line.size() > limit) break;
    out += line;
  }
  if (done < items.size()) out += "\n… and " + std::to_string(items.size() - done) + " more\n";
}

void append_facts(std::string& out, const findings::Scan& scan) {
  out += "\nAdvisory index " + code(scan.index.digest.empty() ? "none" : scan.index.digest, 100);
  out += ", built " + to_date(scan.index.built) + ", " +
         counted(scan.index.advisories, "advisory", "advisories") + ".";
  if (!scan.repo.head.empty()) out += " Commit " + code(scan.repo.head, 64) + ".";
  out += "\n";
}

}  // namespace

std::string markdown(const findings::Scan& scan) {
  // Each part leaves room for those after it.
  constexpr std::size_t kTableEnd = kMarkdownBytes - 20'000;
  constexpr std::size_t kIgnoredEnd = kMarkdownBytes - 10'000;
  constexpr std::size_t kWarningsEnd = kMarkdownBytes - 4'000;

  std::string out = "### codegenie scan: ";
  if (scan.findings.empty()) {
    out += scan.repo.locks.empty() ? "nothing was scanned" : "nothing vulnerable found";
    if (scan.repo.unread() > 0) {
      out += ", but " + counted(scan.repo.unread(), "file was", "files were") + " not read";
    }
    out += "\n";
  } else {
    out += counted(scan.findings.size(), "finding", "findings") + " (" + by_level(scan.findings) +
           ")\n\n";
    out += "| Severity | Package | Via | Fixed in | Advisory | Plan | Where |\n";
    out += "|---|---|---|---|---|---|---|\n";
    append_bounded(out, scan.findings, kTableEnd, row);
  }
  if (!scan.suppressed.empty()) {
    out += "\n<details><summary>" + std::to_string(scan.suppressed.size()) +
           " suppressed</summary>\n\n";
    append_bounded(out, scan.suppressed, kIgnoredEnd, ignored_item);
    out += "\n</details>\n";
  }
  if (!scan.warnings.empty()) {
    out += "\nWarnings:\n\n";
    append_bounded(out, scan.warnings, kWarningsEnd,
                   [](const std::string& text) { return "- " + prose(text, 300) + "\n"; });
  }
  append_facts(out, scan);
  return out;
}

}  // namespace cg::formats
