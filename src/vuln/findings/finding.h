// Finding: one installed copy under one advisory, and what is known about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/time.h"
#include "base/json/value.h"
#include "vuln/advisory/severity.h"
#include "vuln/provenance/provenance.h"

namespace cg::findings {

/// What codegenie would do about a copy, from what the lock and the advisory say.
/// The words are those of `remediate`.
enum class Strategy {
  relock,       // a fixed version lies in every dependent's range
  direct_bump,  // the repository's own range must change
  parent_bump,  // a dependent's range is in the way: a newer dependent, else an override
  major_bump,   // as direct_bump, but to another major version: calls may need rewriting
  remove,       // malware: no version is better
  none,         // a person has to decide; `reason` says why
};
[[nodiscard]] std::string_view name(Strategy strategy);

struct Outlook {
  Strategy strategy = Strategy::none;
  std::string target;  // the lowest version that clears the advisory on this line; may be empty
  std::string reason;  // "express 4.17.1 asks for qs 6.7.0"; empty if there is nothing to add
};

/// An ignore that applies, or would if it had not expired.
struct Suppression {
  std::string id;  // as the ignore names the advisory
  std::string reason;
  std::string justification;  // OpenVEX's label; may be empty
  std::string owner;
  std::string expires;  // 2027-01-15
  std::string file;     // where the ignore stands
  bool expired = false;
};

struct Finding {
  std::string advisory;              // the id of its group: GHSA where there is one
  std::vector<std::string> aliases;  // the other ids of the group, sorted
  std::string summary;
  advisory::Severity severity;
  bool malware = false;
  std::string modified;  // when the record was last changed; as the feed writes it
  std::vector<std::string> cwes;
  std::vector<std::string> references;

  std::string package;
  std::string version;
  std::string alias;     // what dependents call it, if not by its name
  std::string lockfile;  // relative to the repository
  std::string location;
  std::string integrity;
  json::Position at;  // of the copy's entry in the lockfile
  bool direct = false;
  bool dev = false;
  bool optional = false;

  std::string affected;               // the range that matched: ">=6.7.0 <6.7.3"
  std::vector<std::string> fixed_in;  // that end the matching range; lowest first
  provenance::Provenance provenance = provenance::Unknown{};
  std::vector<std::string> via;  // "express@4.17.1": from the importer down, without the copy
  Outlook outlook;

  std::optional<Suppression> suppression;  // in `suppressed`; in `findings` if expired
};

/// True for its advisory or an alias, in any case of letters.
[[nodiscard]] bool is_named(const Finding& finding, std::string_view id);

struct IndexFacts {
  std::string digest;  // blake3:…
  Time built{};
  std::uint64_t advisories = 0;
  std::vector<std::string> sources;  // "osv", "nvd"
};

struct LockFacts {
  std::string path;
  std::string kind;     // "package-lock", "yarn berry", …
  std::string version;  // "3"
  std::uint64_t packages = 0;
  std::uint64_t production = 0;  // of them not only for development
};

/// A lockfile that was not read.
struct SkippedLock {
  std::string path;
  std::string why;
};

struct RepoFacts {
  std::string path;  // as named on the command line
  std::string head;  // commit; empty if there is none
  std::vector<LockFacts> locks;
  std::vector<SkippedLock> skipped;     // tracked, so that the scan does not tell all
  std::vector<SkippedLock> unreadable;  // lockfiles and manifests that could not be used
  /// Files whose packages nobody looked at: while there is one, nothing is called clean.
  [[nodiscard]] std::size_t unread() const { return skipped.size() + unreadable.size(); }
};

/// One package of a lockfile, for the outputs that list them all.
struct Component {
  std::string package;
  std::string version;
  std::string integrity;
  std::string lockfile;
  std::string location;
  bool dev = false;
  bool optional = false;
  std::vector<std::size_t> depends_on;  // indexes into Scan::components
};

/// Everything a scan says. Findings are sorted, and equal inputs give equal scans.
struct Scan {
  std::string tool_version;
  Time time{};
  IndexFacts index;
  RepoFacts repo;
  std::vector<Finding> findings;
  std::vector<Finding> suppressed;
  std::size_t known = 0;              // findings left out because a baseline has them
  std::vector<Component> components;  // filled only if asked for
  std::vector<std::string> warnings;
};

}  // namespace cg::findings
