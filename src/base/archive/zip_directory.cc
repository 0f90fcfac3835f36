#include "base/archive/zip_directory.h"

#include <algorithm>
#include <optional>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/wire/number.h"

namespace cg::archive {

namespace {

using Kind = Error::Kind;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kMaxComment = 0xFFFF;
constexpr std::uint64_t kIn64 = 0xFFFFFFFF;  // "look in the zip64 field"
constexpr std::uint64_t kMost = 0xFFFFFFFF;  // of one entry: zlib counts in 32 bits

std::uint64_t le(std::string_view bytes, std::size_t at, std::size_t size) {
  return wire::little_endian(bytes.substr(at, size));
}

struct End {
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t at = 0;  // of the first end record: where the directory must end
};

/// True if a narrow field says the same as its wide one, or says to look there.
bool agrees(std::uint64_t narrow, std::uint64_t wide, std::uint64_t elsewhere) {
  return narrow == wide || narrow == elsewhere;
}

/// Where the end record stands: the last place from which its comment reaches
/// exactly to the end of the file.
std::optional<std::size_t> find_end(std::string_view bytes) {
  if (bytes.size() < kEndSize) return std::nullopt;
  const std::size_t last = bytes.size() - kEndSize;
  const std::size_t first = last > kMaxComment ? last - kMaxComment : 0;
  for (std::size_t at = last + 1; at-- > first;) {
    if (bytes.substr(at, 4) == "PK\x05\x06" && le(bytes, at + 20, 2) == last - at) return at;
  }
  return std::nullopt;
}

/// The zip64 end record before a locator that ends at `at`.
Result<End, Error> read_end64(std::string_view bytes, std::size_t at) {
  const std::size_t locator = at - kLocatorSize;
  const std::uint64_t where = le(bytes, locator + 8, 8);
  const bool one_disk = le(bytes, locator + 4, 4) == 0 && le(bytes, locator + 16, 4) <= 1;
  if (!one_disk) return fail(Error{Kind::unsupported, locator});
  if (locator < kEnd64Size || where != locator - kEnd64Size ||
      bytes.substr(where, 4) != std::string_view("PK\x06\x06", 4) ||
      le(bytes, where + 4, 8) != 44) {
    return fail(Error{Kind::damaged, locator});
  }
  if (le(bytes, where + 16, 4) != 0 || le(bytes, where + 20, 4) != 0) {
    return fail(Error{Kind::unsupported, where});
  }
  if (le(bytes, where + 24, 8) != le(bytes, where + 32, 8)) {
    return fail(Error{Kind::damaged, where});
  }
  return End{le(bytes, where + 32, 8), le(bytes, where + 40, 8), le(bytes, where + 48, 8), where};
}

Result<End, Error> read_end(std::string_view bytes) {
  const auto found = find_end(bytes);
  if (!found) {
    const bool looks_like_zip = bytes.starts_with("PK\x03\x04");
    return fail(Error{looks_like_zip ? Kind::truncated : Kind::other_format, bytes.size()});
  }
  const std::size_t at = *found;
  End end{le(bytes, at + 10, 2), le(bytes, at + 12, 4), le(bytes, at + 16, 4), at};
  if (le(bytes, at + 4, 2) != 0 || le(bytes, at + 6, 2) != 0 || le(bytes, at + 8, 2) != end.count) {
    return fail(Error{Kind::unsupported, at});
  }
  if (at >= kLocatorSize && bytes.substr(at - kLocatorSize, 4) == "PK\x06\x07") {
    const End narrow = end;
    CG_TRY_ASSIGN(end, read_end64(bytes, at));
    if (!agrees(narrow.count, end.count, 0xFFFF) || !agrees(narrow.size, end.size, kIn64) ||
        !agrees(narrow.offset, end.offset, kIn64)) {
      return fail(Error{Kind::damaged, at});
    }
  }
  if (end.offset > end.at || end.size != end.at - end.offset) {
    return fail(Error{Kind::damaged, at});
  }
  return end;
}

/// The three numbers that zip64 may move to an extra field, in its order.
struct Wide {
  std::uint64_t size;
  std::uint64_t packed;
  std::uint64_t offset;
};

/// Replaces each number that says so by that of the extra field 1; false if the field
/// is missing, too short or the extra data is malformed.
bool widen(std::string_view extra, Wide& wide) {
  std::string_view field;
  while (extra.size() >= 4) {
    const std::uint64_t size = le(extra, 2, 2);
    if (size > extra.size() - 4) return false;
    if (le(extra, 0, 2) == 1) field = extra.substr(4, size);
    extra.remove_prefix(4 + size);
  }
  for (std::uint64_t* number : {&wide.size, &wide.packed, &wide.offset}) {
    if (*number != kIn64) continue;
    if (field.size() < 8) return false;
    *number = le(field, 0, 8);
    field.remove_prefix(8);
  }
  return true;
}

class Directory {
 public:
  Directory(std::string_view bytes, const Limits& limits) : bytes_(bytes), limits_(limits) {}

