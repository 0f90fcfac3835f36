#include "base/archive/zip.h"

#include <zlib.h>

#include <string>

#include "base/archive/zip_directory.h"
#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::archive {

namespace {

constexpr int kRawWindow = -15;  // the largest window, and no wrapping

/// Unpacks entry after entry with the same memory.
class RawInflater {
 public:
  RawInflater() {
    const int made = inflateInit2(&stream_, kRawWindow);
    CG_ASSERT(made == Z_OK);
  }
  ~RawInflater() { inflateEnd(&stream_); }
  RawInflater(const RawInflater&) = delete;
  RawInflater& operator=(const RawInflater&) = delete;

  /// True if `packed` is one deflate stream, to its last byte, of exactly `out`'s size.
  [[nodiscard]] bool unpack(std::string_view packed, std::string& out) {
    if (inflateReset(&stream_) != Z_OK) return false;
    Bytef none = 0;  // zlib refuses a null pointer even for no bytes
    stream_.next_in = const_cast<Bytef*>(as_bytes(packed).data());  // not written to
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = out.empty() ? &none : reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    return inflate(&stream_, Z_FINISH) == Z_STREAM_END && stream_.avail_in == 0 &&
           stream_.avail_out == 0;
  }

 private:
  z_stream stream_{};
};

bool crc_holds(const ZipRecord& record, std::string_view content) {
  return crc32_z(0, as_bytes(content).data(), content.size()) == record.crc;
}

}  // namespace

Result<Counts, Error> read_zip(std::string_view bytes, const Limits& limits,
                               const OnEntry& on_entry, const Wanted& wanted) {
  CG_TRY_ASSIGN(const std::vector<ZipRecord> records, read_zip_directory(bytes, limits));
  RawInflater inflater;
  std::string buffer;
  Counts counts;
  for (const ZipRecord& record : records) {
    if (record.folder || (wanted && !wanted(record.name))) {
      ++counts.skipped;
      continue;
    }
    std::string_view content = record.packed;
    if (record.deflated) {
      buffer.resize(record.size);
      if (!inflater.unpack(record.packed, buffer)) {
        return fail(Error{Error::Kind::damaged, record.offset, printable(record.name)});
      }
      content = buffer;
    }
    if (!crc_holds(record, content)) {
      return fail(Error{Error::Kind::checksum, record.offset, printable(record.name)});
    }
    ++counts.files;
    if (on_entry({record.name, content, record.offset}) == Next::stop) break;
  }
  return counts;
}

}  // namespace cg::archive
