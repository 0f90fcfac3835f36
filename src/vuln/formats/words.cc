#include "vuln/formats/words.h"

#include <algorithm>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "trust/hash/sha256.h"
#include "vuln/advisory/severity.h"
#include "vuln/findings/ignore.h"

namespace cg::formats {

namespace {

constexpr std::size_t kName = 214;  // the longest name npm accepts
constexpr std::size_t kVersion = 100;
constexpr std::size_t kId = 60;
constexpr std::size_t kPath = 300;
constexpr std::size_t kSentence = 300;

std::string package_name(const findings::Finding& finding) {
  return finding.package.empty() ? "a package without a name" : shown(finding.package, kName);
}

std::string target(const findings::Finding& finding) {
  if (finding.outlook.target.empty()) return "a fixed version";
  return shown(finding.outlook.target, kVersion);
}

std::string step(const findings::Finding& finding) {
  const std::string name = package_name(finding);
  switch (finding.outlook.strategy) {
    case findings::Strategy::relock:
      return "Update " + name + " to " + target(finding) +
             " in the lockfile; every range allows it.";
    case findings::Strategy::direct_bump:
      return "Raise the manifest's range of " + name + " to " + target(finding) + ".";
    case findings::Strategy::parent_bump:
      return "Update what asks for " + name + " so that " + target(finding) +
             " is allowed, or override it.";
    case findings::Strategy::major_bump:
      return "Move " + name + " to " + target(finding) +
             ", another major version; calls may need changes.";
    case findings::Strategy::remove:
      return "Remove " + name + ": it is malware, and no version is better.";
    case findings::Strategy::none:
      break;
  }
  return "A person has to decide about " + name + ".";
}

std::string path_to(const findings::Finding& finding) {
  constexpr std::size_t kSteps = 12;
  std::string out;
  for (std::size_t i = 0; i < std::min(finding.via.size(), kSteps); ++i) {
    if (i > 0) out += " > ";
    out += shown(finding.via[i], kName);
  }
  if (finding.via.size() > kSteps) out += " > …";
  return out;
}

}  // namespace

std::string utf8(std::string_view text) {
  return is_utf8(text) ? std::string(text) : printable(text);
}

std::string shown(std::string_view text, std::size_t max) {
  constexpr std::string_view kCut = "…";
  // An escape is longer than what it stands for: one cut before, one after.
  std::string all = printable(text.substr(0, max + 4));
  if (all.size() <= max) return all;
  return std::string(cut_utf8(all, max > kCut.size() ? max - kCut.size() : 0)) + std::string(kCut);
}

std::string score(int tenths) {
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string copy_name(const findings::Finding& finding) {
  std::string out = package_name(finding);
  if (!finding.version.empty()) out += " " + shown(finding.version, kVersion);
  return out;
}

std::string title(const findings::Finding& finding) {
  return std::string(advisory::name(finding.severity.level)) + ": " + copy_name(finding) + " (" +
         shown(finding.advisory, kId) + ")";
}

std::string summary(const findings::Finding& finding) {
  std::string_view text = trim(finding.summary);
  while (text.ends_with('.')) text.remove_suffix(1);  // ours follows
  if (!text.empty()) return shown(text, kSentence);
  return finding.malware ? "malware" : "no summary";
}

std::string message(const findings::Finding& finding) {
  std::string out = copy_name(finding);
  if (!finding.location.empty()) out += " at " + shown(finding.location, kPath);
  out += " is affected by " + shown(finding.advisory, kId) + ": " + summary(finding) + ".";
  if (!finding.via.empty()) out += " Brought by " + path_to(finding) + ".";
  if (finding.suppression && finding.suppression->expired) {
    out += " An ignore of it expired on " + shown(finding.suppression->expires, kVersion) + ".";
  }
  return out;
}

std::string advice(const findings::Finding& finding) {
  std::string out = step(finding);
  if (!finding.outlook.reason.empty()) {
    out += " Reason: " + shown(finding.outlook.reason, kSentence) + ".";
  }
  return out;
}

std::string ignored_because(const findings::Suppression& suppression) {
  std::string out = suppression.reason.empty() ? "no reason" : shown(suppression.reason, kSentence);
  if (suppression.owner.empty() && suppression.expires.empty()) return out;
  out += " (";
  if (!suppression.owner.empty()) out += "owner " + shown(suppression.owner, kVersion);
  if (!suppression.owner.empty() && !suppression.expires.empty()) out += ", ";
  if (!suppression.expires.empty()) out += "until " + shown(suppression.expires, kVersion);
  return out + ")";
}

Urgency urgency_of(advisory::Level level) {
  switch (level) {
    case advisory::Level::critical:
    case advisory::Level::high:
      return Urgency::error;
    case advisory::Level::moderate:
    case advisory::Level::unknown:
      return Urgency::warning;
    case advisory::Level::low:
    case advisory::Level::none:
      break;
  }
  return Urgency::note;
}

bool is_vex_label(std::string_view justification) {
  const auto& labels = findings::justifications();
  return std::find(labels.begin(), labels.end(), justification) != labels.end();
}

std::string fingerprint(const findings::Finding& finding) {
  // Lengths, so that no part can pretend to be the start of the next.
  std::string parts;
  for (const std::string* part :
       {&finding.advisory, &finding.package, &finding.location, &finding.lockfile}) {
    parts += std::to_string(part->size()) + ":" + *part + "|";
  }
  return to_hex(hash::sha256(as_bytes(parts)));
}

json::Value texts(const std::vector<std::string>& items) {
  json::Value::Array out;
  out.reserve(items.size());
  for (const std::string& item : items) out.emplace_back(utf8(item));
  return out;
}

void add_text(json::Value::Object& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object.emplace_back(std::string(key), utf8(text));
}

}  // namespace cg::formats
