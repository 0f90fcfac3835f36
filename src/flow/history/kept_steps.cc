#include "flow/history/kept_steps.h"

#include <algorithm>
#include <map>
#include <memory>

#include "flow/history/entries.h"
#include "flow/history/workflows.h"

namespace cg::history {

namespace {

using Steps = std::map<hash::Digest, hash::Digest>;  // key -> digest

class KeptSteps {
 public:
  explicit KeptSteps(const workspace::Access& access) : access_(access) {}

  std::optional<hash::Digest> digest_of(const std::string& workflow, const hash::Digest& key) {
    auto known = streams_.find(workflow);
    if (known == streams_.end()) known = streams_.emplace(workflow, read(workflow)).first;
    const auto found = known->second.find(key);
    if (found == known->second.end()) return std::nullopt;
    return found->second;
  }

 private:
  Steps read(const std::string& workflow) {
    if (!workflows_) {
      auto all = read_workflows(access_);
      workflows_ = all ? *std::move(all) : Workflows();
    }
    const auto& all = workflows_->all;
    const bool has_ended = std::any_of(all.begin(), all.end(), [&](const Workflow& one) {
      return one.id == workflow && one.ended;
    });
    Steps out;
    if (!has_ended || workflows_->problem) return out;
    const auto walked = for_each_entry_of(access_, workflow, [&](const audit::Held& held) {
      if (const auto* kept = held.event.as<record::StepKept>()) out[kept->key] = kept->digest;
    });
    if (!walked || *walked) out.clear();
    return out;
  }

  const workspace::Access& access_;
  std::optional<Workflows> workflows_;
  std::map<std::string, Steps> streams_;
};

}  // namespace

recall::Vouch vouching(const workspace::Access& access) {
  return [kept = std::make_shared<KeptSteps>(access)](const std::string& workflow,
                                                      const hash::Digest& key) {
    return kept->digest_of(workflow, key);
  };
}

}  // namespace cg::history
