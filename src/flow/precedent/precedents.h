// Precedents: breaks that were solved before, for who thinks of a fix.
//
// Read once for a run, before the first question: each record is judged by the log, and only those
// that hold are ever shown or carried over. A case is what a group of copies comes to (lesson.h);
// it is told of here when it is known, and asked about afterwards.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flow/precedent/aspects.h"
#include "flow/precedent/lesson.h"
#include "learn/rag/reader.h"
#include "learn/retrieve/retrieve.h"
#include "model/tiers/ports.h"
#include "npm/exports/exports.h"

namespace cg::precedent {

/// A rewrite that follows from a record, for all files that use the package.
struct Carried {
  std::string record;
  std::string workflow;  // that proved it
  Texts rewritten;       // only files that change; none: no file has to
};
/// For each file what a record gives, or why it gives nothing.
struct Carrying {
  std::optional<Carried> carried;
  std::vector<std::string> refusals;  // one line for each record that was tried
};

class Precedents final : public tiers::Retrieval {
 public:
  enum class Look {
    store,
    nowhere,  // nothing is ever found: what a cassette is played to must not depend on a store
  };
  /// `access` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Precedents>, Problem> open(
      const workspace::Access& access, Look look = Look::store);

  /// What the break of a group is, from now on.
  void about(const std::string& group, example::Example lesson);
  [[nodiscard]] const example::Example* lesson_of(const std::string& group) const;

  /// The nearest records, as texts to be fenced. A group of which nothing was told has none.
  [[nodiscard]] std::vector<tiers::Example> nearest(const tiers::Question& question,
                                                    unsigned attempt,
                                                    record::Events& events) override;

  /// What records of the same package and the same step across a break give for `files`: all of
  /// them, or nothing. The newest record that fits counts.
  [[nodiscard]] Carrying carry(const std::string& group, const Texts& files,
                               const exports::Api* api, unsigned attempt, record::Events& events);

  /// What could not be looked for, and why, one line each, for whoever runs it.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Precedents() = default;
  [[nodiscard]] Result<Done, Problem> make_ready();
  [[nodiscard]] Result<std::vector<float>, Problem> vector_of(const rag::Record& record);
  void warn(const std::string& warning);
  [[nodiscard]] std::optional<retrieve::Retrieved> ask(const example::Example& lesson,
                                                       unsigned attempt, record::Events& events);

  std::optional<rag::Reader> reader_;  // all three or none
  std::optional<Embedding> embedding_;
  std::vector<std::vector<float>> vectors_;  // by record
  std::optional<retrieve::Library> library_;
  std::map<std::string, example::Example> lessons_;  // by group
  std::vector<std::string> warnings_;
};

/// What a model is shown of a record, within the cap of its kind.
[[nodiscard]] std::string text_of(const example::Example& example);

/// Both steps cross the same break: the same package, from one major version to another.
[[nodiscard]] bool is_same_step(const example::Example& a, const example::Example& b);

}  // namespace cg::precedent
