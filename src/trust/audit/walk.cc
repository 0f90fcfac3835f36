#include "trust/audit/walk.h"

#include "base/base/text.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/record/event_codec.h"
#include "trust/record/frame.h"

namespace cg::audit {

namespace {

std::string words(record::FrameError error) {
  return error == record::FrameError::torn ? "is cut off" : "is damaged";
}

}  // namespace

Result<Done, Problem> Walker::take(std::string_view line, const std::string& file) {
  const auto at = [&] { return " at entry " + grouped(entries_); };
  const auto entry = record::parse_entry(line);
  if (!entry) {
    return fail(broken(ErrorCode::audit_entry, "not an entry of the audit log" + at(), file));
  }
  if (log_.empty()) log_ = entry->log;
  if (entry->log != log_ || entry->stream != stream_) {
    return fail(broken(ErrorCode::audit_foreign, "entry of another log or stream" + at(), file,
                       log_ + " " + stream_,
                       printable(entry->log) + " " + printable(entry->stream)));
  }
  if (entry->prev != head_) {
    return fail(broken(ErrorCode::audit_chain, "audit chain broken" + at(), file,
                       "prev " + abbreviated(head_), "prev " + abbreviated(entry->prev)));
  }
  if (entry->seq != entries_) {
    return fail(broken(ErrorCode::audit_chain, "audit chain broken" + at() + ": wrong number", file,
                       std::to_string(entries_), std::to_string(entry->seq)));
  }
  if (entry->t < last_) {
    return fail(broken(ErrorCode::audit_time, "time runs backwards" + at(), file,
                       "not before " + to_iso(last_), to_iso(entry->t)));
  }
  const auto event = record::decode_body(entry->kind, entry->body);
  if (!event && event.error() == record::EventError::unknown_kind) {
    return fail(broken(ErrorCode::audit_kind, "unknown event kind" + at(), file, "a known kind",
                       printable(cut_utf8(entry->kind, 64))));
  }
  if (!event) return fail(broken(ErrorCode::audit_entry, "malformed event" + at(), file));
  if (record::home_of(*event) != home_) {
    return fail(broken(ErrorCode::audit_foreign, "event in the wrong stream" + at(), file));
  }
  head_ = chain_.next(head_, line);
  last_ = entry->t;
  ++entries_;
  on_held_({*entry, *event, line, head_});
  return Done{};
}

Result<Done, Problem> Walker::feed(std::string_view lines, const std::string& file) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    CG_TRY(take(lines.substr(0, end), file));
    lines.remove_prefix(std::min(lines.size(), end == std::string_view::npos ? end : end + 1));
  }
  return Done{};
}

Result<OpenLines, Problem> open_lines(std::string_view bytes, const std::string& file) {
  OpenLines out;
  const std::size_t total = bytes.size();
  while (!bytes.empty()) {
    const auto frame = record::parse_stored_frame(bytes);
    if (!frame && frame.error() == record::FrameError::torn) {
      out.torn_bytes = bytes.size();
      break;
    }
    if (!frame) {
      return fail(broken(ErrorCode::audit_container,
                         "damaged log file at byte " + grouped(total - bytes.size()), file));
    }
    out.lines += frame->content;
    bytes.remove_prefix(frame->size);
  }
  return out;
}

Result<std::uint64_t, Problem> walk_spanning(const os::Dir& events, Walker& walker) {
  const auto names = events.list(kSpanningDir, kMaxFiles);
  if (!names) return fail(reading(names.error()));
  std::string last_sealed;
  for (const std::string& name : *names) {
    const std::string path = kSpanningDir + "/" + name;
    if (name == kAppendFile || os::is_leftover(name)) continue;
    if (!record::is_segment_name(name)) {
      return fail(
          broken(ErrorCode::audit_container, "a file that is not ours", events.path_of(path)));
    }
    const auto bytes = events.read(path, record::kMaxSegmentFile);
    if (!bytes) return fail(reading(bytes.error()));
    auto segment = record::open_segment(*bytes);
    if (!segment) {
      return fail(broken(ErrorCode::audit_container, "sealed segment " + words(segment.error()),
                         events.path_of(path)));
    }
    const record::SegmentHeader before{walker.entries(), 0, walker.head(), {}};
    CG_TRY(walker.feed(segment->content, events.path_of(path)));
    const record::SegmentHeader is{before.first, walker.entries() - before.first, before.prev,
                                   walker.head()};
    if (segment->header != is || record::segment_name(is.first) != name) {
      return fail(broken(ErrorCode::audit_container, "segment does not hold what its header says",
                         events.path_of(path)));
    }
    last_sealed = std::move(segment->content);
  }
  const std::string path = kSpanningDir + "/" + kAppendFile;
  const auto bytes = events.read(path, kMaxOpenFile);
  if (!bytes) return fail(reading(bytes.error()));
  CG_TRY_ASSIGN(const OpenLines open, open_lines(*bytes, events.path_of(path)));
  // A writer that died between sealing and emptying: the same lines stand twice.
  if (!last_sealed.empty() && open.lines == last_sealed) return open.torn_bytes;
  CG_TRY(walker.feed(open.lines, events.path_of(path)));
  return open.torn_bytes;
}

Result<WorkflowFile, Problem> walk_workflow(const os::Dir& events, const std::string& workflow,
                                            Walker& walker) {
  const std::string path = kWorkflowDir + "/" + workflow_file(workflow);
  const auto bytes = events.read(path, record::kMaxSegmentFile);
  if (!bytes) return fail(reading(bytes.error()));
  const auto segment = record::open_segment(*bytes);
  if (segment) {
    CG_TRY(walker.feed(segment->content, events.path_of(path)));
    const record::SegmentHeader is{0, walker.entries(), record::kGenesis, walker.head()};
    if (segment->header != is) {
      return fail(broken(ErrorCode::audit_container, "stream does not hold what its header says",
                         events.path_of(path)));
    }
    return WorkflowFile{true, 0};
  }
  CG_TRY_ASSIGN(const OpenLines open, open_lines(*bytes, events.path_of(path)));
  CG_TRY(walker.feed(open.lines, events.path_of(path)));
  return WorkflowFile{false, open.torn_bytes};
}

}  // namespace cg::audit
