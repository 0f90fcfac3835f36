// Advisory: what a database says about a weakness in npm packages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/time.h"
#include "npm/semver/version.h"
#include "vuln/advisory/severity.h"

namespace cg::advisory {

/// Who keeps the record, told by its id.
enum class Source { osv, ghsa, malicious_packages, nvd };
[[nodiscard]] std::string_view name(Source source);

/// One turn in a range. `limit` is where the range ends without a fix being known.
struct Event {
  enum class Kind { introduced, fixed, last_affected, limit };
  Kind kind;
  semver::Version version;
};

/// Events in the order of the record; npm orders SEMVER and ECOSYSTEM ranges alike.
using Range = std::vector<Event>;

/// What is affected of one package. A record may have several for the same package.
struct Affected {
  std::string package;  // as the registry spells it: 1 to 214 printable ASCII characters
  std::vector<Range> ranges;
  std::vector<semver::Version> versions;
  /// "<= 1.19.0": how far somebody looked when there was no fix. Words for a person; it
  /// does not end a range, since newer versions without a fix are affected too.
  std::string last_known_affected;
};

struct Reference {
  std::string type;  // ADVISORY, FIX, WEB, …
  std::string url;
  friend bool operator==(const Reference&, const Reference&) = default;
};

struct Advisory {
  std::string id;
  std::vector<std::string> aliases;  // sorted, unique, without the id
  Source source = Source::osv;
  std::string summary;  // one line; cut at 1 KiB
  std::string details;  // markdown from strangers; cut at 64 KiB
  std::optional<Time> published;
  Time modified;
  std::optional<Time> withdrawn;
  bool malware = false;  // the package itself is the attack: remove it, do not update it
  Severity severity;
  std::vector<Reference> references;
  std::vector<std::string> cwes;  // sorted, unique
  std::vector<Affected> affected;
};

/// True for the id or an alias.
[[nodiscard]] bool is_named(const Advisory& advisory, std::string_view id);

}  // namespace cg::advisory
