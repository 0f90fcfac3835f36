#include "jail/microvm/accelerator.h"

#include <ctime>

#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::microvm {

namespace {

constexpr const char* kFile = "accelerator.json";
constexpr std::size_t kMaxMemoFile = 1U << 14U;

/// When this host was booted, in seconds. By the clocks, which a sealed program can read.
std::int64_t this_boot() {
  timespec now{};
  timespec up{};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_BOOTTIME, &up);
  return now.tv_sec - up.tv_sec;
}

/// A clock that is set a little moves the moment; another boot moves it by all that ran.
bool is_this_boot(const json::Value* then) {
  constexpr std::int64_t kDrift = 60;
  const auto seconds = then == nullptr ? std::nullopt : then->as_int();
  return seconds && *seconds > this_boot() - kDrift && *seconds < this_boot() + kDrift;
}

std::string text_of(const json::Value& json, std::string_view key) {
  const json::Value* found = json.find(key);
  const std::string* text = found == nullptr ? nullptr : found->as_string();
  return text == nullptr ? std::string() : *text;
}

}  // namespace

std::optional<Finding> remembered(const os::Dir& folder, const hash::Digest& image) {
  const auto text = folder.read(kFile, kMaxMemoFile);
  if (!text) return std::nullopt;
  const auto json = json::parse_json(*text);
  if (!json || !is_this_boot(json->find("boot"))) return std::nullopt;
  if (text_of(*json, "image") != to_hex(image)) return std::nullopt;
  const bool kvm = text_of(*json, "accelerator") == name(Accelerator::kvm);
  return Finding{kvm ? Accelerator::kvm : Accelerator::tcg, printable(text_of(*json, "why"))};
}

void remember(const os::Dir& folder, const hash::Digest& image, const Finding& finding) {
  const auto written = folder.write_atomic(
      kFile, json::write_json_pretty(json::Value::Object{{"accelerator", name(finding.accelerator)},
                                                         {"boot", this_boot()},
                                                         {"image", to_hex(image)},
                                                         {"why", printable(finding.why)}}));
  static_cast<void>(written.has_value());
}

}  // namespace cg::microvm
