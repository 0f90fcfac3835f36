// Writer: the only way to change the store.
//
// An example is written for a fix that passed, which the caller shows by the gates' own proof, or
// as one that did not work for one that failed. Order: the event, whole, into the log, and the
// log's head signed over it; then the files (settle.h); then the index. An operation holds the
// store's lock, so writers wait for each other. What an earlier one left half done, or somebody
// put back from an older copy, is put right first and told in the log.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "learn/example/example.h"
#include "learn/rag/bundle.h"
#include "learn/rag/index.h"
#include "learn/rag/reader.h"
#include "learn/rag/release.h"
#include "learn/rag/rescan.h"
#include "learn/rag/settle.h"
#include "prove/gate/verdict.h"
#include "trust/audit/log.h"
#include "trust/record/event.h"

namespace cg::rag {

/// Whether a fix whose tests show little (gate::Passed::weak) may teach.
enum class Weak { refuse, allow };

struct Written {
  std::string id;
  bool known = false;  // a record says the same already; `id` is that one, and nothing was written
};

/// What of the store did not hold, and was put into quarantine.
struct Found {
  std::string record;
  Provenance status = Provenance::quarantined;
  std::string why;
  std::string pattern;  // of the canary; empty: none
};

/// By record, of one embedder.
using Vectors = std::map<std::string, std::vector<float>, std::less<>>;
/// Makes the vectors of an example.
using Embed = std::function<Result<std::vector<float>, Problem>(const example::Example&)>;

struct Session;  // learn/rag/session.h

class Writer {
 public:
  /// Makes the store of a workspace that has none, and puts right what is not as the log says.
  /// `home` and `log` must outlive it.
  [[nodiscard]] static Result<Writer, Problem> open(const os::Dir& home, audit::Log& log,
                                                    Weak weak = Weak::refuse);

  /// `example` teaches what `proof`, and `more` for further lockfiles, let pass. Its gates, its
  /// isolation and that it worked are taken from there, whatever it says; its workflow has to be
  /// one of this log, whose stream holds. `events` is told if it was skipped.
  [[nodiscard]] Result<Written, Problem> write(example::Example example, const gate::Passed& proof,
                                               std::span<const gate::Passed> more,
                                               std::uint64_t attempt, record::Events& events);
  /// What failed, and why: kept apart, never a solution.
  [[nodiscard]] Result<Written, Problem> write_failed(example::Example example,
                                                      const gate::Failed& failed,
                                                      std::uint64_t attempt,
                                                      record::Events& events);
  /// Vectors of `model`, id of the embedder, for records of this store. Others are passed over.
  [[nodiscard]] Result<Done, Problem> keep_vectors(const std::string& model,
                                                   const Vectors& vectors);

  [[nodiscard]] Result<Done, Problem> quarantine(const std::string& id, const std::string& reason);
  [[nodiscard]] Result<Done, Problem> release(const Release& release);
  /// Quarantines what does not hold, by its provenance; the vectors of every model are looked at.
  [[nodiscard]] Result<std::vector<Found>, Problem> verify();
  /// Quarantines what the canary, or one of `phrases`, finds.
  [[nodiscard]] Result<std::vector<Found>, Problem> rescan(const std::vector<Phrase>& phrases);

  struct Taken {
    std::size_t taken = 0;
    std::size_t known = 0;    // a record says the same already
    std::size_t hostile = 0;  // of those taken, put into quarantine at once
  };
  /// Takes in what read_bundle() found of `bytes`.
  [[nodiscard]] Result<Taken, Problem> import(const Verified& bundle, std::string_view bytes);

  /// Makes files and index anew; vectors that the log vouches for are kept.
  [[nodiscard]] Result<Done, Problem> rebuild();
  /// Makes the vectors of every record anew for `model`.
  [[nodiscard]] Result<std::size_t, Problem> reembed(const std::string& model, const Embed& embed);

  /// What the last opening found to be put right.
  [[nodiscard]] const Settled& repaired() const { return repaired_; }

 private:
  Writer(const os::Dir& home, audit::Log& log, Weak weak) : home_(&home), log_(&log), weak_(weak) {}

  /// The folder, locked, and the ledger, with what was left undone put right.
  [[nodiscard]] Result<Session, Problem> begin();
  /// Events into the log and under its signed head, then the files and the index.
  [[nodiscard]] Result<Settled, Problem> commit(Session& session, const record::Events& events,
                                                const std::string& model = "",
                                                const VectorBytes& fresh = {});
  [[nodiscard]] Result<Written, Problem> put(example::Example example, std::uint64_t attempt,
                                             record::Events& events);
  [[nodiscard]] Result<Done, Problem> exclude(Session& session, const Record* record,
                                              const Found& found);

  const os::Dir* home_;
  audit::Log* log_;
  Weak weak_;
  Settled repaired_;
};

/// What the gates said, as an example has it: the weakest of several.
[[nodiscard]] std::vector<example::GateResult> gates_of(
    const std::vector<const std::vector<gate::Signal>*>& proofs);

}  // namespace cg::rag
