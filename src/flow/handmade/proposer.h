// A person's fix as a proposal like any other.
//
// Of the commit two things count: the version that it moves the package to, and the sources that it
// rewrites. Manifest and lockfile are made by us from that version, and tests stay as they are at
// the base, so that what is proven is what is remembered: this version, with these sources. What
// else the commit changes is left out, and told.
#pragma once

#include <string>
#include <vector>

#include "flow/handmade/fix.h"
#include "flow/propose/proposer.h"
#include "flow/propose/sources.h"

namespace cg::handmade {

class Proposer final : public propose::Proposer {
 public:
  /// `notes` gets what is left out, one line each.
  Proposer(propose::Situation& situation, const Fix& fix, std::vector<std::string>& notes)
      : situation_(situation), fix_(fix), notes_(notes) {}

  /// One attempt; the group must be one that is handed on.
  [[nodiscard]] Result<propose::Answer, Problem> propose(
      const propose::Group& group, unsigned number,
      const std::vector<gate::AttemptSummary>& history, record::Events& events) override;

 private:
  [[nodiscard]] Result<std::string, Problem> version_of(const propose::HandedOn& group) const;
  struct Rewrite {
    job::EditedFiles files;
    std::string diff;
    std::string refused;  // why it cannot be taken: it adds files; empty: it can
  };
  [[nodiscard]] Result<Rewrite, Problem> rewrite_of(const propose::HandedOn& group);

  propose::Situation& situation_;
  const Fix& fix_;
  std::vector<std::string>& notes_;
};

}  // namespace cg::handmade
