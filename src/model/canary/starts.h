// Where a match of many regular expressions may start, at the price of a look into a table per
// byte.
//
// The expressions are made into one deterministic automaton that starts at one place and stops as
// soon as the answer is known. It is not exact: bytes of one class are not told apart, word
// boundaries are not looked at, and of an automaton too large only the part nearest to the start
// is made. So "no" is sure, and "maybe" is for RE2 to decide. Understands what patterns.def uses
// of RE2's syntax: literals, classes, groups, alternatives and repetition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cg::canary {

/// Classes of bytes: letters each for itself; digits; all that can stand between words; the rest.
inline constexpr std::uint8_t kGapClass = 0;
inline constexpr std::uint8_t kDigitClass = 27;
inline constexpr std::uint8_t kOtherClass = 28;
inline constexpr std::array<std::uint8_t, 256> kByteClasses = [] {
  std::array<std::uint8_t, 256> out{};
  for (unsigned i = 0; i < 256; ++i) {
    if (i >= 'a' && i <= 'z') {
      out[i] = static_cast<std::uint8_t>(i - 'a' + 1);
    } else if (i >= '0' && i <= '9') {
      out[i] = kDigitClass;
    } else {
      out[i] = i >= 0x80 ? kOtherClass : kGapClass;
    }
  }
  return out;
}();
constexpr std::uint8_t class_of(char c) { return kByteClasses[static_cast<unsigned char>(c)]; }

class Starts {
 public:
  static constexpr std::size_t kMostStates = 0xFFFF;
  explicit Starts(const std::vector<std::string_view>& regexes,
                  std::size_t most_states = kMostStates);

  using State = std::uint16_t;
  static constexpr State kNo = 0;     // no match, whatever follows
  static constexpr State kMaybe = 1;  // a match, or too far from the start to say
  static constexpr State kStart = 2;
  [[nodiscard]] State next(State state, char c) const {
    return table_[static_cast<std::size_t>(state) * kStride + class_of(c)];
  }
  [[nodiscard]] std::size_t states() const { return table_.size() / kStride; }

 private:
  static constexpr std::size_t kStride = 32;
  std::vector<State> table_;
};

}  // namespace cg::canary
