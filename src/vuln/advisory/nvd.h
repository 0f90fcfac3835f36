// NVD: what the National Vulnerability Database adds to an advisory.
//
// NVD speaks of products, not of npm packages, so its records never make a finding.
// They enrich advisories that name the same CVE.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/json/value.h"
#include "vuln/advisory/advisory.h"
#include "vuln/advisory/fields.h"

namespace cg::advisory {

/// CISA knows of attacks that use it.
struct KnownExploited {
  std::string added;  // a day, 2023-09-13
  std::string due;
  std::string action;
  std::string name;
  friend bool operator==(const KnownExploited&, const KnownExploited&) = default;
};

struct CveRecord {
  std::string id;           // CVE-2023-4863
  std::string description;  // the English one; cut at 16 KiB
  /// Of the highest CVSS version there is, and of several vectors of that version the
  /// one that NVD calls primary.
  Severity severity;
  std::vector<std::string> cwes;  // sorted, unique; NVD's "no information" left out
  std::vector<Reference> references;
  std::optional<Time> published;
  std::optional<Time> modified;
  bool rejected = false;  // the CVE was taken back
  std::optional<KnownExploited> exploited;
};

/// The object in `vulnerabilities[].cve`.
[[nodiscard]] Result<CveRecord, RecordError> read_cve(const json::Value& cve);

/// Adds weaknesses and links that the advisory lacks, and the severity where nobody gave
/// one. Does nothing unless the advisory names the CVE and the CVE stands.
void enrich(Advisory& advisory, const CveRecord& cve);

}  // namespace cg::advisory
