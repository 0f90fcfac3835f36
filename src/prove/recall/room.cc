#include "prove/recall/room.h"

#include <algorithm>
#include <utility>

#include "base/base/text.h"
#include "jail/sandbox/wire.h"
#include "trust/hash/blake3.h"

namespace cg::recall {

namespace {

using sandbox::Error;
using sandbox::Ran;
using sandbox::Step;

constexpr std::string_view kContext = "codegenie 2026 step memory v1";

hash::Digest chained(const hash::Digest& state, const hash::Digest& step) {
  return hash::Blake3(kContext).update(state).update(step).finish();
}

/// Whether later steps find what it did.
bool is_lasting(const Step& step) {
  return step.tree == sandbox::Tree::shared || step.keep != sandbox::Keep::nothing;
}

/// What another run would show too, as far as anybody can tell: not an end by a limit, which
/// depends on what else the machine does, nor an install that failed for want of something.
bool is_worth_keeping(const Step& step, const Ran& ran) {
  if (std::holds_alternative<sandbox::Capped>(ran.ending)) return false;
  return step.shelf == sandbox::Shelf::closed || sandbox::is_success(ran.ending);
}

/// The name of the step that an event is about; empty for others.
std::string_view step_of(const record::Event& event) {
  if (const auto* e = event.as<record::StepRan>()) return e->step;
  if (const auto* e = event.as<record::StepKept>()) return e->step;
  if (const auto* e = event.as<record::StepRecalled>()) return e->step;
  return {};
}

}  // namespace

Room::Room(Memory* memory, os::Clock& clock, Scene scene, Open open)
    : memory_(memory),
      clock_(clock),
      scene_(std::move(scene)),
      open_(std::move(open)),
      state_(scene_.digest) {}

std::optional<hash::Digest> Room::digest_of(const Step& step) const {
  Step named = step;
  for (auto* texts : {&named.argv, &named.env, &named.seen}) {
    for (std::string& text : *texts) {
      if (!scene_.private_folder.empty()) text = replaced(text, scene_.private_folder, "/private");
    }
  }
  const auto frame = sandbox::write_frame(named);
  if (!frame) return std::nullopt;
  return hash::Blake3(kContext).update(as_bytes(*frame)).finish();
}

void Room::hold(const sandbox::InForce& in_force) {
  if (is_held_ && in_force_.isolation <= in_force.isolation) return;
  in_force_ = in_force;
  is_held_ = true;
}

void Room::last(const Step& step, const hash::Digest& digest, const Ran& ran, bool is_real) {
  if (!is_lasting(step)) return;
  state_ = chained(state_, digest);
  lasting_.push_back({digest, step, ran, is_real});
}

/// With all that lasts of what was recalled so far.
Result<Done, Error> Room::open() {
  if (chamber_ == nullptr) {
    auto opened = open_();
    if (!opened) {
      problem_ = std::move(opened).error();
      return fail(Error{Error::Kind::setup, problem_->what});
    }
    chamber_ = *std::move(opened);
    events_.emplace_back(
        record::SandboxOpened{std::string(sandbox::name(chamber_->in_force().isolation)),
                              cut(sandbox::describe(chamber_->in_force()), 1000), scene_.side});
  }
  hold(chamber_->in_force());
  for (Lasting& one : lasting_) {
    if (one.is_real) continue;
    CG_TRY_ASSIGN(const Ran ran, really_run(one.step, {}));
    if (sandbox::is_success(ran.ending) != sandbox::is_success(one.ran.ending)) {
      return fail(Error{Error::Kind::broken,
                        one.step.name + " ended otherwise than before on the same files (" +
                            sandbox::describe(ran.ending, one.step.limits) +
                            "); --fresh runs everything again"});
    }
    one.is_real = true;
  }
  return Done{};
}

Result<Ran, Error> Room::really_run(const Step& step, const sandbox::OnOutput& on_output) {
  CG_TRY_ASSIGN(Ran ran, chamber_->run(step, on_output));
  events_.emplace_back(record::StepRan{cut(sandbox::describe(ran.ending, step.limits), 60),
                                       ran.err.digest, static_cast<std::uint64_t>(ran.wall.count()),
                                       ran.out.digest, scene_.side, cut(step.name, 30)});
  return ran;
}

Result<Ran, Error> Room::run(const Step& step, const sandbox::OnOutput& on_output) {
  const auto digest = digest_of(step);
  if (!digest) return fail(Error{Error::Kind::scene, "what the step says is too long"});
  // Done already, and nothing but later steps' own trees came after it.
  for (const Lasting& one : lasting_) {
    if (one.digest == *digest) return one.ran;
  }
  const hash::Digest key = chained(state_, *digest);
  if (memory_ != nullptr) {
    if (auto kept = memory_->find(key, clock_.now(), events_)) {
      hold(kept->in_force);
      recalled_.insert(kept->workflow);
      events_.emplace_back(record::StepRecalled{
          cut(sandbox::describe(kept->ran.ending, step.limits), 60), kept->ran.err.digest,
          std::string(sandbox::name(kept->in_force.isolation)), key, kept->ran.out.digest,
          scene_.side, cut(step.name, 30), kept->workflow});
      last(step, *digest, kept->ran, false);
      return std::move(kept->ran);
    }
  }
  CG_TRY(open());
  CG_TRY_ASSIGN(Ran ran, really_run(step, on_output));
  if (memory_ != nullptr && is_worth_keeping(step, ran)) {
    memory_->keep(key, step.name, {memory_->workflow(), clock_.now(), chamber_->in_force(), ran},
                  events_);
    kept_.emplace_back(step.name, key);
  }
  last(step, *digest, ran, true);
  return ran;
}

void Room::forget(const std::set<std::string>& names) {
  std::erase_if(kept_, [&](const auto& kept) {
    if (!names.contains(kept.first)) return false;
    memory_->forget(kept.second);
    return true;
  });
}

record::Events Room::take_events() {
  record::Events out = std::exchange(events_, {});
  std::stable_partition(out.begin(), out.end(),
                        [](const record::Event& event) { return step_of(event) != "challenge"; });
  return out;
}

}  // namespace cg::recall
