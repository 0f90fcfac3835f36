// Order: who may say what when, as a table.
//
// Both ends of a channel walk the same table, for what they send and what they
// receive. Whoever receives something that the table does not have at this point
// ends the conversation; there is no other reaction.
#pragma once

#include <cstdint>
#include <span>

#include "fetch/net/message.h"

namespace cg::net {

enum class Stage : std::uint8_t { fresh, starting, idle, asked, answering, dialling, ended };
enum class Speaker : std::uint8_t { asker, helper };  // the parent or fetch; the other one

struct Step {
  Stage from;
  Speaker speaker;
  Kind kind;
  Stage to;
};

/// parent and broker: one question, one answer.
inline constexpr Step kBrokerOrder[] = {
    {Stage::fresh, Speaker::asker, Kind::start, Stage::starting},
    {Stage::starting, Speaker::helper, Kind::ready, Stage::ended},
    {Stage::starting, Speaker::helper, Kind::failed, Stage::ended},
};

/// parent and fetch: one setup, then one request at a time.
inline constexpr Step kFetchOrder[] = {
    {Stage::fresh, Speaker::asker, Kind::setup, Stage::starting},
    {Stage::starting, Speaker::helper, Kind::ready, Stage::idle},
    {Stage::starting, Speaker::helper, Kind::failed, Stage::ended},
    {Stage::idle, Speaker::asker, Kind::get, Stage::asked},
    {Stage::asked, Speaker::helper, Kind::head, Stage::answering},
    {Stage::asked, Speaker::helper, Kind::failed, Stage::idle},
    {Stage::answering, Speaker::helper, Kind::piece, Stage::answering},
    {Stage::answering, Speaker::helper, Kind::end, Stage::idle},
    {Stage::answering, Speaker::helper, Kind::failed, Stage::idle},
};

/// parent and leaf: one setup, one question, one answer, and then nothing.
inline constexpr Step kLeafOrder[] = {
    {Stage::fresh, Speaker::asker, Kind::leaf_setup, Stage::starting},
    {Stage::starting, Speaker::helper, Kind::ready, Stage::idle},
    {Stage::starting, Speaker::helper, Kind::failed, Stage::ended},
    {Stage::idle, Speaker::asker, Kind::ask, Stage::asked},
    {Stage::asked, Speaker::asker, Kind::play, Stage::answering},
    {Stage::asked, Speaker::helper, Kind::recorded, Stage::answering},
    {Stage::asked, Speaker::helper, Kind::told, Stage::ended},
    {Stage::asked, Speaker::helper, Kind::violated, Stage::ended},
    {Stage::asked, Speaker::helper, Kind::unanswered, Stage::ended},
    {Stage::answering, Speaker::helper, Kind::told, Stage::ended},
    {Stage::answering, Speaker::helper, Kind::violated, Stage::ended},
    {Stage::answering, Speaker::helper, Kind::unanswered, Stage::ended},
};

/// fetch or leaf, and broker: one connection at a time.
inline constexpr Step kLinkOrder[] = {
    {Stage::fresh, Speaker::asker, Kind::dial, Stage::dialling},
    {Stage::dialling, Speaker::helper, Kind::dialled, Stage::fresh},
    {Stage::dialling, Speaker::helper, Kind::failed, Stage::fresh},
};

class Order {
 public:
  explicit constexpr Order(std::span<const Step> steps) : steps_(steps) {}

  /// Takes the step if the table has it; false, and nothing changes, if not.
  [[nodiscard]] constexpr bool take(Speaker speaker, Kind kind) {
    for (const Step& step : steps_) {
      if (step.from == stage_ && step.speaker == speaker && step.kind == kind) {
        stage_ = step.to;
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] constexpr Stage stage() const { return stage_; }

 private:
  std::span<const Step> steps_;
  Stage stage_ = Stage::fresh;
};

}  // namespace cg::net
