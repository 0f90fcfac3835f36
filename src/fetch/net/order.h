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

struct Move {
  Stage from;
  Speaker speaker;
  Kind kind;
  Stage to;
};

/// parent and broker: one question, one answer.
inline constexpr Move kBrokerOrder[] = {
    {Stage::fresh, Speaker::asker, Kind::start, Stage::starting},
    {Stage::starting, Speaker::helper, Kind::ready, Stage::ended},
    {Stage::starting, Speaker::helper, Kind::failed, Stage::ended},
};

/// parent and fetch: one setup, then one request at a time.
inline constexpr Move kFetchOrder[] = {
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
inline constexpr Move kLeafOrder[] = {
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
inline constexpr Move kLinkOrder[] = {
    {Stage::fresh, Speaker::asker, Kind::dial, Stage::dialling},
    {Stage::dialling, Speaker::helper, Kind::dialled, Stage::fresh},
    {Stage::dialling, Speaker::helper, Kind::failed, Stage::fresh},
};

class Order {
 public:
  explicit constexpr Order(std::span<const Move> moves) : moves_(moves) {}

  /// Takes the move if the table has it; false, and nothing changes, if not.
  [[nodiscard]] constexpr bool take(Speaker speaker, Kind kind) {
    for (const Move& move : moves_) {
      if (move.from == stage_ && move.speaker == speaker && move.kind == kind) {
        stage_ = move.to;
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] constexpr Stage stage() const { return stage_; }

 private:
  std::span<const Move> moves_;
  Stage stage_ = Stage::fresh;
};

}  // namespace cg::net
