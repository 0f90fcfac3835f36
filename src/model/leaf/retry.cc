#include "model/leaf/retry.h"

#include <algorithm>
#include <array>
#include <thread>

namespace cg::leaf {

namespace {
using std::chrono::milliseconds;
constexpr std::array<milliseconds, kMaxRetries> kDelays = {milliseconds(1'000), milliseconds(4'000),
                                                           milliseconds(16'000)};
}  // namespace

std::optional<milliseconds> delay_before(unsigned retry, const Failure& failure,
                                         std::uint32_t random) {
  const bool worth =
      failure.kind == FailureKind::rate_limited || failure.kind == FailureKind::server;
  if (!worth || retry == 0 || retry > kMaxRetries) return std::nullopt;
  const milliseconds base = kDelays[retry - 1];
  const std::uint64_t share = (static_cast<std::uint64_t>(base.count() / 4) * random) >> 32U;
  const milliseconds planned = base + milliseconds(share);
  const std::chrono::seconds asked(failure.retry_after_s.value_or(0));
  if (asked > kMaxPatience) return std::nullopt;
  return std::max<milliseconds>(planned, asked);
}

void SystemPause::wait(milliseconds time) { std::this_thread::sleep_for(time); }

}  // namespace cg::leaf
