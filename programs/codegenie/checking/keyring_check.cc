#include "checking/keyring_check.h"

#include "base/base/text.h"
#include "model/leaf/key_process.h"

namespace cg::program {

namespace {

using leaf::KeyState;
using leaf::StoreReport;

Finding row_of(std::string what, Status status, std::string detail) {
  return {"keyring", std::move(what), status, std::move(detail)};
}

std::string words_of(const StoreReport& place) {
  const auto with = [&](std::string words) {
    return place.detail.empty() ? words : words + ": " + printable(place.detail);
  };
  switch (place.state) {
    case KeyState::held:
      return with("can be used, and has a key");
    case KeyState::removed:
    case KeyState::empty:
      return with("can be used, and has no key");
    case KeyState::missing:
      return with("not on this machine");
    case KeyState::locked:
      return with("locked");
    case KeyState::unavailable:
      return with("it failed");
    case KeyState::malformed:
      return with("what it has is no key");
  }
  return with("");
}

/// A store that is not there is no fault: one is enough.
Status status_of(KeyState state) {
  const bool usable =
      state == KeyState::held || state == KeyState::empty || state == KeyState::removed;
  return usable || state == KeyState::missing ? Status::ok : Status::warn;
}

Finding key_row(const std::vector<StoreReport>& places) {
  bool usable = false;
  for (const StoreReport& place : places) {
    if (place.state == KeyState::held) {
      return row_of("key", Status::ok, "one is there, in " + std::string(leaf::name(place.store)));
    }
    usable = usable || place.state == KeyState::empty;
  }
  return row_of("key", Status::warn,
                usable ? "none is there (codegenie key set anthropic)"
                       : "none is there, and no store can be used");
}

/// codegenie-key takes its memory before it looks anywhere, and gives up without: an answer says
/// that it had some.
Finding memory_row(const spawn::KernelGrants& grants) {
  return row_of("memory", Status::ok,
                grants.secret_memory != 0
                    ? "memfd_secret: not even the kernel maps it"
                    : "mlock: locked, in no core dump; this kernel has no memfd_secret");
}

}  // namespace

std::vector<Finding> keyring_findings(const std::vector<StoreReport>& places,
                                      const spawn::KernelGrants& grants) {
  std::vector<Finding> out;
  for (const StoreReport& place : places) {
    out.push_back(
        row_of(std::string(leaf::name(place.store)), status_of(place.state), words_of(place)));
  }
  out.push_back(key_row(places));
  out.push_back(memory_row(grants));
  return out;
}

std::vector<Finding> check_keyring(spawn::Host& host, const spawn::KernelGrants& grants) {
  const auto answer = leaf::ask_key(host, {leaf::KeyVerb::status, leaf::KeyStore::automatic});
  if (!answer) {
    return {row_of("codegenie-key", Status::fail,
                   answer.error().detail + ": no store was asked, no memory was taken")};
  }
  const auto* listed = std::get_if<leaf::KeyListed>(&*answer);
  if (listed == nullptr) {
    return {row_of("codegenie-key", Status::fail, "it said what it must not")};
  }
  return keyring_findings(listed->places, grants);
}

}  // namespace cg::program
