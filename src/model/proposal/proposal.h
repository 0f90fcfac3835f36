// PlanProposal: the only thing that a model can say.
//
// A closed sum of four shapes, each field of a type that can only be parsed. What does not
// fit is a Violation with a reason from a closed list; nothing of its words is kept. One of
// them breaks no protocol: a diff that cannot be read, or may not be. What parses is still only
// a wish: judge.h says what of it may be done.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/base/result.h"
#include "model/proposal/path.h"
#include "model/proposal/safe_diff.h"
#include "npm/semver/version.h"

namespace cg::proposal {

inline constexpr std::size_t kMaxRationale = 2048;  // bytes; for the log, never prompted again
inline constexpr std::size_t kMaxFiles = 64;
inline constexpr std::size_t kMaxAnswer = 192U << 10U;  // bytes of JSON

/// `manifest` is a package.json, in no hidden folder and in no node_modules. Versions are in
/// their one spelling: no range, no tag, no "v", no build.
struct DepBump {
  RepoPath manifest;
  PackageName package;
  semver::Version target;
  std::string rationale;
  friend bool operator==(const DepBump&, const DepBump&) = default;
};
struct Override {
  RepoPath manifest;
  PackageName package;
  semver::Version forced;
  std::string rationale;
  friend bool operator==(const Override&, const Override&) = default;
};
struct CallsiteRewrite {
  RepoPath manifest;
  std::vector<RepoPath> files;  // at least one, all different
  SafeDiff diff;
  std::string rationale;
  friend bool operator==(const CallsiteRewrite&, const CallsiteRewrite&) = default;
};
enum class RefusalReason { out_of_scope, insufficient_context, policy_block };
[[nodiscard]] std::string_view name(RefusalReason reason);
struct Refuse {
  RefusalReason reason;
  std::string rationale;
  friend bool operator==(const Refuse&, const Refuse&) = default;
};
using Proposal = std::variant<DepBump, Override, CallsiteRewrite, Refuse>;
/// "dep_bump"
[[nodiscard]] std::string_view kind_of(const Proposal& proposal);

enum class Fault {
  too_large,
  too_deep,
  not_json,  // or JSON that readers disagree about: bad UTF-8, half a surrogate, huge numbers
  duplicate_key,
  trailing_bytes,
  not_an_object,
  unknown_kind,
  missing_key,
  unknown_key,
  wrong_type,
  bad_path,
  bad_package,
  bad_version,
  bad_diff,
  bad_reason,
  too_long,
  bad_text,
};
[[nodiscard]] std::string_view name(Fault fault);
struct Violation {
  Fault fault;
  /// Where, in our words: "files", "diff.creation file 1"; empty for the whole. Never what the
  /// model wrote.
  std::string where;

  /// False for an answer of one of the four shapes that is turned down for its diff: whoever
  /// wrote it can be told, and try again.
  [[nodiscard]] bool breaks_protocol() const { return fault != Fault::bad_diff; }
};

/// The whole answer: one JSON object, nothing around it but white space.
[[nodiscard]] Result<Proposal, Violation> parse(std::string_view json);
/// One spelling, canonical JSON; parse() gives the same proposal back.
[[nodiscard]] std::string write(const Proposal& proposal);

/// The JSON schema that a model is asked to keep to, on one line. Only keywords that servers
/// with structured output take, so it is wider than parse(), never narrower.
[[nodiscard]] const std::string& json_schema();

}  // namespace cg::proposal
