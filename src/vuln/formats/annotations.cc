#include "vuln/advisory/severity.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/words.h"

namespace cg::formats {

namespace {

using advisory::Level;

std::string_view command_of(Level level) {
  switch (urgency_of(level)) {
    case Urgency::error:
      return "error";
    case Urgency::warning:
      return "warning";
    case Urgency::note:
      break;
  }
  return "notice";
}

/// As GitHub's runner decodes it: these characters and no others.
std::string encoded(std::string_view text, std::string_view characters) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (characters.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
  }
  return out;
}

std::string body(std::string_view text) { return encoded(text, "%\r\n"); }
std::string property(std::string_view text) { return encoded(text, "%\r\n:,"); }

}  // namespace

std::string gh_annotations(const findings::Scan& scan) {
  constexpr std::size_t kLongestPath = 1000;
  std::string out;
  for (const findings::Finding& finding : scan.findings) {
    out += "::" + std::string(command_of(finding.severity.level));
    out += " file=" + property(shown(finding.lockfile, kLongestPath));
    out += ",line=" + std::to_string(finding.at.line) + ",col=" + std::to_string(finding.at.column);
    out += ",title=" + property(title(finding));
    out += "::" + body(message(finding) + " " + advice(finding)) + "\n";
  }
  return out;
}

}  // namespace cg::formats
