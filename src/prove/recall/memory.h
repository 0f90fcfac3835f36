// Memory: steps that need not be run again, beneath the workspace.
//
//   cache/steps/<key>      one step: kept.h
//
// The key is a digest over all that went into a step (room.h), so the same step on the same files
// with the same tools has one name. What lies there is believed only if the log says so: the stream
// of the workflow that ran it names the file's digest (step_kept), and that workflow has ended, so
// that the signed head of the log covers it. A file that was changed is told of and not used. One
// that nobody vouches for, as after a run that was killed, is as good as none.
//
// What was seen is seen again: verdicts are not kept. Whoever takes a step from here judges it as
// if it had just run.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/os/dir.h"
#include "prove/recall/kept.h"
#include "trust/hash/digest.h"
#include "trust/record/event.h"

namespace cg::recall {

/// The digest that the log has under a key in the stream of a workflow; nothing if the workflow
/// has not ended, is not known, or says nothing of it.
using Vouch = std::function<std::optional<hash::Digest>(const std::string& workflow,
                                                        const hash::Digest& key)>;

/// Tests may depend on the day: what is older is run again, and removed.
inline constexpr int kRememberedDays = 30;

enum class Use {
  recall,
  fresh,  // only what this run has seen itself
};

class Memory {
 public:
  /// `home` is the workspace's folder and must outlive it; `workflow` is the one that runs.
  Memory(const os::Dir& home, std::string workflow, Vouch vouch, Use use);

  /// Nothing: it has to be run. `events` hears of what was not believed.
  [[nodiscard]] std::optional<Kept> find(const hash::Digest& key, Time now, record::Events& events);

  /// `events` gets what vouches for it. That nothing could be kept harms nobody.
  void keep(const hash::Digest& key, const std::string& step, const Kept& kept,
            record::Events& events);

  /// What this run has kept is to be run again after all.
  void forget(const hash::Digest& key);

  [[nodiscard]] const std::string& workflow() const { return workflow_; }

 private:
  void remove_old(Time now);

  const os::Dir& home_;
  std::string workflow_;
  Vouch vouch_;
  Use use_;
  std::mutex mutex_;                          // fixes are proven side by side
  std::map<hash::Digest, hash::Digest> own_;  // kept by this run: key -> digest
  bool cleared_ = false;
};

}  // namespace cg::recall