  Result<std::vector<ZipRecord>, Error> read() {
    CG_TRY_ASSIGN(end_, read_end(bytes_));
    if (end_.count > limits_.max_entries) return fail(Error{Kind::too_many_entries, end_.at});
    if (end_.count > end_.size / kCentralSize) return fail(Error{Kind::damaged, end_.at});
    records_.reserve(end_.count);
    std::uint64_t at = end_.offset;
    for (std::uint64_t i = 0; i < end_.count; ++i) {
      CG_TRY_ASSIGN(const std::uint64_t size, one(at));
      at += size;
    }
    if (at != end_.at) return fail(Error{Kind::damaged, at});
    CG_TRY(check_overlaps());
    CG_TRY(check_names());
    return std::move(records_);
  }

 private:
  [[nodiscard]] static Error error(Kind kind, std::uint64_t at, std::string_view name = {}) {
    return {kind, at, printable(name)};
  }

  /// Reads the record at `at` and returns its size.
  Result<std::uint64_t, Error> one(std::uint64_t at) {
    if (end_.at - at < kCentralSize || bytes_.substr(at, 4) != "PK\x01\x02") {
      return fail(error(Kind::damaged, at));
    }
    const std::uint64_t name_size = le(bytes_, at + 28, 2);
    const std::uint64_t extra_size = le(bytes_, at + 30, 2);
    const std::uint64_t whole = kCentralSize + name_size + extra_size + le(bytes_, at + 32, 2);
    if (whole > end_.at - at) return fail(error(Kind::damaged, at));
    const std::string_view name = bytes_.substr(at + kCentralSize, name_size);
    const std::uint64_t flags = le(bytes_, at + 8, 2);
    const std::uint64_t method = le(bytes_, at + 10, 2);
    if ((flags & 0x2041U) != 0) return fail(error(Kind::encrypted, at, name));
    if ((flags & 0x20U) != 0 || (method != 0 && method != 8) || le(bytes_, at + 34, 2) != 0) {
      return fail(error(Kind::unsupported, at, name));
    }
    Wide wide{le(bytes_, at + 24, 4), le(bytes_, at + 20, 4), le(bytes_, at + 42, 4)};
    if (!widen(bytes_.substr(at + kCentralSize + name_size, extra_size), wide)) {
      return fail(error(Kind::damaged, at, name));
    }
    ZipRecord record{name,
                     {},
                     wide.size,
                     wide.offset,
                     static_cast<std::uint32_t>(le(bytes_, at + 16, 4)),
                     method == 8,
                     name.ends_with('/')};
    CG_TRY(check_sizes(record, wide.packed));
    CG_TRY(read_local(record, wide.packed, method));
    records_.push_back(record);
    return whole;
  }

