// Uri: names that other tools look up. All of it is made of untrusted text.
#pragma once

#include <string>
#include <string_view>

#include "vuln/findings/finding.h"

namespace cg::formats {

/// "pkg:npm/%40scope/name@1.0.0". Upper case stays: to npm, JSONStream and jsonstream
/// are two packages.
[[nodiscard]] std::string purl(std::string_view package, std::string_view version);

/// A path of the repository as a relative reference. Its first segment never reads as a
/// scheme and its start never as a host.
[[nodiscard]] std::string relative_uri(std::string_view path);

/// True for an https address that can be shown and linked: plain ASCII without quotes,
/// brackets, spaces or a user name, of bounded length.
[[nodiscard]] bool is_plain_https(std::string_view url);

/// The page about the advisory: a reference that names it, else the first that is
/// is_plain_https(), else "".
[[nodiscard]] std::string page(const findings::Finding& finding);

/// The same bytes always have the same "urn:uuid:…" (version 8: a hash of our choice).
[[nodiscard]] std::string urn_uuid(std::string_view content);

}  // namespace cg::formats
