// The prompt builder: the only maker of what may be sent to a model.
//
// What we say comes from the verified plugin (a Skill) and from this module; what others
// wrote goes through fence(), as soon as it is handed in. Segments stand in a fixed order,
// whatever order they were added in: task, advisory, README, dependencies, what the package
// exports, what its authors say, source, examples, the output of tools, what the last attempt
// changed, how it failed.
//
// What is too much for one call is cut, never refused. First what helps least goes: README and
// dependencies, then examples. What authors say and what tools print is then cut to a third of
// its cap, what the package exports to half of it; only after that does the rest of these go, the
// attempt before, and the advisory, in this order. Sources are never left out: what nobody
// was shown, nobody may rewrite, so whoever chooses them chooses few enough. Of a text that was
// handed in in several lengths the longest that fits is taken; others are cut at their end.
#pragma once

#include <cstdint>
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

struct Prompt {
  TrustedPrompt system;
  FencedPromptBody body;
  record::Events events;  // of every fence and every drop, in the order of the segments
};

/// What is to be done, in words that cannot carry a sentence: ids, names, versions and paths
/// that their parsers let through, and the canary too: a folder can be called anything. What
/// does not pass is left out and said so. At most 64 files.
struct Task {
  std::string advisory;                // "GHSA-…"
  std::string package;                 // npm name, of what moves
  std::string brings;                  // what it brings in, that the advisory is about; or empty
  std::string installed;               // versions
  std::string target;                  // the version that the bump will go to
  std::string manifest;                // "package.json"
  std::vector<std::string> files;      // that may be rewritten, relative paths
  std::size_t elsewhere = 0;           // more files that other questions are about
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
  /// anybody could have said it. `shorter`: the same in less, the longest first.
  PromptBuilder& add(SourceKind kind, std::string_view payload, std::string_view label = {},
                     std::size_t line = 0, const std::vector<std::string>& shorter = {});
  PromptBuilder& repair(Repair repair);
  /// How many bytes the body may take within a JSON text; everything by default.
  PromptBuilder& fit(std::size_t bytes);
  /// What build() gives as `system`, for who reckons what is left for the body.
  [[nodiscard]] TrustedPrompt system() const;
  [[nodiscard]] Prompt build() &&;

 private:
  struct Untrusted {
    std::string payload;
    Nonce nonce;
    Fenced fenced;
    std::string label;
    std::vector<std::string> shorter;
  };
  static void shorten(Untrusted& one, std::size_t keeps);
  [[nodiscard]] std::string body() const;
  void trim();
  [[nodiscard]] std::size_t shrink(SourceKind kind, std::size_t stays, std::size_t over);
  void write_segments(SourceKind kind, std::string& body) const;
  [[nodiscard]] record::Events take_events() const;

  const Skill& skill_;
  NonceSource& nonces_;
  Task task_;
  Repair repair_ = Repair::none;
  std::size_t fits_ = SIZE_MAX;
  std::vector<Untrusted> untrusted_;
  std::vector<record::SegmentDropped> dropped_;
};

}  // namespace cg::prompt
