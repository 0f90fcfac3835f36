// OSV: the schema in which OSV.dev, GitHub and the malicious-packages project publish.
//
// Real records are tolerated as they are: several `affected` for one package,
// ECOSYSTEM beside SEMVER, bounds that are no versions (version_key.h), vectors with a
// trailing slash, null for absent. What would make us miss an affected version, such
// as a bound or a range type that cannot be understood, is refused aloud instead.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/base/result.h"
#include "base/json/value.h"
#include "vuln/advisory/advisory.h"
#include "vuln/advisory/fields.h"

namespace cg::advisory {

/// The database took it back; nothing in it counts any more.
struct Withdrawn {
  Advisory advisory;
};

/// It names no npm package.
struct OtherEcosystem {
  std::string id;
  std::vector<std::string> aliases;
  Time modified{};
  std::vector<std::string> packages;  // "PyPI django", a few of them
};

using OsvRecord = std::variant<Advisory, Withdrawn, OtherEcosystem>;

/// Only `affected` of ecosystem npm are kept; GIT ranges are left out.
///
/// The level of severity is the database's own word (`database_specific.severity`)
/// where there is one, because that is what people see there and what `npm audit`
/// reports; else that of the CVSS vector of the highest version; else critical for
/// malware; else unknown. Vector and score are kept whoever gave the level. A vector
/// that cannot be read counts as none.
[[nodiscard]] Result<OsvRecord, RecordError> read_osv(const json::Value& record);
/// At most 4 MiB of JSON.
[[nodiscard]] Result<OsvRecord, RecordError> parse_osv(std::string_view json);

}  // namespace cg::advisory
