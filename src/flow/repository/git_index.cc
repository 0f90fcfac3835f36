#include "flow/repository/git_index.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/wire/number.h"

namespace cg::repository {

namespace {

// An entry: ten numbers of four bytes (times, device, mode, owner, size), the object's name, two
// bytes of flags, two more if one of them says so, the path, and a zero. In versions 2 and 3
// zeros fill it up to a multiple of eight; in version 4 the path says how much of the one before
// is dropped and what comes behind the rest.
constexpr std::size_t kHeader = 12;
constexpr std::size_t kNumbers = 40;
constexpr std::size_t kModeAt = 24;
constexpr std::size_t kFlags = 2;
constexpr std::size_t kExtension = 8;  // four letters and a length
constexpr std::uint64_t kExtended = 0x4000;
constexpr std::uint64_t kSkipWorktree = 0x4000;  // of the flags that are more
constexpr std::uint64_t kFolderMode = 040000;

using Each = std::function<void(const IndexEntry&)>;
using Outcome = Result<Done, std::string>;

Failure<std::string> damaged(const char* what) {
  return fail("git's index is damaged: " + std::string(what));
}
Failure<std::string> unsupported(const char* what) {
  return fail("git's index is of a kind that is not read: " + std::string(what));
}

class Reader {
 public:
  Reader(std::string_view bytes, std::size_t object_bytes) : bytes_(bytes), object_(object_bytes) {}

  Outcome run(const Each& each) {
    const std::uint64_t version = wire::big_endian(bytes_.substr(4, 4));
    if (version < 2 || version > 4) return unsupported("another version");
    packed_ = version == 4;
    const std::uint64_t count = wire::big_endian(bytes_.substr(8, 4));
    at_ = kHeader;
    for (std::uint64_t i = 0; i < count; ++i) CG_TRY(entry(each));
    return extensions();
  }

 private:
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

  Outcome entry(const Each& each) {
    const std::size_t start = at_;
    if (left() < kNumbers + object_ + kFlags) return damaged("an entry is cut off");
    const std::uint64_t mode = wire::big_endian(bytes_.substr(at_ + kModeAt, 4));
    at_ += kNumbers + object_;
    const std::uint64_t flags = wire::big_endian(bytes_.substr(at_, kFlags));
    at_ += kFlags;
    std::uint64_t more = 0;
    if ((flags & kExtended) != 0) {
      if (left() < kFlags) return damaged("an entry is cut off");
      more = wire::big_endian(bytes_.substr(at_, kFlags));
      at_ += kFlags;
    }
    CG_TRY(path(start));
    if (mode == kFolderMode) return unsupported("it is sparse");
    // Only an index that is split has entries without a name: they replace some of the other part.
    nameless_ = nameless_ || path_.empty();
    if (!path_.empty()) each({path_, (more & kSkipWorktree) != 0});
    return Done{};
  }

  /// Of the entry that began at `start`.
  Outcome path(std::size_t start) {
    if (packed_) {
      const auto dropped = number();
      if (!dropped || *dropped > path_.size()) return damaged("a path");
      path_.resize(path_.size() - *dropped);
    } else {
      path_.clear();
    }
    const std::size_t end = bytes_.find('\0', at_);
    if (end == bytes_.npos || path_.size() + (end - at_) > kMaxIndexPath) return damaged("a path");
    path_ += bytes_.substr(at_, end - at_);
    at_ = end + 1;
    if (packed_) return Done{};
    const std::size_t whole = (at_ - start + 7) / 8 * 8;
    if (whole > bytes_.size() - start) return damaged("an entry is cut off");
    at_ = start + whole;
    return Done{};
  }

  /// Seven bits a byte, the first ones first, each further byte one more than it says.
  std::optional<std::size_t> number() {
    std::size_t value = 0;
    for (int i = 0; i < 4 && at_ < bytes_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value = (i == 0 ? 0 : (value + 1) << 7U) | (byte & 0x7fU);
      if ((byte & 0x80U) == 0) return value;
    }
    return std::nullopt;
  }

  /// Up to the checksum, which is as long as an object's name.
  Outcome extensions() {
    while (left() > object_) {
      if (left() < kExtension + object_) return damaged("an extension");
      const std::string_view name = bytes_.substr(at_, 4);
      const std::uint64_t size = wire::big_endian(bytes_.substr(at_ + 4, 4));
      if (size > left() - kExtension - object_) return damaged("an extension");
      if (name == "link") return unsupported("it is split");
      if (name == "sdir") return unsupported("it is sparse");
      at_ += kExtension + size;
    }
    if (nameless_) return damaged("an entry without a name");
    return left() == object_ ? Outcome(Done{}) : damaged("its end");
  }

  std::string_view bytes_;
  std::size_t object_;
  bool packed_ = false;
  bool nameless_ = false;
  std::size_t at_ = 0;
  std::string path_;
};

}  // namespace

Result<Done, std::string> read_git_index(std::string_view bytes, const Each& each) {
  if (bytes.size() < kHeader || !bytes.starts_with("DIRC")) return damaged("its start");
  // Which of the two hashes names objects stands in another file. Only with the right one do
  // entries end where the extensions begin.
  constexpr std::size_t kSha1 = 20;
  constexpr std::size_t kSha256 = 32;
  const auto ignore = [](const IndexEntry&) {};
  const bool is_sha256 = !Reader(bytes, kSha1).run(ignore) && Reader(bytes, kSha256).run(ignore);
  return Reader(bytes, is_sha256 ? kSha256 : kSha1).run(each);
}

}  // namespace cg::repository
