// A log line, the frame around it and the body in it, from untrusted bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/base/assert.h"
#include "trust/record/entry.h"
#include "trust/record/event_codec.h"
#include "trust/record/frame.h"
#include "trust/record/state.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto entry = cg::record::parse_entry(bytes)) {
    const auto event = cg::record::decode_body(entry->kind, entry->body);
    // What is accepted is written back as the same bytes: one spelling.
    if (event) {
      CG_ASSERT(cg::record::encode_body(*event) == entry->body);
      const cg::record::Place place{std::string(entry->log), std::string(entry->stream), entry->seq,
                                    entry->t, entry->prev};
      CG_ASSERT(cg::record::encode_entry(place, *event) == bytes);
    }
  }
  if (const auto frame = cg::record::parse_stored_frame(bytes)) {
    CG_ASSERT(cg::record::stored_frame(frame->content) == bytes.substr(0, frame->size));
  }
  if (const auto segment = cg::record::open_segment(bytes))
    CG_ASSERT(segment->content.ends_with('\n'));
  if (const auto state = cg::record::parse_state(bytes))
    CG_ASSERT(cg::record::write_state(*state) == bytes);
  return 0;
}
