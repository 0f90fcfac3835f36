#include "model/proposal/proposal.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "base/base/match.h"
#include "base/json/canonical.h"
#include "base/json/json.h"
#include "model/proposal/text.h"

namespace cg::proposal {

namespace {

using json::ParseError;
using json::Value;

constexpr std::size_t kMaxDepth = 4;     // two would do; the rest is for telling what is wrong
constexpr std::size_t kMaxNodes = 1024;  // likewise

constexpr std::string_view kDepBumpKeys[] = {"kind", "manifest_path", "package", "target_version",
                                             "rationale"};
constexpr std::string_view kOverrideKeys[] = {"kind", "manifest_path", "package", "forced_version",
                                              "rationale"};
constexpr std::string_view kRewriteKeys[] = {"kind", "manifest_path", "files", "diff", "rationale"};
constexpr std::string_view kRefuseKeys[] = {"kind", "reason", "rationale"};

constexpr std::string_view kKinds[] = {"dep_bump", "override", "callsite_rewrite", "refuse"};
constexpr std::string_view kReasons[] = {"out_of_scope", "insufficient_context", "policy_block"};

/// `where` is one of our own words.
Failure<Violation> violates(Fault fault, std::string_view where = {}) {
  return fail(Violation{fault, std::string(where)});
}

Fault fault_of(ParseError::Kind kind) {
  switch (kind) {
    case ParseError::Kind::too_large:
    case ParseError::Kind::too_many_nodes:
      return Fault::too_large;
    case ParseError::Kind::too_deep:
      return Fault::too_deep;
    case ParseError::Kind::trailing_data:
      return Fault::trailing_bytes;
    case ParseError::Kind::duplicate_key:
      return Fault::duplicate_key;
    case ParseError::Kind::byte_order_mark:
    case ParseError::Kind::not_utf8:
    case ParseError::Kind::control_character:
    case ParseError::Kind::syntax:
    case ParseError::Kind::bad_escape:
    case ParseError::Kind::lone_surrogate:
    case ParseError::Kind::bad_number:
    case ParseError::Kind::number_out_of_range:
    case ParseError::Kind::several_documents:
    case ParseError::Kind::yaml_feature:
    case ParseError::Kind::bad_key:
      return Fault::not_json;
  }
  return Fault::not_json;
}

/// The members of an answer. Its keys have been compared with those of its kind.
class Answer {
 public:
  explicit Answer(const Value& value) : value_(value) {}

  Result<Done, Violation> check_keys(std::span<const std::string_view> keys) const {
    for (const auto& [key, member] : *value_.as_object()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
        return violates(Fault::unknown_key);
      }
    }
    for (const std::string_view key : keys) {
      if (value_.find(key) == nullptr) return violates(Fault::missing_key, key);
    }
    return Done{};
  }

  [[nodiscard]] Result<std::string_view, Violation> text(std::string_view key) const {
    const Value* member = value_.find(key);
    if (member == nullptr) return violates(Fault::missing_key, key);
    if (!member->is_string()) return violates(Fault::wrong_type, key);
    return std::string_view(*member->as_string());
  }

  /// A package.json that is the repository's own.
  [[nodiscard]] Result<RepoPath, Violation> manifest() const {
    constexpr std::string_view kKey = "manifest_path";
    CG_TRY_ASSIGN(const std::string_view written, text(kKey));
    auto path = RepoPath::parse(written);
    if (!path || path->base() != "package.json") return violates(Fault::bad_path, kKey);
    // It is no source by its name; what else would protect it tells whose it is.
    if (protection_of(*path) != Protection::not_source) return violates(Fault::bad_path, kKey);
    return *std::move(path);
  }

  [[nodiscard]] Result<PackageName, Violation> package() const {
    constexpr std::string_view kKey = "package";
    CG_TRY_ASSIGN(const std::string_view written, text(kKey));
    auto parsed = PackageName::parse(written);
    if (!parsed) return violates(Fault::bad_package, kKey);
    return *std::move(parsed);
  }

  [[nodiscard]] Result<semver::Version, Violation> version(std::string_view key) const {
    CG_TRY_ASSIGN(const std::string_view written, text(key));
    auto parsed = semver::Version::parse(written);
    if (!parsed || parsed->str() != written) return violates(Fault::bad_version, key);
    return *std::move(parsed);
  }

  [[nodiscard]] Result<std::vector<RepoPath>, Violation> files() const {
    constexpr std::string_view kKey = "files";
    const Value::Array* items = value_.find(kKey)->as_array();
    if (items == nullptr) return violates(Fault::wrong_type, kKey);
    if (items->size() > kMaxFiles) return violates(Fault::too_long, kKey);
    std::vector<RepoPath> paths;
    for (const Value& item : *items) {
      if (!item.is_string()) return violates(Fault::wrong_type, kKey);
      auto path = RepoPath::parse(*item.as_string());
      if (!path) return violates(Fault::bad_path, kKey);
      if (std::find(paths.begin(), paths.end(), *path) != paths.end()) {
        return violates(Fault::bad_path, kKey);
      }
      paths.push_back(*std::move(path));
    }
    return paths;
  }

  [[nodiscard]] Result<SafeDiff, Violation> diff(const std::vector<RepoPath>& files) const {
    CG_TRY_ASSIGN(const std::string_view written, text("diff"));
    auto diff = SafeDiff::parse(written, files);
    if (!diff) return violates(Fault::bad_diff, "diff." + text_of(diff.error()));
    return *std::move(diff);
  }

  [[nodiscard]] Result<RefusalReason, Violation> reason() const {
    CG_TRY_ASSIGN(const std::string_view written, text("reason"));
    const auto* found = std::find(std::begin(kReasons), std::end(kReasons), written);
    if (found == std::end(kReasons)) return violates(Fault::bad_reason, "reason");
    return static_cast<RefusalReason>(found - std::begin(kReasons));
  }

