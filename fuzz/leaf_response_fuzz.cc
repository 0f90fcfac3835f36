// Whatever a server answers is a plan that reads back, a violation or a failure; pins that read
// are written as what reads the same; nothing that looks like a key survives cleaning.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "model/leaf/key_frame.h"
#include "model/leaf/pins.h"
#include "model/leaf/wire.h"

namespace {

using namespace cg;

void check_answer(net::Wire wire, const leaf::Raw& raw) {
  const auto heard = leaf::read_answer(wire, raw);
  if (!heard) {
    CG_ASSERT(heard.error().detail.size() < 512);
    return;
  }
  CG_ASSERT(heard->model.size() <= net::kMaxModel);
  const auto* plan = std::get_if<proposal::Proposal>(&heard->said);
  if (plan == nullptr) return;
  const std::string text = proposal::write(*plan);
  const auto again = proposal::parse(text);
  CG_ASSERT(again.has_value());
  CG_ASSERT(proposal::write(*again) == text);
}

void check_pins(std::string_view text) {
  const auto pins = leaf::parse_pins(text);
  if (!pins) return;
  const auto again = leaf::parse_pins(leaf::write_pins(*pins));
  CG_ASSERT(again.has_value());
  CG_ASSERT(*again == *pins);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const leaf::Raw raw{static_cast<std::uint16_t>(data[0] == 'e' ? 429 : 200), "application/json",
                      std::string(text.substr(0, 4)), std::string(text)};
  switch (data[0]) {
    case 'p':
      check_pins(text);
      break;
    case 'c':
      check_answer(net::Wire::chat, raw);
      check_answer(net::Wire::plain_chat, raw);
      break;
    case 'k':
      static_cast<void>(leaf::parse_key_head(text).has_value());
      static_cast<void>(leaf::spki_of_pem(text).has_value());
      break;
    default:
      check_answer(net::Wire::messages, raw);
      CG_ASSERT(leaf::without_secrets(text, "").find("sk-ant-") == std::string::npos);
  }
  return 0;
}
