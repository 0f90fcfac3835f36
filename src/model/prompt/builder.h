// The prompt builder: the only maker of what may be sent to a model.
//
// What we say comes from the verified plugin (a Skill) and from this module; what others
// wrote goes through fence(), as soon as it is handed in. Segments stand in a fixed order,
// whatever order they were added in: task, advisory, README, dependencies, source, examples,
// the output of tools, the last attempt.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/domain/skill.h"
#include "model/prompt/fence.h"

namespace cg::prompt {

/// What we say. Made by PromptBuilder alone.
class TrustedPrompt {
 public:
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class PromptBuilder;
  explicit TrustedPrompt(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// The task in our words, and fenced segments. Made by PromptBuilder alone.
class FencedPromptBody {
 public:
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class PromptBuilder;
  explicit FencedPromptBody(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// A text that a model was told without the secrets in it.
struct Withheld {
  SourceKind kind = SourceKind::source_snippet;
  std::string label;
  std::size_t secrets = 0;
  friend bool operator==(const Withheld&, const Withheld&) = default;
};

struct Prompt {
  TrustedPrompt system;
  FencedPromptBody body;
  record::Events events;  // of every fence and every drop, in the order of the segments
  std::vector<Withheld> withheld;
};

/// What is to be done, in words that cannot carry a sentence: ids, names, versions and paths
/// that their parsers let through, and the canary too: a folder can be called anything. What
/// does not pass is left out and said so. At most 64 files.
struct Task {
  std::string advisory;                // "GHSA-…"
  std::string package;                 // npm name
  std::string installed;               // versions
  std::string target;                  // the version that the bump will go to
  std::string manifest;                // "package.json"
  std::vector<std::string> files;      // that may be rewritten, relative paths
  std::vector<std::string> published;  // safe versions to choose from, lowest first; at most 50
};

/// One try to repair an answer that was not one.
enum class Repair { none, last_answer_was_malformed };

class PromptBuilder {
 public:
  PromptBuilder(const Skill& skill, NonceSource& nonces) : skill_(skill), nonces_(nonces) {}

  PromptBuilder& task(Task task);
  /// More than most_of(kind) of a kind are dropped, with an event. `label` names the segment
  /// in our own words; it is a path or a package name, or it is left out. `line` is where in that
  /// file the payload begins, 0 if it is no part of one: said outside of the fence, as inside
  /// anybody could have said it.
  PromptBuilder& add(SourceKind kind, std::string_view payload, std::string_view label = {},
                     std::size_t line = 0);
  PromptBuilder& repair(Repair repair);
  [[nodiscard]] Prompt build() &&;

 private:
  struct Untrusted {
    Fenced fenced;
    std::string label;
  };
  void write_segments(SourceKind kind, std::string& body, record::Events& events) const;

  const Skill& skill_;
  NonceSource& nonces_;
  Task task_;
  Repair repair_ = Repair::none;
  std::vector<Untrusted> untrusted_;
  std::vector<record::SegmentDropped> dropped_;
};

}  // namespace cg::prompt
