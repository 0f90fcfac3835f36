#include "text/scan_text.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/base/text.h"
#include "flow/scan/index.h"

namespace cg::program {

namespace {

using advisory::Level;
using findings::Finding;
using findings::Scan;
using findings::Strategy;

constexpr std::size_t kShortCommit = 7;

/// Copies of the same version under the same advisory, told as one row.
struct Row {
  const Finding* finding;
  std::size_t copies = 1;
};

std::vector<Row> rows_of(const std::vector<Finding>& findings) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> seen;
  for (const Finding& finding : findings) {
    const std::string key = finding.advisory + "\n" + finding.package + "\n" + finding.version +
                            "\n" + finding.lockfile + "\n" + plan_text(finding.outlook);
    const auto [at, fresh] = seen.try_emplace(key, rows.size());
    if (fresh) {
      rows.push_back({&finding});
    } else {
      ++rows[at->second].copies;
    }
  }
  return rows;
}

std::string fixed_text(const Finding& finding) {
  if (!finding.outlook.target.empty()) return finding.outlook.target;
  return finding.fixed_in.empty() ? "none" : finding.fixed_in.front();
}

std::string table_of(const Scan& scan, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> cells;
  const bool several = scan.repo.locks.size() > 1;
  for (const Row& row : rows_of(scan.findings)) {
    const Finding& finding = *row.finding;
    std::string via = via_text(finding);
    if (row.copies > 1) via += " (+" + std::to_string(row.copies - 1) + ")";
    const std::string level =
        finding.malware ? "malware" : std::string(name(finding.severity.level));
    cells.push_back({{level, finding.malware ? cli::Role::error : role_of(finding.severity.level)},
                     {finding.package + " " + finding.version},
                     {via, cli::Role::faint},
                     {fixed_text(finding)},
                     {public_id(finding)},
                     {plan_text(finding.outlook)}});
    if (several) cells.back().push_back({finding.lockfile, cli::Role::faint});
  }
  std::vector<cli::Column> columns = {{.title = "SEVERITY"},
                                      {.title = "PACKAGE", .max_width = 36},
                                      {.title = "VIA", .max_width = 40},
                                      {.title = "FIXED IN", .max_width = 14},
                                      {.title = "ADVISORY"},
                                      {.title = "PLAN", .max_width = 48}};
  if (several) columns.push_back({.title = "LOCKFILE", .max_width = 40});
  return cli::layout(columns, cells, style, 2);
}

std::string index_line(const Scan& scan) {
  std::string sources;
  for (const std::string& source : scan.index.sources) {
    sources += (sources.empty() ? "" : "+") + source;
  }
  return "Index  " + printable(sources) + " " + to_date(scan.index.built) + ", " +
         scan::age_text(scan.index.built, scan.time) + ", " +
         counted(scan.index.advisories, "advisory", "advisories") + "\n";
}

std::string repo_lines(const Scan& scan, const cli::Style& style) {
  std::string out;
  for (const findings::LockFacts& lock : scan.repo.locks) {
    out += out.empty() ? "Repo   " + printable(scan.repo.path) : std::string(7, ' ');
    if (out.find('\n') == std::string::npos) {
      if (!scan.repo.head.empty()) out += " @ " + scan.repo.head.substr(0, kShortCommit);
      out += style.words(" · ");
    }
    out += printable(lock.path) + " (" + lock.kind + " " + printable(lock.version) + ")" +
           style.words(" · ") + counted(lock.packages, "package", "packages") + " (" +
           grouped(lock.production) + " prod)\n";
  }
  return out.empty() ? "Repo   " + printable(scan.repo.path) + ": nothing to scan\n" : out;
}

std::string unread_lines(const Scan& scan) {
  std::string out;
  for (const auto* files : {&scan.repo.skipped, &scan.repo.unreadable}) {
    for (const findings::SkippedLock& file : *files) {
      out += (out.empty() ? "Not read  " : "          ") + printable(file.path) + ": " +
             printable(file.why) + "\n";
    }
  }
  return out;
}

std::string levels_text(const std::vector<Finding>& findings) {
  std::string out;
  const auto add = [&](std::size_t count, std::string_view word) {
    if (count == 0) return;
    out += (out.empty() ? "" : ", ") + grouped(count) + " " + std::string(word);
  };
  std::set<std::string> malware;
  std::map<Level, std::set<std::string>> by_level;
  for (const Finding& finding : findings) {
    (finding.malware ? malware : by_level[finding.severity.level]).insert(finding.advisory);
  }
  add(malware.size(), "malware");
  for (const Level level :
       {Level::critical, Level::high, Level::moderate, Level::low, Level::unknown, Level::none}) {
    add(by_level[level].size(), level == Level::unknown ? "without a level" : name(level));
  }
  return out;
}

std::string nothing_found(const Scan& scan) {
  const std::size_t unread = scan.repo.unread();
  if (scan.repo.locks.empty()) return "Nothing was scanned\n";
  if (unread == 0) return "Nothing vulnerable is known among these packages\n";
  return "Nothing vulnerable is known among the packages that were read; " +
         counted(unread, "file was", "files were") + " not read\n";
}

std::string summary(const Scan& scan) {
  if (scan.findings.empty() && scan.known > 0) return "Nothing that is not in the baseline\n";
  if (scan.findings.empty()) return nothing_found(scan);
  std::set<std::string> advisories;
  std::set<std::string> packages;
  // A copy under two advisories is two findings, but one copy. It has a way to fix if each has.
  std::map<std::string, bool> copies;
  for (const Finding& finding : scan.findings) {
    advisories.insert(finding.advisory);
    packages.insert(finding.package);
    bool& way = copies.try_emplace(finding.lockfile + "\n" + finding.location, true).first->second;
    way = way && finding.outlook.strategy != Strategy::none;
  }
  const auto planned = static_cast<std::size_t>(
      std::count_if(copies.begin(), copies.end(), [](const auto& copy) { return copy.second; }));
  return counted(advisories.size(), "advisory", "advisories") + " in " +
         counted(packages.size(), "package", "packages") + ", " +
         counted(copies.size(), "vulnerable copy", "vulnerable copies") + ": " +
         levels_text(scan.findings) + "\n" + grouped(planned) + " with a way to fix, " +
         grouped(copies.size() - planned) + " for a human\n";
}

std::string suppressed_text(const Scan& scan, Suppressed how) {
  if (scan.suppressed.empty()) return "";
  if (how == Suppressed::counted) {
    return counted(scan.suppressed.size(), "finding", "findings") +
           " suppressed; --show-suppressed lists them\n";
  }
  std::string out;
  for (const Finding& finding : scan.suppressed) {
    const findings::Suppression& why = *finding.suppression;
    out += "suppressed " + printable(public_id(finding)) + " in " + printable(finding.package) +
           " " + printable(finding.version) + " until " + why.expires + ": \"" +
           printable(why.reason) + "\", owner " + printable(why.owner) + " (" +
           printable(why.file) + ")\n";
  }
  return out;
}

std::string expired_text(const Scan& scan) {
  std::string out;
  for (const Finding& finding : scan.findings) {
    if (!finding.suppression) continue;
    out += "ignore expired on " + finding.suppression->expires + ": " +
           printable(public_id(finding)) + " in " + printable(finding.package) + ", owner " +
           printable(finding.suppression->owner) + "\n";
  }
  return out;
}

}  // namespace

