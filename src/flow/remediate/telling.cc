#include "flow/remediate/telling.h"

#include <map>

#include "base/base/text.h"
#include "flow/scan/index.h"
#include "npm/lockfile/lint.h"
#include "prove/evidence/bundle.h"
#include "trust/hash/blake3.h"

namespace cg::remediate {

namespace {

/// Where one file ends and the next begins is part of what is hashed.
void add_file(hash::Blake3& digest, const std::string& path, std::string_view bytes) {
  const std::string head = path + "\n" + std::to_string(bytes.size()) + "\n";
  digest.update(as_bytes(head)).update(as_bytes(bytes));
}

}  // namespace

std::vector<std::string> gate_provenance(const findings::Scan& scan, record::Events& events) {
  std::map<std::pair<std::string, std::string>, record::ProvenanceClassified> rows;
  std::string outside;
  bool any = false;
  for (const findings::Finding& finding : scan.findings) {
    const std::string kind(provenance::kind_name(finding.provenance));
    auto& row = rows[{finding.advisory, kind}];
    if (row.count++ == 0) {
      row.advisory = finding.advisory;
      row.kind = kind;
      row.location = cut(finding.location, 500);
    }
    if (provenance::is_app_layer(finding.provenance)) {
      any = true;
    } else if (outside.empty()) {
      outside = finding.package + " " + finding.version +
                " is not the application's: " + provenance::describe(finding.provenance);
    }
  }
  for (auto& [key, row] : rows) events.emplace_back(std::move(row));
  if (any || outside.empty()) return {};
  return {outside};
}

Result<std::vector<std::string>, Problem> gate_ecosystem(vulnindex::Index& index,
                                                         const std::vector<std::string>& advisories,
                                                         record::Events& events) {
  std::vector<std::string> out;
  for (const std::string& id : advisories) {
    const auto group = scan::find_group(index, id);
    if (group) continue;
    if (group.error().code != ErrorCode::data_elsewhere) return fail(group.error());
    out.push_back(group.error().what);
    events.emplace_back(record::ProvenanceClassified{
        cut(id, 60), 0, std::string(provenance::kind_name(provenance::Unknown{})), ""});
  }
  return out;
}

std::vector<std::string> lies_of(const scan::Scanned& scanned, std::vector<std::string>& warnings) {
  std::vector<std::string> out;
  for (const repository::LoadedLock& lock : scanned.loaded.locks) {
    const lockfile::Lint lint = lockfile::lint(lock.graph);
    for (const lockfile::Doubt& doubt : lint.lies) {
      out.push_back(lock.path + ": " + printable(doubt.location) + " " + doubt.what);
    }
    for (const std::string& weak : lint.weak) warnings.push_back(lock.path + ": " + weak);
  }
  return out;
}

void tell_alarm(const Problem& ended, record::Events& events) {
  const std::string where = ended.where.empty() ? "" : cut(ended.where.front().second, 500);
  switch (ended.code) {
    case ErrorCode::plugin_missing:
    case ErrorCode::plugin_pin:
    case ErrorCode::plugin_bad:
      events.emplace_back(
          record::PluginRejected{std::string(row(ended.code).code), cut(ended.what, 500), where});
      break;
    case ErrorCode::fix_race:
      events.emplace_back(record::FilesystemRaceDetected{where, cut(ended.what, 250)});
      break;
    default:
      break;
  }
}

record::ContextGathered gathered(const scan::Scanned& scanned) {
  hash::Blake3 digest("codegenie 2026 lock graphs v1");
  std::uint64_t packages = 0;
  for (const repository::LoadedLock& lock : scanned.loaded.locks) {
    add_file(digest, lock.path, lock.graph.text());
    packages += lock.graph.nodes().size();
  }
  return {digest.finish(), scanned.loaded.locks.size(), packages};
}

record::RegistryConsulted consulted(const catalog::Catalog& catalog) {
  const auto& counts = catalog.counts();
  return {catalog.digest(), counts.cached + counts.confirmed + counts.fetched};
}

void tell_plan(const report::Case& c, const job::EditedFiles& files, record::Events& events) {
  for (const report::Copy& copy : c.copies) {
    for (const plan::Considered& one : copy.considered) {
      events.emplace_back(record::RecipeAnswered{one.chosen ? "yes" : "no", cut(copy.location, 500),
                                                 copy.package, cut(one.answer, 500),
                                                 std::string(plan::name(one.strategy))});
    }
  }
  events.emplace_back(evidence::settled(c));
  for (const plan::OverrideNote& note : c.overrides) {
    std::string path;
    for (const std::string& key : note.path) path += (path.empty() ? "" : " > ") + key;
    events.emplace_back(
        record::OverrideAdded{cut(path, 500), cut(note.reason, 500), cut(note.value, 250)});
  }
  hash::Blake3 digest("codegenie 2026 edited files v1");
  for (const auto& [path, bytes] : files) add_file(digest, path, bytes);
  events.emplace_back(record::EditsApplied{digest.finish(), files.size()});
}

void tell_lacks(const catalog::Catalog& catalog, std::vector<std::string>& warnings) {
  constexpr std::size_t kMaxNamed = 5;
  std::size_t told = 0;
  for (const auto& [name, lack] : catalog.lacks()) {
    if (told++ == kMaxNamed) break;
    warnings.push_back("no releases of " + printable(name) + ": " +
                       std::string(catalog::words(lack.kind)) +
                       (lack.what.empty() ? "" : " (" + lack.what + ")"));
  }
  if (catalog.lacks().size() > kMaxNamed) {
    warnings.push_back(
        "and " + counted(catalog.lacks().size() - kMaxNamed, "more package", "more packages"));
  }
  for (const std::string& note : catalog.notes()) warnings.push_back(note);
}

void tell_skipped(const findings::RepoFacts& repo, report::Case& c,
                  std::vector<std::string>& warnings) {
  for (const findings::SkippedLock& lock : repo.skipped) {
    c.skipped.push_back(lock.path + ": " + lock.why);
    warnings.push_back(printable(lock.path) +
                       " is tracked and was not read: " + printable(lock.why));
  }
}

void tell_withheld(const std::vector<prompt::Segment>& marked, report::Case& c,
                   std::vector<std::string>& warnings) {
  constexpr std::size_t kMaxNamed = 5;
  std::vector<std::string> cut_off;
  for (const prompt::Segment& one : marked) {
    const std::string where =
        printable(one.label.empty() ? std::string(name(one.kind)) : one.label);
    c.withheld.push_back(where + ": " + prompt::words(one));
    if (one.secrets == 0 && one.orders == 0) {
      cut_off.push_back(where);
    } else {
      warnings.push_back("kept from the model: " + c.withheld.back());
    }
  }
  if (cut_off.empty()) return;
  std::string line =
      counted(cut_off.size(), "text", "texts") + " did not fit whole into a question:";
  for (std::size_t i = 0; i < std::min(cut_off.size(), kMaxNamed); ++i) {
    line += (i == 0 ? " " : ", ") + cut_off[i];
  }
  if (cut_off.size() > kMaxNamed) {
    line += " and " + std::to_string(cut_off.size() - kMaxNamed) + " more";
  }
  warnings.push_back(std::move(line));
}

void tell_refusals(const std::vector<SettledGroup>& groups, std::vector<std::string>& warnings) {
  constexpr std::size_t kMost = 400;
  for (const SettledGroup& group : groups) {
    const auto& stopped = group.attempted.stopped;
    if (!stopped || stopped->why != tiers::GivenUp::Why::refused_by_model) continue;
    const std::string package =
        group.group.handed_on ? printable(group.group.handed_on->package) + ": " : "";
    warnings.push_back(package + stopped->reason + "; in its own words, not to be trusted: \"" +
                       printable(cut_utf8(stopped->said, kMost)) + "\"");
  }
}

}  // namespace cg::remediate
