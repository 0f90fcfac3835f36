#include "commands/key/key_words.h"

#include <fcntl.h>
#include <unistd.h>

#include "access.h"
#include "base/base/text.h"
#include "output.h"
#include "report.h"
#include "sealing/seal.h"

namespace cg::program {

namespace {

using Reason = leaf::KeyRefused::Reason;

constexpr std::uint64_t kMaxDescriptor = 1023;

ErrorCode code_of(Reason reason) {
  switch (reason) {
    case Reason::bad_key:
    case Reason::too_long:
    case Reason::same_key:
    case Reason::no_terminal:
    case Reason::cancelled:
      return ErrorCode::key_bad;
    case Reason::missing:
    case Reason::locked:
    case Reason::empty:
    case Reason::unavailable:
      break;
  }
  return ErrorCode::key_store;
}

std::string what_of(const leaf::KeyRefused& refused) {
  switch (refused.reason) {
    case Reason::missing:
      return store_words(refused.store) + " is not there: " + refused.detail;
    case Reason::locked:
      return store_words(refused.store) + " is locked: " + refused.detail;
    case Reason::empty:
      return "no key: " + refused.detail;
    case Reason::unavailable:
      return store_words(refused.store) + " cannot be used: " + refused.detail;
    default:
      return refused.detail;
  }
}

std::vector<std::string> help_of(const leaf::KeyRefused& refused, const leaf::KeyOrder& order) {
  switch (refused.reason) {
    case Reason::locked:
      return {"unlock it, by logging in to the desktop or with its own program",
              "codegenie key status " + order.key_name};
    case Reason::missing:
    case Reason::unavailable:
      return {"codegenie key set " + order.key_name + " --store systemd|kernel",
              "codegenie key status " + order.key_name};
    case Reason::empty:
      return {"codegenie key set " + order.key_name};
    case Reason::no_terminal:
      return {"codegenie key set " + order.key_name + " --from-fd 3 3< FILE"};
    default:
      return {};
  }
}

Problem key_problem(const leaf::KeyFault& fault, const std::string& effect) {
  return {ErrorCode::key_stopped, fault.detail, {}, effect, {"codegenie explain CG-KEY-003"}};
}

}  // namespace

cli::Argument key_name_argument() {
  return {
      .name = "NAME", .help = "whose key: that of the model's provider", .choices = {"anthropic"}};
}

cli::Flag key_store_flag() {
  return {.name = "store",
          .value_name = "STORE",
          .choices = {"auto", "secret-service", "kernel", "systemd"},
          .help = "which store (default: auto)"};
}

cli::Flag key_source_flag() {
  return {.name = "from-fd",
          .value_name = "N",
          .help = "read the key, one line, from this open descriptor instead of the terminal"};
}

Result<leaf::KeyOrder, Problem> key_order(const cli::Invocation& invocation, leaf::KeyVerb verb) {
  const std::string store = invocation.value("store").value_or("auto");
  leaf::KeyOrder order{verb, leaf::parse_key_store(store).value_or(leaf::KeyStore::automatic),
                       invocation.argument(0).value_or("")};
  if (!leaf::is_key_name(order.key_name)) {
    return fail(bad_value("no key has that name", "codegenie key set anthropic"));
  }
  return order;
}

Result<int, Problem> key_source(const cli::Invocation& invocation, const Session& session) {
  const auto given = invocation.value("from-fd");
  if (!given && session.in == cli::Terminal::yes) return STDIN_FILENO;
  if (!given) {
    return fail(
        bad_value("there is no terminal to read a key from; a key is never taken from "
                  "arguments or the environment",
                  "codegenie key set anthropic --from-fd 3 3< FILE"));
  }
  const auto number = parse_u64(*given);
  if (!number || *number > kMaxDescriptor || fcntl(static_cast<int>(*number), F_GETFD) < 0 ||
      *number == STDOUT_FILENO || *number == STDERR_FILENO) {
    return fail(bad_value("--from-fd takes the number of an open descriptor",
                          "codegenie key set anthropic --from-fd 3 3< FILE"));
  }
  return static_cast<int>(*number);
}

Result<leaf::KeyAnswer, Problem> carry_key_order(const leaf::KeyOrder& order, leaf::KeyEnds ends,
                                                 const std::string& effect) {
  spawn::Host* host = spawn::current();
  if (host == nullptr) {
    return fail(key_problem({leaf::KeyFault::Kind::setup, "there is no spawner"}, effect));
  }
  bool prompted = false;
  const auto answer = leaf::ask_key(*host, order, ends, [&] {
    write_stderr("Paste the key (input hidden): ");
    prompted = true;
  });
  if (prompted) write_stderr("\n");
  if (!answer) return fail(key_problem(answer.error(), effect));
  const auto* refused = std::get_if<leaf::KeyRefused>(&*answer);
  if (refused == nullptr) return *answer;
  return fail(Problem{code_of(refused->reason),
                      what_of(*refused),
                      {{"store", std::string(leaf::name(refused->store))},
                       {"found", std::string(leaf::name(refused->reason))}},
                      effect,
                      help_of(*refused, order)});
}

Result<Report, Problem> store_key(const cli::Invocation& invocation, const Session& session,
                                  leaf::KeyVerb verb) {
  CG_TRY_ASSIGN(const leaf::KeyOrder order, key_order(invocation, verb));
  CG_TRY_ASSIGN(const int from, key_source(invocation, session));
  CG_TRY_ASSIGN(const leaf::KeyAnswer answer,
                carry_key_order(order, {from, -1}, "no key was stored"));
  const auto* done = std::get_if<leaf::KeyDone>(&answer);
  if (done == nullptr) {
    return fail(key_problem({leaf::KeyFault::Kind::stopped, "codegenie-key said what it must not"},
                            "no key was stored"));
  }
  const std::string_view action = verb == leaf::KeyVerb::set ? "set" : "rotate";
  std::string text = "Stored in " + store_words(done->place.store) + ": " + done->place.detail +
                     ". Fingerprint " + fingerprint_words(done->place.fingerprint);
  if (!done->previous.empty()) text += ", before " + fingerprint_words(done->previous);
  text += ". It will not be shown again\n";
  return json_report(key_json(action, order.key_name, {done->place}, done->previous),
                     [text](const cli::Style&) { return text; });
}

std::string store_words(leaf::KeyStore store) {
  switch (store) {
    case leaf::KeyStore::secret_service:
      return "the Secret Service";
    case leaf::KeyStore::kernel:
      return "the kernel's keyring";
    case leaf::KeyStore::systemd:
      return "systemd's credentials";
    case leaf::KeyStore::env_ci:
      return "CI's variable";
    case leaf::KeyStore::automatic:
      break;
  }
  return "a key store";
}

std::string fingerprint_words(const std::string& fingerprint) { return "sha256:" + fingerprint; }

json::Value key_json(std::string_view action, const std::string& key_name,
                     const std::vector<leaf::StoreReport>& places, const std::string& previous) {
  json::Value::Array stores;
  for (const leaf::StoreReport& place : places) {
    stores.emplace_back(json::Value::Object{
        {"detail", text_or_null(place.detail)},
        {"fingerprint", place.fingerprint.empty()
                            ? json::Value()
                            : json::Value(fingerprint_words(place.fingerprint))},
        {"state", leaf::name(place.state)},
        {"store", leaf::name(place.store)}});
  }
  return json::Value::Object{
      {"schema", "codegenie/key/v1"},
      {"action", action},
      {"name", key_name},
      {"previous_fingerprint",
       previous.empty() ? json::Value() : json::Value(fingerprint_words(previous))},
      {"stores", std::move(stores)}};
}

}  // namespace cg::program
