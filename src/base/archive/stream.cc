#include "base/archive/stream.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/archive/format.h"
#include "base/base/assert.h"
#include "base/base/bytes.h"

namespace cg::archive {

namespace {

constexpr std::size_t kPiece = 256 * 1024;
constexpr std::size_t kMaxFeed = 1U << 30U;  // zlib counts its input in 32 bits
constexpr int kGzipWindow = 15 + 16;         // the largest window, and the gzip wrapping
constexpr int kMaxWindowLog = 27;

/// Counts what comes out, and stops what comes out too much.
class Meter {
 public:
  Meter(const Limits& limits, const Sink& sink) : limits_(limits), sink_(sink) {}

  /// Hands `piece` on; `consumed` bytes of input were read for all so far.
  [[nodiscard]] Result<Next, Error> put(std::string_view piece, std::uint64_t consumed) {
    if (piece.empty()) return Next::more;
    total_ += piece.size();
    if (total_ > limits_.max_output) return fail(Error{Error::Kind::output_too_large, consumed});
    if (is_bomb(consumed, total_, limits_)) {
      return fail(Error{Error::Kind::ratio_too_high, consumed});
    }
    return sink_(piece);
  }

 private:
  const Limits& limits_;
  const Sink& sink_;
  std::uint64_t total_ = 0;
};

class Inflater {
 public:
  explicit Inflater(std::string_view packed) : packed_(packed) {
    const int made = inflateInit2(&stream_, kGzipWindow);
    CG_ASSERT(made == Z_OK);
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  [[nodiscard]] std::uint64_t consumed() const { return fed_ - stream_.avail_in; }
  [[nodiscard]] bool at_end() const { return consumed() == packed_.size(); }
  [[nodiscard]] bool next_member() { return inflateReset(&stream_) == Z_OK; }

  /// Fills `room` as far as it can; the status is zlib's.
  [[nodiscard]] std::pair<int, std::size_t> step(std::string& room) {
    if (stream_.avail_in == 0) feed();
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(room.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    return {status, room.size() - stream_.avail_out};
  }

 private:
  void feed() {
    const std::string_view piece = packed_.substr(fed_, kMaxFeed);
    stream_.next_in = const_cast<Bytef*>(as_bytes(piece).data());  // zlib does not write to it
    stream_.avail_in = static_cast<uInt>(piece.size());
    fed_ += piece.size();
  }

  std::string_view packed_;
  std::uint64_t fed_ = 0;
  z_stream stream_{};
};

Error::Kind gzip_failure(const Inflater& inflater, int status) {
  if (status == Z_BUF_ERROR && inflater.at_end()) return Error::Kind::truncated;
  return Error::Kind::damaged;
}

/// Runs a reader whose sink collects everything.
template <class Reader>
Result<std::string, Error> collect(Reader read, std::string_view packed, const Limits& limits) {
  std::string out;
  const Sink sink = [&out](std::string_view piece) {
    out += piece;
    return Next::more;
  };
  CG_TRY(read(packed, limits, sink));
  return out;
}

}  // namespace

Result<Done, Error> gunzip(std::string_view packed, const Limits& limits, const Sink& sink) {
  if (!packed.starts_with("\x1f\x8b")) return fail(Error{Error::Kind::other_format});
  Inflater inflater(packed);
  Meter meter(limits, sink);
  std::string room(kPiece, '\0');
  for (;;) {
    const auto [status, size] = inflater.step(room);
    CG_TRY_ASSIGN(const Next next, meter.put({room.data(), size}, inflater.consumed()));
    if (next == Next::stop) return Done{};
    if (status == Z_OK) continue;
    if (status != Z_STREAM_END) {
      return fail(Error{gzip_failure(inflater, status), inflater.consumed()});
    }
    if (inflater.at_end()) return Done{};
    if (!packed.substr(inflater.consumed()).starts_with("\x1f\x8b") || !inflater.next_member()) {
      return fail(Error{Error::Kind::trailing_data, inflater.consumed()});
    }
  }
}

Result<std::string, Error> gunzip(std::string_view packed, const Limits& limits) {
  return collect([](auto&&... args) { return gunzip(args...); }, packed, limits);
}

Result<Done, Error> unzstd(std::string_view packed, const Limits& limits, const Sink& sink) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                        ZSTD_freeDCtx);
  CG_ASSERT(context != nullptr);
  CG_ASSERT(
      ZSTD_isError(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindowLog)) == 0);
  Meter meter(limits, sink);
  std::string room(kPiece, '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t left = 1;  // what zstd still wants: 0 at the end of a frame
  bool full = false;     // the last step filled the room, so there may be more of it
  while (in.pos < in.size || full) {
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    const std::size_t start = in.pos;
    left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0) {
      // A step that fails does not say how far it came; its start is near enough.
      const bool foreign = start == 0 && detect(packed) != Format::zstd;
      return fail(Error{foreign ? Error::Kind::other_format : Error::Kind::damaged, start});
    }
    CG_TRY_ASSIGN(const Next next, meter.put({room.data(), out.pos}, in.pos));
    if (next == Next::stop) return Done{};
    full = out.pos == out.size && left != 0;
  }
  if (packed.empty()) return fail(Error{Error::Kind::other_format});
  if (left != 0) return fail(Error{Error::Kind::truncated, packed.size()});
  return Done{};
}

Result<std::string, Error> unzstd(std::string_view packed, const Limits& limits) {
  return collect([](auto&&... args) { return unzstd(args...); }, packed, limits);
}

std::string zstd_compress(std::string_view bytes, int level) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                        ZSTD_freeCCtx);
  CG_ASSERT(context != nullptr);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, std::clamp(level, 1, 19));
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  CG_ASSERT(ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

}  // namespace cg::archive
