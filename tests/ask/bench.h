// A project of ./projects whose fix breaks it, a workspace whose policy lets a model be asked,
// and the model.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ask/world.h"
#include "prove/bench.h"

namespace cg::test {

inline constexpr const char* kModel = "model-of-tests";

/// What a prompt says, taken apart at its fences.
struct Prompt {
  std::string system;
  std::string body;                 // as it was sent
  std::string ours;                 // the body without what is fenced
  std::vector<std::string> fenced;  // contents, in order
  std::vector<std::string> nonces;

  /// One of the fenced texts holds `text`, and nothing else of the prompt does.
  [[nodiscard]] bool only_fenced(const std::string& text) const;
};

class AskBench : public Bench {
 public:
  /// The project is committed into a repository of the same name, the key is stored, the
  /// server's key is pinned. Null where the packages cannot be had; that is then said.
  [[nodiscard]] static std::unique_ptr<AskBench> open(const std::string& project,
                                                      Shown shown = Shown::pinned);

  /// Commits another project into a repository of its own; from here on all is about that one.
  void take(const std::string& project);

  [[nodiscard]] const World& world() const { return world_; }
  [[nodiscard]] const std::string& project() const { return project_; }
  /// What the key store holds.
  [[nodiscard]] const std::string& key() const { return key_; }
  /// As a unit of systemd gets it: the variable that names the folder of the key.
  [[nodiscard]] std::string key_store() const;

  /// In the network of the servers. `env` comes last.
  [[nodiscard]] Ran inside(const std::vector<std::string>& words,
                           const std::vector<std::string>& env) const;
  /// `remediate PROJECT --all --max-tier llm`, inside, with the key, as read. `words` may hold
  /// --cve in place of --all, or another tier. CG_ASK_KEEP=DIR keeps the body of each question
  /// there, for who writes an answer.
  [[nodiscard]] Proven ask(const std::vector<std::string>& words = {},
                           const std::vector<std::string>& env = {}) const;
  /// The words of that command.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& words) const;

  /// Answers of ./answers, "press.right".
  void answers(const std::vector<std::string>& names) const;
  /// Replaces a line of the policy; fails the test if it is not there.
  void set_policy(const std::string& line, const std::string& by) const;

  /// The last remediation or lesson, ended or not.
  [[nodiscard]] std::string last_workflow() const;
  [[nodiscard]] std::vector<json::Value> events(const std::string& kind) const;
  /// All of its events: each its kind and the few words that say what became of it.
  [[nodiscard]] std::string tape() const;
  /// All of its events as they are but for ids and times.
  [[nodiscard]] std::string same_events() const;
  /// The body of the n-th request that the server saw, from 0, taken apart.
  [[nodiscard]] Prompt prompt(std::size_t number) const;

  [[nodiscard]] Files branches() const { return Bench::branches(project_); }
  /// Files that the only branch changes, sorted, in lines; fails the test if there are more
  /// branches or none.
  [[nodiscard]] std::string changed_files() const;
  /// `audit verify` and `verify latest` are content.
  void expect_sound() const;
  /// No file that we made holds the key, as it is, in hexadecimal digits or in base64; nor
  /// does what the logs say.
  void expect_no_key(const std::vector<Ran>& said) const;

 private:
  AskBench(const std::string& project, Shown shown);
  [[nodiscard]] std::vector<json::Value> entries() const;
  void keep_prompts() const;

  std::string project_;
  std::string key_;
  World world_;
};

[[nodiscard]] std::string answer_text(const std::string& name);
/// Compares with ./tapes/NAME.txt. CG_ACCEPT=1 rewrites it, and fails all the same.
void expect_tape(const std::string& name, const std::string& tape);

}  // namespace cg::test
