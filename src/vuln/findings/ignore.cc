#include "vuln/findings/ignore.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/yaml/yaml.h"

namespace cg::findings {

namespace {

using json::Value;

constexpr std::string_view kSchema = "codegenie/ignore/v1";
constexpr std::size_t kMaxBytes = 1U << 20U;
constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::size_t kMaxText = 2048;
constexpr std::string_view kKeys[] = {"id",     "package", "version",       "path",
                                      "reason", "owner",   "justification", "expires"};

class Reader {
 public:
  Reader(std::string file, Time today, int max_days)
      : file_(std::move(file)), today_(today), max_days_(max_days) {}

  Result<std::vector<Ignore>, IgnoreError> document(const Value& root) {
    const Value* schema = root.find("schema");
    if (schema == nullptr || !schema->is_string() || *schema->as_string() != kSchema) {
      return wrong(root, "`schema` is not " + std::string(kSchema));
    }
    if (root.as_object()->size() != 2)
      return wrong(root, "only `schema` and `ignores` belong here");
    const Value* list = root.find("ignores");
    if (list == nullptr || !list->is_array()) return wrong(root, "`ignores` is not a list");
    std::vector<Ignore> out;
    for (const Value& item : *list->as_array()) {
      CG_TRY_ASSIGN(Ignore ignore, one(item));
      out.push_back(std::move(ignore));
    }
    return out;
  }

 private:
  Failure<IgnoreError> wrong(const Value& at, std::string what) {
    return fail(IgnoreError{file_, at.position(), std::move(what)});
  }

  Result<std::string, IgnoreError> text(const Value& item, std::string_view key, bool needed) {
    const Value* value = item.find(key);
    if (value == nullptr && !needed) return std::string();
    if (value == nullptr) return wrong(item, "an ignore without `" + std::string(key) + "`");
    if (!value->is_string() || trim(*value->as_string()).empty() ||
        value->as_string()->size() > kMaxText) {
      return wrong(*value, "`" + std::string(key) + "` is not a text of up to 2 KiB");
    }
    return *value->as_string();
  }

  Result<Done, IgnoreError> check_keys(const Value& item) {
    if (!item.is_object()) return wrong(item, "an ignore is not a map");
    for (const auto& [key, value] : *item.as_object()) {
      if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) {
        return wrong(value, "unknown key `" + printable(cut_utf8(key, 40)) + "`");
      }
    }
    return Done{};
  }

  Result<Done, IgnoreError> check_expiry(const Value& item, const Ignore& ignore) {
    const auto day = parse_date(ignore.expires);
    const Value& at = *item.find("expires");
    if (!day) return wrong(at, "`expires` is not a day such as 2027-01-15");
    if (day->ms - today_.ms > max_days_ * kDayMs) {
      return wrong(at, "`expires` is more than " + std::to_string(max_days_) +
                           " days away, which policy does not allow");
    }
    return Done{};
  }

  Result<Ignore, IgnoreError> one(const Value& item) {
    CG_TRY(check_keys(item));
    Ignore ignore;
    ignore.file = file_;
    ignore.line = item.position().line;
    CG_TRY_ASSIGN(ignore.id, text(item, "id", true));
    CG_TRY_ASSIGN(ignore.reason, text(item, "reason", true));
    CG_TRY_ASSIGN(ignore.owner, text(item, "owner", true));
    CG_TRY_ASSIGN(ignore.expires, text(item, "expires", true));
    CG_TRY_ASSIGN(ignore.package, text(item, "package", false));
    CG_TRY_ASSIGN(ignore.path, text(item, "path", false));
    CG_TRY_ASSIGN(ignore.justification, text(item, "justification", false));
    CG_TRY_ASSIGN(const std::string versions, text(item, "version", false));
    if (!versions.empty()) {
      auto range = semver::Range::parse(versions, {.loose = true, .include_prerelease = true});
      if (!range) return wrong(*item.find("version"), "`version` is not a range");
      ignore.versions = *std::move(range);
    }
    const auto& labels = justifications();
    if (!ignore.justification.empty() &&
        std::find(labels.begin(), labels.end(), ignore.justification) == labels.end()) {
      return wrong(*item.find("justification"), "`justification` is not one of OpenVEX's labels");
    }
    CG_TRY(check_expiry(item, ignore));
    return ignore;
  }

  std::string file_;
  Time today_;
  int max_days_;
};

Suppression suppression_of(const Ignore& ignore, bool expired) {
  return {ignore.id,   ignore.reason, ignore.justification, ignore.owner, ignore.expires,
          ignore.file, expired};
}

}  // namespace

const std::vector<std::string_view>& justifications() {
  static const std::vector<std::string_view> labels = {
      "component_not_present", "vulnerable_code_not_present", "vulnerable_code_not_in_execute_path",
      "vulnerable_code_cannot_be_controlled_by_adversary", "inline_mitigations_already_exist"};
  return labels;
}

Result<std::vector<Ignore>, IgnoreError> parse_ignores(const std::string& file,
                                                       std::string_view yaml, Time today,
                                                       int max_days) {
  const auto root = yaml::parse_yaml(yaml, {.max_bytes = kMaxBytes});
  if (!root) {
    return fail(IgnoreError{file, root.error().at, json::describe_what(root.error())});
  }
  if (!root->is_object()) return fail(IgnoreError{file, {}, "not a map"});
  return Reader(file, today, max_days).document(*root);
}

bool applies(const Ignore& ignore, const Finding& finding) {
  if (!is_named(finding, ignore.id)) return false;
  if (!ignore.package.empty() && ignore.package != finding.package) return false;
  if (!ignore.path.empty() && finding.lockfile != ignore.path &&
      !finding.location.starts_with(ignore.path)) {
    return false;
  }
  if (!ignore.versions) return true;
  const auto version = semver::Version::parse(finding.version, {.loose = true});
  return version && ignore.versions->test(*version);
}

Applied apply_ignores(const std::vector<Ignore>& ignores, Time today, Scan& scan) {
  Applied out;
  std::vector<bool> used(ignores.size(), false);
  std::vector<Finding> kept;
  for (Finding& finding : scan.findings) {
    bool moved = false;
    for (std::size_t i = 0; i < ignores.size() && !moved; ++i) {
      if (!applies(ignores[i], finding)) continue;
      used[i] = true;
      const bool expired = *parse_date(ignores[i].expires) <= today;
      finding.suppression = suppression_of(ignores[i], expired);
      moved = !expired;
    }
    (moved ? scan.suppressed : kept).push_back(std::move(finding));
  }
  scan.findings = std::move(kept);
  for (std::size_t i = 0; i < ignores.size(); ++i) {
    if (!used[i]) out.unused.push_back(&ignores[i]);
  }
  return out;
}

void mention_ignores(const std::vector<Ignore>& ignores, Scan& scan) {
  for (const Ignore& ignore : ignores) {
    const auto count =
        std::count_if(scan.findings.begin(), scan.findings.end(),
                      [&](const Finding& finding) { return applies(ignore, finding); });
    if (count == 0) continue;
    scan.warnings.push_back(ignore.file + ":" + std::to_string(ignore.line) + " would ignore " +
                            ignore.id + " (" + ignore.reason +
                            "), but policy does not let a repository ignore its own findings");
  }
}

}  // namespace cg::findings