  [[nodiscard]] Result<std::string, Violation> rationale() const {
    constexpr std::string_view kKey = "rationale";
    CG_TRY_ASSIGN(const std::string_view written, text(kKey));
    if (written.size() > kMaxRationale) return violates(Fault::too_long, kKey);
    if (has_hidden_in_prose(written)) return violates(Fault::bad_text, kKey);
    return std::string(written);
  }

 private:
  const Value& value_;
};

Result<Proposal, Violation> read_dep_bump(const Answer& answer) {
  CG_TRY(answer.check_keys(kDepBumpKeys));
  CG_TRY_ASSIGN(RepoPath manifest, answer.manifest());
  CG_TRY_ASSIGN(PackageName package, answer.package());
  CG_TRY_ASSIGN(semver::Version target, answer.version("target_version"));
  CG_TRY_ASSIGN(std::string rationale, answer.rationale());
  return Proposal(
      DepBump{std::move(manifest), std::move(package), std::move(target), std::move(rationale)});
}

Result<Proposal, Violation> read_override(const Answer& answer) {
  CG_TRY(answer.check_keys(kOverrideKeys));
  CG_TRY_ASSIGN(RepoPath manifest, answer.manifest());
  CG_TRY_ASSIGN(PackageName package, answer.package());
  CG_TRY_ASSIGN(semver::Version forced, answer.version("forced_version"));
  CG_TRY_ASSIGN(std::string rationale, answer.rationale());
  return Proposal(
      Override{std::move(manifest), std::move(package), std::move(forced), std::move(rationale)});
}

Result<Proposal, Violation> read_rewrite(const Answer& answer) {
  CG_TRY(answer.check_keys(kRewriteKeys));
  CG_TRY_ASSIGN(RepoPath manifest, answer.manifest());
  CG_TRY_ASSIGN(std::vector<RepoPath> files, answer.files());
  CG_TRY_ASSIGN(SafeDiff diff, answer.diff(files));
  CG_TRY_ASSIGN(std::string rationale, answer.rationale());
  return Proposal(CallsiteRewrite{std::move(manifest), std::move(files), std::move(diff),
                                  std::move(rationale)});
}

Result<Proposal, Violation> read_refuse(const Answer& answer) {
  CG_TRY(answer.check_keys(kRefuseKeys));
  CG_TRY_ASSIGN(const RefusalReason reason, answer.reason());
  CG_TRY_ASSIGN(std::string rationale, answer.rationale());
  return Proposal(Refuse{reason, std::move(rationale)});
}

Result<Proposal, Violation> read(const Answer& answer) {
  CG_TRY_ASSIGN(const std::string_view kind, answer.text("kind"));
  using Reader = Result<Proposal, Violation> (*)(const Answer&);
  constexpr Reader kReaders[] = {read_dep_bump, read_override, read_rewrite, read_refuse};
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    if (kind == kKinds[i]) return kReaders[i](answer);
  }
  return violates(Fault::unknown_kind, "kind");
}

Value value_of(const Proposal& proposal) {
  const Value kind(kind_of(proposal));
  return match(
      proposal,
      [&](const DepBump& p) {
        return Value(Value::Object{{"kind", kind},
                                   {"manifest_path", p.manifest.str()},
                                   {"package", p.package.str()},
                                   {"target_version", p.target.str()},
                                   {"rationale", p.rationale}});
      },
      [&](const Override& p) {
        return Value(Value::Object{{"kind", kind},
                                   {"manifest_path", p.manifest.str()},
                                   {"package", p.package.str()},
                                   {"forced_version", p.forced.str()},
                                   {"rationale", p.rationale}});
      },
      [&](const CallsiteRewrite& p) {
        Value::Array files;
        for (const RepoPath& path : p.files) files.emplace_back(path.str());
        return Value(Value::Object{{"kind", kind},
                                   {"manifest_path", p.manifest.str()},
                                   {"files", std::move(files)},
                                   {"diff", p.diff.text()},
                                   {"rationale", p.rationale}});
      },
      [&](const Refuse& p) {
        return Value(
            Value::Object{{"kind", kind}, {"reason", name(p.reason)}, {"rationale", p.rationale}});
      });
}

}  // namespace

std::string_view name(RefusalReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

std::string_view kind_of(const Proposal& proposal) { return kKinds[proposal.index()]; }

std::string_view name(Fault fault) {
  constexpr std::string_view kNames[] = {
      "too_large",     "too_deep",     "not_json",    "duplicate_key", "trailing_bytes",
      "not_an_object", "unknown_kind", "missing_key", "unknown_key",   "wrong_type",
      "bad_path",      "bad_package",  "bad_version", "bad_diff",      "bad_reason",
      "too_long",      "bad_text"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Fault::bad_text) + 1);
  return kNames[static_cast<std::size_t>(fault)];
}

Result<Proposal, Violation> parse(std::string_view json) {
  const json::Limits limits{
      .max_bytes = kMaxAnswer, .max_depth = kMaxDepth, .max_nodes = kMaxNodes};
  const auto value = json::parse_json(json, limits);
  if (!value) return violates(fault_of(value.error().kind));
  if (!value->is_object()) return violates(Fault::not_an_object);
  CG_TRY_ASSIGN(Proposal proposal, read(Answer(*value)));
  // Our spelling of names with spaces in a diff takes a byte more than some others.
  if (write(proposal).size() > kMaxAnswer) return violates(Fault::too_large);
  return proposal;
}

std::string write(const Proposal& proposal) { return json::canonical(value_of(proposal)).value(); }

}  // namespace cg::proposal
