// Brief: what a list of findings says about an advisory, kept small so that a scan
// reads no JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vuln/advisory/advisory.h"

namespace cg::advisory {

struct Brief {
  std::string id;                    // of the group
  std::vector<std::string> aliases;  // all other ids of the group, sorted
  std::string summary;               // cut at 256 bytes
  Severity severity;
  bool malware = false;
  std::string modified;                 // ISO 8601
  std::vector<std::string> cwes;        // sorted
  std::vector<std::string> references;  // https alone, at most five
  bool exploited = false;               // on CISA's list of exploited vulnerabilities
  friend bool operator==(const Brief&, const Brief&) = default;
};

/// Texts with their lengths before them, in a fixed order. decode_brief() gives nothing
/// for bytes that encode_brief() does not write.
[[nodiscard]] std::string encode_brief(const Brief& brief);
[[nodiscard]] std::optional<Brief> decode_brief(std::string_view bytes);

}  // namespace cg::advisory
