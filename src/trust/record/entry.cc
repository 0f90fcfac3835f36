#include "trust/record/entry.h"

#include "base/base/assert.h"
#include "base/base/text.h"
#include "trust/record/cursor.h"
#include "trust/record/event_codec.h"

namespace cg::record {

namespace {
// ,"prev":"<64 hex>"} always ends a line, so where a body ends is known.
constexpr std::size_t kPrevBytes = 8 + 66 + 1;
}  // namespace

std::string encode_entry(const Place& place, const Event& event) {
  std::string line;
  line.reserve(512);
  ((line += R"({"v":1,"log":")") += place.log) += R"(","stream":")";
  line += place.stream;
  ((line += R"(","seq":)") += std::to_string(place.seq)) += R"(,"t":")";
  ((line += to_iso(place.t)) += R"(","kind":")") += kind_of(event);
  ((line += R"(","body":)") += encode_body(event)) += R"(,"prev":")";
  (line += to_hex(place.prev)) += "\"}";
  CG_ASSERT(line.size() <= kMaxLine);  // the caps of the fields see to it
  return line;
}

Result<Entry, EntryError> parse_entry(std::string_view line) {
  if (line.size() > kMaxLine) return fail(EntryError::too_long);
  Cursor cursor(line);
  if (!cursor.take(R"({"v":1,"log":)")) return fail(EntryError::malformed);
  const auto log = cursor.take_plain_string();
  const bool stream_key = cursor.take(R"(,"stream":)");
  const auto stream = cursor.take_plain_string();
  const bool seq_key = cursor.take(R"(,"seq":)");
  const auto seq = cursor.take_number();
  const bool time_key = cursor.take(R"(,"t":)");
  const auto time = cursor.take_plain_string();
  const bool kind_key = cursor.take(R"(,"kind":)");
  const auto kind = cursor.take_plain_string();
  const bool body_key = cursor.take(R"(,"body":)");
  const auto body = cursor.take_all_but(kPrevBytes);
  const bool prev_key = cursor.take(R"(,"prev":)");
  const auto prev = cursor.take_digest();
  if (!log || !stream || !seq || !time || !kind || !body || !prev || !stream_key || !seq_key ||
      !time_key || !kind_key || !body_key || !prev_key || !cursor.take("}") || !cursor.at_end()) {
    return fail(EntryError::malformed);
  }
  const std::optional<Time> t = parse_iso(*time);
  if (!t) return fail(EntryError::malformed);
  return Entry{*log, *stream, *seq, *t, *kind, *body, *prev};
}

}  // namespace cg::record
