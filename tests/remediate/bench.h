// A workspace with the example advisories, repositories made by git, and codegenie.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "support/support.h"
#include "traps/registry_process.h"

namespace cg::test {

/// Files by their path.
using Files = std::map<std::string, std::string>;

/// Whether the repository has tests; most of what is shown here takes half the time without.
enum class Suite { none, own };

class Bench {
 public:
  /// A workspace, and `shop`, a repository of one commit with examples/shop in it.
  explicit Bench(Suite suite = Suite::none);

  [[nodiscard]] std::string path(const std::string& name) const { return scratch_ / name; }
  [[nodiscard]] std::string home() const { return path("home/.local/state/codegenie"); }
  void write(const std::string& name, const std::string& bytes) const;

  /// In the scratch folder, with a HOME of its own and nothing else configured.
  [[nodiscard]] Ran codegenie(const std::vector<std::string>& words,
                              const std::vector<std::string>& env = {}) const;
  [[nodiscard]] std::vector<std::string> environment() const;
  /// `remediate` with the example registry, which is started when it is first needed.
  [[nodiscard]] Ran remediate(const std::vector<std::string>& words);
  /// The same with --format json, as read; fails the test if it is not JSON.
  [[nodiscard]] json::Value outcome(const std::vector<std::string>& words);
  [[nodiscard]] std::string registry();
  /// From here on nothing can be fetched; registry() still tells its URL.
  void stop_registry() { registry_.reset(); }

  /// git in `folder`, without any configuration of the machine; its output without the
  /// last newline. Fails the test if git fails.
  std::string git(const std::vector<std::string>& words, const std::string& folder = "shop") const;
  [[nodiscard]] Ran try_git(const std::vector<std::string>& words, const std::string& folder) const;
  void make_repository(const std::string& folder) const;
  void commit(const std::string& message, const std::string& folder = "shop") const;

  /// Commits by branch, of those that begin with `prefix`.
  [[nodiscard]] Files branches(const std::string& folder = "shop",
                               const std::string& prefix = "refs/heads/codegenie") const;
  /// Every file beneath, but for objects and refs of ours: what a user may call theirs.
  [[nodiscard]] Files untouchable(const std::string& folder = "shop") const;
  [[nodiscard]] Files everything(const std::string& folder) const;
  /// "" or what fsck complains of.
  [[nodiscard]] std::string fsck(const std::string& folder = "shop") const;

 private:
  ScratchDir scratch_;
  std::unique_ptr<RegistryProcess> registry_;
  std::string url_;
};

/// The text of a member; empty if it is null or missing.
[[nodiscard]] std::string text_of(const json::Value& object, const std::string& key);
/// The members of a list; none if it is missing.
[[nodiscard]] std::vector<json::Value> list_of(const json::Value& object, const std::string& key);
/// "verdict blocker" of the copies of a package, sorted, each once.
[[nodiscard]] std::vector<std::string> verdicts(const json::Value& outcome,
                                                const std::string& package);

}  // namespace cg::test
