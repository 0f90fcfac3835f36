// Verification: one run of the verifier. For verify.cc and verify_judge.cc only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trust/audit/guard.h"
#include "trust/audit/log_report.h"
#include "trust/audit/walk.h"
#include "trust/record/tile.h"
#include "trust/sign/note.h"

namespace cg::audit {

/// Something that claims to know the log at a certain size.
struct Claim {
  std::string source;  // file, for messages
  std::uint64_t size = 0;
  hash::Digest head{};
  std::optional<hash::Digest> root;  // the guard and the derived state know only the head
  ErrorCode if_other;                // what it means when the entries say otherwise
  std::optional<hash::Digest> found_head;
  std::optional<hash::Digest> found_root;
};

struct WorkflowSeen {
  bool started = false;
  std::optional<record::WorkflowEnded> ended;
};

/// One run of the verifier, in the order of the member functions.
class Verification {
 public:
  Verification(const os::Dir& home, const os::Dir& events, const VerifyOptions& options,
               const Progress& progress)
      : home_(home), events_(events), options_(options), progress_(progress) {}

  [[nodiscard]] Result<LogReport, Problem> run();

 private:
  void add(Problem problem) { report_.breaks.push_back(std::move(problem)); }
  [[nodiscard]] std::string path(const std::string& name) const { return events_.path_of(name); }

  // verify.cc: what is there, and what others say of it.
  [[nodiscard]] Result<Done, Problem> read_guard();
  void read_key();
  [[nodiscard]] Result<Done, Problem> read_heads();
  [[nodiscard]] Result<Done, Problem> read_all_anchors();
  void walk();
  void take(const Held& held);
  void note_claims();

  // verify_judge.cc: whether it agrees.
  void compare_tile(const record::Tile& tile);
  void judge_claims();
  void judge_tiles();
  void judge_state();
  void judge_workflows();
  void judge_workflow(const std::string& id, const WorkflowSeen& seen);
  void judge_tail();
  void judge_anchors();

  const os::Dir& home_;
  const os::Dir& events_;
  const VerifyOptions& options_;
  const Progress& progress_;
  LogReport report_;
  std::optional<GuardReader> guard_;
  std::optional<Seen> seen_;
  std::optional<sign::NoteKey> key_;
  std::string log_;
  std::optional<record::State> kept_state_;
  bool state_follows_ = false;
  std::vector<Claim> claims_;  // sorted by size
  std::size_t next_claim_ = 0;
  record::TileTree tree_;
  std::vector<record::Tile> full_;
  std::vector<record::Tile> partials_;  // at the size of the checkpoint
  std::map<std::string, WorkflowSeen> workflows_;
  std::uint64_t torn_bytes_ = 0;
  std::uint64_t anchored_ = 0;
  bool walked_ = false;
};

}  // namespace cg::audit
