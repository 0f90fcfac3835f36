#include <utility>

#include "base/archive/tar.h"
#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::archive {

namespace {

constexpr std::size_t kNameRoom = 100;
constexpr std::size_t kPrefixRoom = 155;
constexpr std::uint64_t kMaxContent = 1ULL << 33U;  // eleven octal digits

void put(std::string& block, std::size_t at, std::string_view text) {
  block.replace(at, text.size(), text);
}

/// `digits` octal digits; the NUL after them is there already.
void put_octal(std::string& block, std::size_t at, std::size_t digits, std::uint64_t value) {
  for (std::size_t i = digits; i-- > 0; value >>= 3U) {
    block[at + i] = static_cast<char>('0' + (value & 7U));
  }
}

/// Where to cut a long name into prefix and name; 0 if it need not, npos if it cannot.
std::size_t cut_of(std::string_view name) {
  if (name.size() <= kNameRoom) return 0;
  const std::size_t slash = name.find('/', name.size() - kNameRoom - 1);
  return slash <= kPrefixRoom ? slash : std::string_view::npos;
}

}  // namespace

Result<Done, Error> TarWriter::add(std::string_view name, std::string_view content) {
  const auto error = [&](Error::Kind kind) { return Error{kind, out_.size(), printable(name)}; };
  const std::size_t cut = cut_of(name);
  if (!is_safe_name(name, {}) || cut == std::string_view::npos) {
    return fail(error(Error::Kind::unsafe_name));
  }
  if (content.size() >= kMaxContent) return fail(error(Error::Kind::entry_too_large));
  std::string block(kTarBlock, '\0');
  put(block, 0, cut == 0 ? name : name.substr(cut + 1));
  put(block, 345, name.substr(0, cut));
  put_octal(block, 100, 7, 0644);
  put_octal(block, 108, 7, 0);
  put_octal(block, 116, 7, 0);
  put_octal(block, 124, 11, content.size());
  put_octal(block, 136, 11, mtime_);
  put(block, 148, "        ");
  block[156] = '0';
  put(block, 257, std::string_view("ustar\00000", 8));
  std::uint64_t sum = 0;
  for (const char c : block) sum += static_cast<Byte>(c);
  put_octal(block, 148, 6, sum);
  block[154] = '\0';
  out_ += block;
  out_ += content;
  out_.append((kTarBlock - content.size() % kTarBlock) % kTarBlock, '\0');
  return Done{};
}

std::string TarWriter::finish() && {
  out_.append(2 * kTarBlock, '\0');
  return std::move(out_);
}

}  // namespace cg::archive
