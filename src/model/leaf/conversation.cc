#include "model/leaf/conversation.h"

#include <signal.h>
#include <sys/socket.h>

#include <utility>

#include "base/base/match.h"
#include "base/base/text.h"
#include "base/os/own_programs.h"
#include "fetch/net/channel.h"
#include "fetch/net/process.h"
#include "jail/seal/seal.h"

namespace cg::leaf {

namespace {

using net::Adapter;
using net::Channel;
using net::ChannelError;
using net::Deadline;
using net::Process;

/// Starting and resolving; then what the leaf may be late beyond its own deadline.
constexpr std::chrono::milliseconds kStarting{20'000};
constexpr std::chrono::milliseconds kGrace{2'000};

Failure failure(FailureKind kind, std::string detail) {
  Failure out;
  out.kind = kind;
  out.detail = std::move(detail);
  return out;
}

Failure setup_failure(const os::Error& error) {
  return failure(FailureKind::setup, error.path + ": " + os::describe(error));
}

FailureKind kind_of_status(std::uint16_t status) {
  if (status == 429) return FailureKind::rate_limited;
  return status >= 500 && status <= 599 ? FailureKind::server : FailureKind::refused;
}

FailureKind kind_of(net::FailureKind kind, std::uint16_t status) {
  switch (kind) {
    case net::FailureKind::unresolved:
      return FailureKind::unresolved;
    case net::FailureKind::unreachable:
    case net::FailureKind::exhausted:
      return FailureKind::unreachable;
    case net::FailureKind::timeout:
      return FailureKind::timeout;
    case net::FailureKind::tls:
      return FailureKind::tls;
    case net::FailureKind::protocol:
    case net::FailureKind::too_large:
      return FailureKind::protocol;
    case net::FailureKind::setup:
      return FailureKind::setup;
    case net::FailureKind::no_key:
      return FailureKind::no_key;
    case net::FailureKind::no_pin:
      return FailureKind::no_pin;
    case net::FailureKind::pin_mismatch:
      return FailureKind::pin_mismatch;
    case net::FailureKind::status:
      return kind_of_status(status);
  }
  return FailureKind::unexpected;
}

Failure failure_of(const net::Unanswered& said) {
  Failure out = failure(kind_of(said.kind, said.status), printable(said.detail));
  out.status = said.status;
  if (said.has_retry_after) out.retry_after_s = said.retry_after_s;
  out.sent = said.sent;
  return out;
}

/// A running program and our end of its descriptor 0.
struct Helper {
  Process process;
  Channel channel;
};

Result<Helper, Failure> start(spawn::Program which, const std::string& path,
                              std::span<const net::Move> order, std::initializer_list<int> more) {
  auto pair = net::socket_pair();
  if (!pair) return fail(setup_failure(pair.error()));
  net::Birth birth;
  birth.fds = {pair->theirs.get()};
  birth.fds.insert(birth.fds.end(), more);
  auto process = Process::start(which, path, birth);
  if (!process) return fail(setup_failure(process.error()));
  return Helper{*std::move(process),
                Channel(std::move(pair->ours), net::Order(order), net::Speaker::asker)};
}

bool is_filtered(const Process::End& end) {
  const auto* signalled = std::get_if<os::Signalled>(&end);
  return signalled != nullptr && signalled->signal == SIGSYS;
}

std::string ending_text(const Process::End& end) {
  return match(
      end,
      [](const os::Exited& e) { return "a program ended with code " + std::to_string(e.code); },
      [](const os::Signalled& s) {
        return "a program was ended by signal " + std::to_string(s.signal);
      });
}

/// Ends the process: what it says from here on could not be trusted.
Failure give_up(ChannelError error, Process& process) {
  const Process::End end = process.stop();
  if (is_filtered(end)) {
    return failure(FailureKind::unexpected, "a system call that it may not make");
  }
  if (error == ChannelError::timeout) return failure(FailureKind::timeout, "");
  if (error == ChannelError::broken) {
    return failure(FailureKind::unexpected, "a message that does not belong there");
  }
  return failure(FailureKind::setup, ending_text(end));
}

Result<seal::Applied, Failure> await_ready(Helper& helper, Deadline deadline) {
  const auto message = helper.channel.receive(deadline);
  if (!message) return fail(give_up(message.error(), helper.process));
  if (const auto* failed = std::get_if<net::Failed>(&*message)) {
    return fail(failure(kind_of(failed->kind, 0), printable(failed->detail)));
  }
  return std::get<net::Ready>(*message).applied;
}

net::Start start_of(const Settings& settings) {
  const auto limit = static_cast<std::uint32_t>(kStarting.count());
  if (settings.adapter == Adapter::loopback) {
    return {std::string(kLoopbackHost), settings.port, net::Addresses::global, limit};
  }
  return {std::string(kHost), kPort, net::Addresses::global, limit};
}

/// The processes of one call.
class Conversation {
 public:
  Conversation(const Programs& programs, const Settings& settings)
      : programs_(programs), settings_(settings) {}

  Result<Outcome, Failure> run(const Question& question, const net::Play& play) {
    const Deadline starting = net::deadline_in(kStarting);
    CG_TRY(start_programs(starting));
    CG_TRY_ASSIGN(const seal::Applied applied, await_ready(*leaf_, starting));
    isolation = seal::describe(applied);
    if (settings_.adapter == Adapter::anthropic) CG_TRY(start_key());
    const Deadline last = net::deadline_in(settings_.limit + kGrace);
    CG_TRY(say(net::Ask{std::string(question.model), std::string(question.system),
                        std::string(question.body), question.max_tokens,
                        static_cast<std::uint32_t>(settings_.limit.count())},
               last));
    if (settings_.adapter == Adapter::replay) CG_TRY(say(play, last));
    return hear(last);
  }

  std::string isolation;

 private:
  Result<Done, Failure> start_programs(Deadline deadline) {
    auto link = net::socket_pair();
    auto key = net::socket_pair();
    if (!link) return fail(setup_failure(link.error()));
    if (!key) return fail(setup_failure(key.error()));
    if (settings_.adapter != Adapter::replay) {
      CG_TRY_ASSIGN(Helper broker, start(spawn::Program::broker, programs_.broker,
                                         net::kBrokerOrder, {link->ours.get()}));
      broker_.emplace(std::move(broker));
    }
    CG_TRY_ASSIGN(Helper leaf, start(spawn::Program::leaf, programs_.leaf, net::kLeafOrder,
                                     {link->theirs.get(), key->theirs.get()}));
    leaf_.emplace(std::move(leaf));
    key_way_ = std::move(key->ours);
    CG_TRY(say(net::LeafSetup{settings_.adapter, wire_of(settings_), settings_.port, settings_.pins,
                              settings_.record},
               deadline));
    if (!broker_) return Done{};
    const auto asked = broker_->channel.send(start_of(settings_), deadline);
    if (!asked) return fail(give_up(asked.error(), broker_->process));
    const auto ready = await_ready(*broker_, deadline);
    if (!ready) return fail(ready.error());
    return Done{};
  }

  /// When it runs, nobody but it and the leaf holds the way of the key.
  Result<Done, Failure> start_key() {
    auto pair = net::socket_pair();
    if (!pair) return fail(setup_failure(pair.error()));
    const int theirs = pair->theirs.get();
    auto process = Process::start(spawn::Program::key, programs_.key,
                                  {{theirs, theirs, key_way_.get()}, {}, settings_.key_env});
    key_way_ = os::Fd();
    if (!process) return fail(setup_failure(process.error()));
    key_.emplace(*std::move(process));
    key_talk_ = std::move(pair->ours);
    const std::string order = write_key_order({KeyVerb::deliver, settings_.key_store});
    const ssize_t sent =
        sendto(key_talk_.get(), order.data(), order.size(), MSG_NOSIGNAL, nullptr, 0);
    if (sent != static_cast<ssize_t>(order.size())) {
      return fail(failure(FailureKind::no_key, ending_text(key_->stop())));
    }
    return Done{};
  }

  Result<Done, Failure> say(const net::Message& message, Deadline deadline) {
    const auto sent = leaf_->channel.send(message, deadline);
    if (!sent) return fail(give_up(sent.error(), leaf_->process));
    return Done{};
  }

  Result<Outcome, Failure> hear(Deadline deadline) {
    Outcome out;
    for (;;) {
      auto message = leaf_->channel.receive(deadline);
      if (!message) return fail(give_up(message.error(), leaf_->process));
      if (auto* recorded = std::get_if<net::Recorded>(&*message)) {
        if (!settings_.record) return fail(give_up(ChannelError::broken, leaf_->process));
        out.recorded = std::move(*recorded);
        continue;
      }
      if (auto* told = std::get_if<net::Told>(&*message)) out.said = std::move(*told);
      if (auto* violated = std::get_if<net::Violated>(&*message)) out.said = std::move(*violated);
      if (auto* none = std::get_if<net::Unanswered>(&*message)) out.said = failure_of(*none);
      return out;
    }
  }

  const Programs& programs_;
  const Settings& settings_;
  std::optional<Helper> broker_;
  std::optional<Helper> leaf_;
  std::optional<Process> key_;
  os::Fd key_way_;   // to the leaf, until codegenie-key has it
  os::Fd key_talk_;  // to codegenie-key
};

bool is_possible(const Question& question) {
  return is_model_name(question.model) && is_utf8(question.system) && is_utf8(question.body) &&
         question.system.size() <= net::kMaxSystem && question.body.size() <= net::kMaxBody &&
         question.max_tokens > 0 && question.max_tokens <= kMaxTokens;
}

}  // namespace

net::Wire wire_of(const Settings& settings) {
  switch (settings.adapter) {
    case Adapter::anthropic:
      return net::Wire::messages;
    case Adapter::loopback:
      return settings.wire == net::Wire::messages ? net::Wire::chat : settings.wire;
    case Adapter::replay:
      break;
  }
  return settings.wire;
}

Result<Programs, os::Error> find_programs() {
  CG_TRY_ASSIGN(const std::string folder, os::folder_with({"codegenie-leaf"}));
  return Programs{folder + "/codegenie-broker", folder + "/codegenie-key",
                  folder + "/codegenie-leaf"};
}

Outcome converse(const Programs& programs, const Settings& settings, const Question& question,
                 const net::Play& play) {
  const auto failed = [](Failure why, std::string isolation = {}) {
    return Outcome{std::move(why), std::nullopt, std::move(isolation)};
  };
  if (!is_possible(question)) {
    return failed(failure(FailureKind::setup, "the prompt or the model's name cannot be sent"));
  }
  if (settings.adapter == Adapter::anthropic && settings.pins.empty()) {
    return failed(failure(FailureKind::no_pin, "no pin is set, or all have run out"));
  }
  Conversation conversation(programs, settings);
  auto outcome = conversation.run(question, play);
  if (!outcome) return failed(outcome.error(), conversation.isolation);
  outcome->isolation = conversation.isolation;
  return *std::move(outcome);
}

}  // namespace cg::leaf
