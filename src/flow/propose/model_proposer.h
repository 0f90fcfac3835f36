// The last tiers: a solved example, a model. One question after another about one group; several
// for one attempt where its files do not fit into one (parts.h).
//
// The first attempt is nobody's idea: the breaking version alone. If every gate passes then, with
// tests by name, it is the fix, and nobody is asked; else what fails is the first question's best
// part. Before that question a solved example of the same break is carried over, where its pattern
// fits every file: an attempt like any other, for which nobody is asked either.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "flow/precedent/precedents.h"
#include "flow/propose/earlier.h"
#include "flow/propose/parts.h"
#include "flow/propose/proposer.h"
#include "flow/propose/reading.h"
#include "flow/supplies/surroundings.h"
#include "model/proposal/judge.h"
#include "npm/exports/exports.h"

namespace cg::propose {

/// How a run ends that nobody is to be asked in any more.
[[nodiscard]] ExitCode exit_of(const tiers::GivenUp& stopped);

class ModelProposer final : public Proposer {
 public:
  /// Who may be asked, and what is remembered.
  struct Means {
    tiers::Asking* asking;  // nullptr: nobody, so solved examples alone
    precedent::Precedents& precedents;
    Earlier& earlier;
  };
  /// `notes` gets what the operator should know of what was not shown, one line each.
  ModelProposer(Situation& situation, const Means& means, supplies::Watcher& watcher,
                std::vector<std::string>& notes)
      : situation_(situation),
        asking_(means.asking),
        precedents_(means.precedents),
        earlier_(means.earlier),
        watcher_(watcher),
        notes_(notes) {}

  [[nodiscard]] Result<Answer, Problem> propose(const Group& group, unsigned number,
                                                const std::vector<gate::AttemptSummary>& history,
                                                record::Events& events) override;

  /// What the model would be asked for attempt `number`, and it is not, each question. Without
  /// `history`, nothing is told of what failed before.
  [[nodiscard]] Result<std::vector<tiers::Preview>, Problem> preview(
      const Group& group, unsigned number, const std::vector<gate::AttemptSummary>& history);

 private:
  [[nodiscard]] Result<std::optional<Answer>, Problem> recalled(const Group& group, unsigned number,
                                                                record::Events& events);
  [[nodiscard]] Answer bare_version(const Group& group);
  /// What a solved example gives for all files that use the package; nothing if none fits.
  [[nodiscard]] std::optional<Answer> carried(const Group& group, unsigned number,
                                              record::Events& events);
  [[nodiscard]] Result<Done, Problem> read_up(const Group& group);
  [[nodiscard]] Result<Done, Problem> read_package(const Group& group, const upgrade::Used& used);
  [[nodiscard]] Result<Done, Problem> remember(const Group& group, const semver::Version& from,
                                               const semver::Version& to, const Reading& reading);
  /// What came of asking one part: nothing if it can be tried.
  using NotYet = std::optional<std::variant<NoPlan, GivenUp>>;
  [[nodiscard]] Result<NotYet, Problem> ask(const Group& group, unsigned number, std::size_t part,
                                            const std::vector<gate::AttemptSummary>& history);
  [[nodiscard]] NotYet refused(PartAsked& part, unsigned number, const tiers::GivenUp& stop);
  [[nodiscard]] Result<proposal::Accepted, proposal::Rejection> judge(
      const proposal::Proposal& said, const HandedOn& group, const PartAsked& part);
  [[nodiscard]] Answer candidate(const Group& group, unsigned number);
  [[nodiscard]] std::optional<example::Example> lesson(const Group& group, const Candidate& made);

  Situation& situation_;
  tiers::Asking* asking_;
  precedent::Precedents& precedents_;
  Earlier& earlier_;
  supplies::Watcher& watcher_;
  std::vector<std::string>& notes_;
  std::string looked_up_;  // the group that was last, among what was paid for
  // Of the group that was asked about last.
  Parts parts_;
  std::optional<exports::Api> api_;  // of the version that a rewrite moves its package to
};

}  // namespace cg::propose
