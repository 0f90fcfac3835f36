#include "trust/audit/stream_file.h"

#include <algorithm>

#include "base/base/text.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/record/event_codec.h"
#include "trust/record/frame.h"

namespace cg::audit {

namespace {

constexpr std::int64_t kClockSlackMs = 1000;

Result<Time, Problem> time_of_entry(Time now, Time last) {
  if (now.ms + kClockSlackMs < last.ms) {
    return fail(
        Problem{ErrorCode::audit_clock,
                "the clock went back by " + std::to_string((last.ms - now.ms) / 1000) + " s",
                {{"last entry", to_iso(last)}, {"clock", to_iso(now)}},
                "nothing was written",
                {"set the clock, then run the command again", "codegenie self-check clock"}});
  }
  return std::max(now, last);
}

/// Whole lines packed into as few stored frames as their size allows.
std::string pack(const std::vector<std::string>& lines) {
  std::string out;
  std::string content;
  for (const std::string& line : lines) {
    if (content.size() + line.size() + 1 > record::kMaxFrameContent) {
      out += record::stored_frame(content);
      content.clear();
    }
    (content += line) += '\n';
  }
  return content.empty() ? out : out + record::stored_frame(content);
}

}  // namespace

Result<Done, Problem> StreamFile::take_line(std::string_view line, const OnEntry& on_entry) {
  const auto where = [&] { return " at entry " + grouped(standing_.entries); };
  const auto entry = record::parse_entry(line);
  if (!entry) {
    return fail(broken(ErrorCode::audit_entry, "not an entry of the audit log" + where(), path_));
  }
  if (entry->log != log_ || entry->stream != stream_) {
    return fail(broken(ErrorCode::audit_foreign, "entry of another log" + where(), path_,
                       log_ + " " + stream_,
                       std::string(entry->log) + " " + std::string(entry->stream)));
  }
  if (entry->seq != standing_.entries || entry->prev != standing_.head) {
    return fail(broken(ErrorCode::audit_chain, "audit chain broken" + where(), path_,
                       std::to_string(standing_.entries) + " after " + abbreviated(standing_.head),
                       std::to_string(entry->seq) + " after " + abbreviated(entry->prev)));
  }
  auto event = record::decode_body(entry->kind, entry->body);
  if (!event) {
    const bool unknown = event.error() == record::EventError::unknown_kind;
    return fail(broken(unknown ? ErrorCode::audit_kind : ErrorCode::audit_entry,
                       (unknown ? "unknown event kind" : "malformed body") + where(), path_));
  }
  standing_ = {entry->seq + 1, chain_.next(standing_.head, line), entry->t};
  on_entry({entry->seq, line, *std::move(event), standing_.head});
  return Done{};
}

Result<Done, Problem> StreamFile::catch_up(const OnEntry& on_entry) {
  const auto read = os::read_from(fd_, end_, kMaxOpenFile, path_);
  if (!read) return fail(reading(read.error()));
  std::string_view bytes = *read;
  torn_ = false;
  while (!bytes.empty()) {
    const auto frame = record::parse_stored_frame(bytes);
    if (!frame && frame.error() == record::FrameError::torn) {
      torn_ = true;
      return Done{};
    }
    if (!frame) {
      return fail(broken(ErrorCode::audit_container,
                         "damaged log file at byte " + std::to_string(end_), path_));
    }
    const std::string_view content = frame->content.substr(0, frame->content.size() - 1);
    for (const std::string_view line : split(content, '\n')) CG_TRY(take_line(line, on_entry));
    end_ += frame->size;
    bytes.remove_prefix(frame->size);
  }
  return Done{};
}

Result<Done, Problem> StreamFile::append(const record::Events& events, Time now,
                                         const OnEntry& on_entry) {
  CG_TRY_ASSIGN(const Time t, time_of_entry(now, standing_.last));
  Standing next = standing_;
  std::vector<std::string> lines;
  std::vector<hash::Digest> heads;
  for (const record::Event& event : events) {
    lines.push_back(record::encode_entry({log_, stream_, next.entries, t, next.head}, event));
    next = {next.entries + 1, chain_.next(next.head, lines.back()), t};
    heads.push_back(next.head);
  }
  const std::string bytes = pack(lines);
  CG_ASSERT(bytes.size() <= kMaxGroup);
  auto written = os::write_at(fd_, bytes, end_, path_);
  if (written) written = os::sync_data(fd_, path_);
  if (!written) {
    // Taken back, so that nobody reads as an entry what nobody was promised. If
    // even this fails the bytes are torn or unacknowledged, and the next writer
    // finds them so.
    if (os::cut(fd_, end_, path_)) static_cast<void>(os::sync_data(fd_, path_).has_value());
    return fail(writing(written.error()));
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    on_entry({standing_.entries + i, lines[i], events[i], heads[i]});
  }
  standing_ = next;
  end_ += bytes.size();
  return Done{};
}

Result<std::string, Problem> StreamFile::drop_torn() {
  auto torn = os::read_from(fd_, end_, kMaxOpenFile, path_);
  if (!torn) return fail(reading(torn.error()));
  auto done = os::cut(fd_, end_, path_);
  if (done) done = os::sync_data(fd_, path_);
  if (!done) return fail(writing(done.error()));
  torn_ = false;
  return *std::move(torn);
}

Result<std::string, Problem> StreamFile::content() const {
  const auto read = os::read_at(fd_, 0, end_, path_);
  if (!read) return fail(reading(read.error()));
  std::string out;
  std::string_view bytes = *read;
  while (!bytes.empty()) {
    const auto frame = record::parse_stored_frame(bytes);
    if (!frame) return fail(broken(ErrorCode::audit_container, "damaged log file", path_));
    out += frame->content;
    bytes.remove_prefix(frame->size);
  }
  return out;
}

}  // namespace cg::audit
