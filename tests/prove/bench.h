// A project of ./projects as a repository, and a registry that has its packages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "remediate/bench.h"

namespace cg::test {

/// Makes a project of the folder `from` ready in `to`, once; see prepare.mjs. False where its
/// packages cannot be had; that is then said.
[[nodiscard]] bool prepare(const std::string& project, const std::string& from,
                           const std::string& to);

/// One run of `remediate`, as read.
struct Proven {
  Ran ran;
  json::Value outcome;  // an empty object where there is none

  /// What a gate said; an empty object if it said nothing.
  [[nodiscard]] json::Value gate(const std::string& signal) const;
  /// "passed", "failed", "missing", "absent".
  [[nodiscard]] std::string state(const std::string& signal) const;
  /// All of a gate's reasons, in lines.
  [[nodiscard]] std::string reasons(const std::string& signal) const;
  /// Of the gates that failed or are missing, in the order of the report.
  [[nodiscard]] std::vector<std::string> refusing() const;
};

class ProveBench : public Bench {
 public:
  /// The project is committed into a repository of the same name. Null where its packages
  /// cannot be had; that is then said.
  [[nodiscard]] static std::unique_ptr<ProveBench> open(const std::string& project);

  /// `remediate PROJECT --all`, from the registry that has no network behind it.
  [[nodiscard]] Ran run(const std::vector<std::string>& words,
                        const std::vector<std::string>& env = {}) const;
  /// The same with --format json.
  [[nodiscard]] Proven prove(const std::vector<std::string>& words = {},
                             const std::vector<std::string>& env = {}) const;
  /// The words of that command, and the environment that it runs in.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& words) const;
  [[nodiscard]] std::vector<std::string> settings() const;

  /// The id of the last remediation, ended or not; empty if there is none.
  [[nodiscard]] std::string last_workflow() const;
  /// Bodies of the events of one kind that the last remediation has written.
  [[nodiscard]] std::vector<json::Value> events(const std::string& kind) const;

  [[nodiscard]] Files branches() const { return Bench::branches(project_); }
  [[nodiscard]] const std::string& project() const { return project_; }
  [[nodiscard]] std::string registry() const { return registry_.url(); }

 private:
  explicit ProveBench(const std::string& project);

  std::string project_;
  RegistryProcess registry_;
};

/// A number of an object; -1 if it has none of that name.
[[nodiscard]] std::int64_t number_of(const json::Value& object, const std::string& key);
/// A member of an object, or an empty object.
[[nodiscard]] json::Value member_of(const json::Value& object, const std::string& key);

}  // namespace cg::test