cli::Role role_of(Level level) {
  switch (level) {
    case Level::critical:
    case Level::high:
      return cli::Role::error;
    case Level::moderate:
    case Level::unknown:
      return cli::Role::warning;
    case Level::low:
    case Level::none:
      break;
  }
  return cli::Role::plain;
}

std::string public_id(const Finding& finding) {
  if (finding.advisory.starts_with("CVE-")) return finding.advisory;
  const auto cve = std::find_if(finding.aliases.begin(), finding.aliases.end(),
                                [](const std::string& id) { return id.starts_with("CVE-"); });
  return cve == finding.aliases.end() ? finding.advisory : *cve;
}

std::string plan_text(const findings::Outlook& outlook) {
  switch (outlook.strategy) {
    case Strategy::relock:
      return "recipe (relock)";
    case Strategy::direct_bump:
      return "recipe (direct bump)";
    case Strategy::parent_bump:
      return "recipe (parent bump or override)";
    case Strategy::major_bump:
      return "major bump";
    case Strategy::remove:
      return "human: remove it";
    case Strategy::none:
      break;
  }
  return "human: " + outlook.reason;
}

std::string via_text(const Finding& finding) {
  if (finding.direct) return "direct";
  std::string out;
  for (const std::string& step : finding.via) {
    const std::string name = step.substr(0, step.rfind('@') == 0 ? step.size() : step.rfind('@'));
    out += (out.empty() ? "" : " > ") + name;
  }
  return out.empty() ? std::string(provenance::kind_name(finding.provenance)) : out;
}

std::string scan_text(const Scan& scan, Suppressed suppressed, const cli::Style& style) {
  std::string out = index_line(scan) + repo_lines(scan, style) + unread_lines(scan);
  if (!scan.findings.empty()) out += "\n" + table_of(scan, style);
  return out + "\n" + summary(scan) + expired_text(scan) + suppressed_text(scan, suppressed);
}

}  // namespace cg::program
