#include "model/canary/decode.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/base/text.h"

namespace cg::canary {
namespace {

constexpr std::size_t kShortest = 16;  // symbols
constexpr std::size_t kShortestLine = 40;
constexpr std::size_t kBlock = 256;
constexpr std::size_t kPart = std::size_t{48} << 10U;
constexpr std::size_t kSample = 64;
constexpr std::size_t kFewestCodes = 8;
constexpr std::size_t kMostCodes = 1024;

enum Digit : std::uint8_t { k64 = 1, k32 = 2, k16 = 4, k10 = 8 };
struct Symbols {
  std::array<std::uint8_t, 256> kind{};
  std::array<std::int8_t, 256> value64{};
  std::array<std::int8_t, 256> value32{};
  std::array<std::int8_t, 256> value16{};
};
constexpr Symbols symbols() {
  Symbols out;
  const auto put = [&](std::string_view letters, Digit kind, auto& values) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const auto c = static_cast<unsigned char>(letters[i]);
      out.kind[c] |= kind;
      values[c] = static_cast<std::int8_t>(i);
    }
  };
  constexpr std::string_view k64s =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  put(k64s, k64, out.value64);
  out.kind['-'] = out.kind['_'] = k64;
  out.value64['-'] = 62;
  out.value64['_'] = 63;
  put("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k32, out.value32);
  put("0123456789ABCDEF", k16, out.value16);
  put("0123456789abcdef", k16, out.value16);
  for (unsigned c = '0'; c <= '9'; ++c) out.kind[c] |= k10;
  return out;
}
constexpr Symbols kSymbols = symbols();
std::uint8_t kind_of(char c) { return kSymbols.kind[static_cast<unsigned char>(c)]; }

/// How `bits` of each symbol make bytes.
struct Base {
  std::string_view form;
  Digit kind;
  unsigned bits;
  std::size_t group;  // symbols after which bytes begin anew
  const std::array<std::int8_t, 256>* values;
};
constexpr Base kBases[] = {{"hex", k16, 4, 2, &kSymbols.value16},
                           {"base32", k32, 5, 8, &kSymbols.value32},
                           {"base64", k64, 6, 4, &kSymbols.value64}};

void decode(const Base& base, std::string_view from, std::string& out) {
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char c : from) {
    held = held << base.bits |
           static_cast<std::uint32_t>((*base.values)[static_cast<unsigned char>(c)]);
    bits += base.bits;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(held >> bits & 0xFFU);
  }
}

bool is_text(std::string_view bytes) {
  if (bytes.size() < kFewestCodes) return false;
  const auto readable =
      static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), [](char c) {
        return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t' || c == '\r';
      }));
  const std::size_t percent = bytes.size() < 24 ? 90 : 75;
  if (readable * 100 >= bytes.size() * percent) return true;
  const std::string_view whole = cut_utf8(bytes, bytes.size() - 3);
  return bytes.find('\0') == std::string_view::npos && is_utf8(whole);
}

/// Where in its first group the block begins to be text; group if nowhere.
std::size_t alignment(const Base& base, std::string_view block) {
  std::string sample;
  for (std::size_t start = 0; start < base.group; ++start) {
    sample.clear();
    decode(base, block.substr(std::min(start, block.size()), kSample), sample);
    if (is_text(sample)) return start;
  }
  return base.group;
}

}  // namespace

Span Decoded::given(std::size_t begin, std::size_t end) const {
  const auto block_of = [&](std::size_t at) {
    const auto after =
        std::upper_bound(blocks.begin(), blocks.end(), at,
                         [](std::size_t place, const Block& block) { return place < block.out; });
    return *std::prev(after);
  };
  return {block_of(begin).in.begin, block_of(end - 1).in.end};
}

void RunReader::add_symbols(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (symbols_.size() % kBlock == 0) places_.push_back(i);
    symbols_ += text_[i];
  }
}

/// The start of the next line, past what mail and comments put before it.
std::size_t RunReader::next_line(std::size_t end) const {
  if (end >= text_.size() || (text_[end] != '\n' && text_[end] != '\r')) return end;
  std::size_t at = end;
  while (at < text_.size() && at - end < 16 &&
         std::string_view("\r\n \t>#").find(text_[at]) != std::string_view::npos)
    ++at;
  return at;
}