  [[nodiscard]] Result<Done, Error> check_sizes(const ZipRecord& record, std::uint64_t packed) {
    std::string_view name = record.name;
    if (record.folder) name.remove_suffix(1);
    if (!is_safe_name(name, limits_)) return fail(error(Kind::unsafe_name, record.offset, name));
    if (record.size > std::min(limits_.max_entry, kMost) || packed > kMost) {
      return fail(error(Kind::entry_too_large, record.offset, name));
    }
    if (record.size > limits_.max_output - output_) {
      return fail(error(Kind::output_too_large, record.offset, name));
    }
    output_ += record.size;
    packed_ += packed;
    if (is_bomb(packed, record.size, limits_) || is_bomb(packed_, output_, limits_)) {
      return fail(error(Kind::ratio_too_high, record.offset, name));
    }
    const bool same = record.deflated || record.size == packed;
    if (!same || (record.folder && record.size != 0)) {
      return fail(error(Kind::damaged, record.offset, name));
    }
    return Done{};
  }

  /// Finds the packed bytes behind the local header, which must tell the same story.
  [[nodiscard]] Result<Done, Error> read_local(ZipRecord& record, std::uint64_t packed,
                                               std::uint64_t method) {
    const std::uint64_t at = record.offset;
    if (at > end_.offset || end_.offset - at < kLocalSize || bytes_.substr(at, 4) != "PK\x03\x04") {
      return fail(error(Kind::damaged, at, record.name));
    }
    const std::uint64_t flags = le(bytes_, at + 6, 2);
    const std::uint64_t name_size = le(bytes_, at + 26, 2);
    const std::uint64_t start = at + kLocalSize + name_size + le(bytes_, at + 28, 2);
    if ((flags & 0x2041U) != 0) return fail(error(Kind::encrypted, at, record.name));
    if (start > end_.offset || packed > end_.offset - start ||
        bytes_.substr(at + kLocalSize, name_size) != record.name ||
        le(bytes_, at + 8, 2) != method) {
      return fail(error(Kind::damaged, at, record.name));
    }
    const bool told_later = (flags & 0x08U) != 0;  // sizes and checksum follow the content
    if (!told_later &&
        (le(bytes_, at + 14, 4) != record.crc || !agrees(le(bytes_, at + 18, 4), packed, kIn64) ||
         !agrees(le(bytes_, at + 22, 4), record.size, kIn64))) {
      return fail(error(Kind::damaged, at, record.name));
    }
    record.packed = bytes_.substr(start, packed);
    return Done{};
  }

  [[nodiscard]] Result<Done, Error> check_overlaps() const {
    std::vector<const ZipRecord*> order;
    order.reserve(records_.size());
    for (const ZipRecord& record : records_) order.push_back(&record);
    std::sort(order.begin(), order.end(),
              [](const ZipRecord* a, const ZipRecord* b) { return a->offset < b->offset; });
    std::uint64_t end = 0;
    for (const ZipRecord* record : order) {
      if (record->offset < end) return fail(error(Kind::overlap, record->offset, record->name));
      end =
          static_cast<std::uint64_t>(record->packed.data() - bytes_.data()) + record->packed.size();
    }
    return Done{};
  }

  [[nodiscard]] Result<Done, Error> check_names() const {
    std::vector<const ZipRecord*> order;
    order.reserve(records_.size());
    for (const ZipRecord& record : records_) order.push_back(&record);
    std::sort(order.begin(), order.end(),
              [](const ZipRecord* a, const ZipRecord* b) { return a->name < b->name; });
    const auto twice = std::adjacent_find(
        order.begin(), order.end(),
        [](const ZipRecord* a, const ZipRecord* b) { return a->name == b->name; });
    if (twice != order.end()) {
      return fail(error(Kind::duplicate_name, (*twice)->offset, (*twice)->name));
    }
    return Done{};
  }

  std::string_view bytes_;
  const Limits& limits_;
  End end_;
  std::uint64_t output_ = 0;
  std::uint64_t packed_ = 0;
  std::vector<ZipRecord> records_;
};

}  // namespace

Result<std::vector<ZipRecord>, Error> read_zip_directory(std::string_view bytes,
                                                         const Limits& limits) {
  return Directory(bytes, limits).read();
}

}  // namespace cg::archive
