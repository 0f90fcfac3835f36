// Config: which registry is asked for a package, and as whom.
//
// The operator's layers decide as npm lets them. The .npmrc of a repository that is being
// fixed is a stranger's: it cannot name another registry, bring a token, trust an
// authority or switch a check off.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/registry/npmrc.h"
#include "npm/registry/url.h"

namespace cg::registry {

/// Strongest first.
struct Layers {
  std::string flag;  // --registry; empty if it was not given
  Npmrc environment;
  Npmrc project;  // the repository's own: untrusted
  Npmrc user;
  Npmrc global;
  std::string built_in;  // what npm asks if nobody says otherwise; empty if not known
  /// The public registry, which lockfiles and repositories name when they mean whichever is
  /// configured; empty if not known.
  std::string public_registry;
};

/// The repository wants packages to come from elsewhere.
struct ProjectRedirect {
  std::string scope;  // "@scope"; empty: all that have none of their own
  std::string url;    // as written, made printable
};
/// A value of the operator's that cannot be used.
struct BadValue {
  std::string key;
  std::string what;
};

/// Whose word a registry is.
enum class Named { flag, environment, user, global, built_in };

struct Choice {
  RegistryUrl url;
  Named by = Named::built_in;
};

class Config {
 public:
  [[nodiscard]] static Result<Config, BadValue> merge(const Layers& layers);

  /// A refusal: with one, no registry is asked for anything.
  [[nodiscard]] const std::optional<ProjectRedirect>& redirect() const { return redirect_; }

  /// Nothing if none is known.
  [[nodiscard]] const Choice* registry_for(std::string_view package) const;
  /// Value of the Authorization header for `registry`; empty if nobody set one. From the
  /// entry with the longest prefix of its URL.
  [[nodiscard]] std::string authorization(const RegistryUrl& registry) const;

  /// Certificates in PEM that are written out in `ca`.
  [[nodiscard]] const std::string& authorities() const { return authorities_; }
  /// A file of them; empty if none is named.
  [[nodiscard]] const std::string& authorities_file() const { return authorities_file_; }
  /// What was read and not followed, one line each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  friend class ConfigBuilder;
  Config() = default;

  std::optional<Choice> registry_;
  std::optional<ProjectRedirect> redirect_;
  std::map<std::string, Choice, std::less<>> scopes_;
  /// "//host/path/:_authToken" and its like.
  std::map<std::string, std::string, std::less<>> credentials_;
  std::string authorities_;
  std::string authorities_file_;
  std::vector<std::string> notes_;
};

}  // namespace cg::registry