/// The run from `begin` on, over line ends if its lines are long.
void RunReader::collect(std::size_t begin) {
  symbols_.clear();
  places_.clear();
  goes_on_ = false;
  for (;;) {
    const std::size_t most = begin + std::min(text_.size() - begin, kPart - symbols_.size());
    std::size_t end = begin;
    while (end < most && (kind_of(text_[end]) & k64) != 0) ++end;
    add_symbols(begin, end);
    end_ = end;
    goes_on_ = symbols_.size() == kPart;
    const std::size_t line = next_line(end);
    if (goes_on_ || end - begin < kShortestLine || line == end) return;
    begin = line;
  }
}

bool RunReader::decode_symbols(Decoded& out) {
  const auto all = [&](Digit kind) {
    return std::all_of(symbols_.begin(), symbols_.end(),
                       [&](char c) { return (kind_of(c) & kind) != 0; });
  };
  const std::string_view run = symbols_;
  for (const Base& base : kBases) {
    if (base.kind != k64 && !all(base.kind)) continue;
    out.text.clear();
    out.blocks.clear();
    for (std::size_t block = 0; block < places_.size(); ++block) {
      const std::string_view part = run.substr(block * kBlock, kBlock);
      const std::size_t start = alignment(base, part);
      if (start == base.group) continue;
      const bool last = block + 1 == places_.size();
      out.blocks.push_back({out.text.size(), {places_[block], last ? end_ : places_[block + 1]}});
      decode(base, part.substr(start), out.text);
    }
    out.form = base.form;
    if (!out.text.empty()) return true;
  }
  return false;
}

/// "69 67 6e", "0x69, 0x67", "105,103,110", "01101001 01100111". Whatever comes of it, end_ is past
/// what was read.
bool RunReader::decode_codes(std::size_t begin, Decoded& out) {
  std::string hex;
  std::string decimal;
  std::string binary;
  std::size_t at = begin;
  end_ = begin + 1;
  bool is_hex = true;
  bool is_decimal = true;
  bool is_binary = true;
  while (at < text_.size() && hex.size() < kMostCodes) {
    if (text_.substr(at).starts_with("0x")) at += 2;
    std::size_t digits = 0;
    unsigned sixteen = 0;
    unsigned ten = 0;
    unsigned two = 0;
    for (; at < text_.size() && digits < 8 && (kind_of(text_[at]) & k16) != 0; ++at, ++digits) {
      const auto c = static_cast<unsigned char>(text_[at]);
      two = two * 2 + static_cast<unsigned>(kSymbols.value16[c]);
      is_binary = is_binary && (c == '0' || c == '1');
      sixteen = sixteen * 16 + static_cast<unsigned>(kSymbols.value16[c]);
      ten = ten * 10 + static_cast<unsigned>(kSymbols.value16[c]);
      if ((kSymbols.kind[c] & k10) == 0) is_decimal = false;
    }
    is_hex = is_hex && digits == 2;
    is_decimal = is_decimal && (digits == 2 || digits == 3) && ten < 256;
    is_binary = is_binary && digits == 8;
    if (!is_hex && !is_decimal && !is_binary) break;
    binary += static_cast<char>(two & 0xFFU);
    hex += static_cast<char>(sixteen & 0xFFU);
    decimal += static_cast<char>(ten & 0xFFU);
    end_ = at;
    const std::size_t sign = text_.find_first_not_of(" ,:;-\n", at);
    const std::size_t next = sign == std::string_view::npos ? text_.size() : sign;
    if (next == at || next - at > 3) break;
    at = next;
  }
  out.blocks.assign(1, {0, {begin, end_}});
  for (const auto& [form, text] :
       {std::pair{"hex", &hex}, std::pair{"codes", &decimal}, std::pair{"codes", &binary}}) {
    if (text->size() < kFewestCodes || !is_text(*text)) continue;
    out.form = form;
    out.text = *text;
    return true;
  }
  return false;
}

bool RunReader::next(Decoded& out) {
  while (at_ < text_.size()) {
    if ((kind_of(text_[at_]) & k64) == 0) {
      ++at_;
      continue;
    }
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (end < text_.size() && end - begin < kShortest && (kind_of(text_[end]) & k64) != 0) ++end;
    if (end - begin < kShortest) {
      at_ = end;
      const bool code = end - begin >= 2 && end - begin <= 8 && (kind_of(text_[begin]) & k16) != 0;
      if (code) {
        const bool found = decode_codes(begin, out);
        at_ = std::max(end, end_);
        if (found) return true;
      }
      continue;
    }
    collect(begin);
    const bool found = decode_symbols(out);
    at_ = end_;
    // What follows shares a block with what was, so that a phrase is whole in one of them.
    if (goes_on_) at_ = places_.back();
    if (found) return true;
  }
  return false;
}

}  // namespace cg::canary
