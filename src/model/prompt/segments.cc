#include "model/prompt/segments.h"

#include "base/base/text.h"
#include "model/prompt/fence.h"

namespace cg::prompt {

namespace {

constexpr std::size_t kNonceDigits = 32;

/// Between the brackets of the line above a fence; titles have none of their own.
std::string label_in(std::string_view title) {
  const std::size_t open = title.find(" (");
  if (open == std::string_view::npos || !title.ends_with("):")) return "";
  return std::string(title.substr(open + 2, title.size() - open - 4));
}

/// One for each fence, in their order.
std::vector<std::string> labels_in(std::string_view body) {
  std::vector<std::string> out;
  const std::string begins = "\n" + std::string(kOpening);
  for (std::size_t at = body.find(begins); at != std::string_view::npos; at = body.find(begins)) {
    const std::size_t line = body.substr(0, at).rfind('\n') + 1;
    out.push_back(label_in(body.substr(line, at - line)));
    const std::string_view nonce = body.substr(at + begins.size(), kNonceDigits);
    const std::size_t end = body.find("\n" + std::string(kClosing) + std::string(nonce), at);
    if (end == std::string_view::npos) break;
    body.remove_prefix(end + 1);
  }
  return out;
}

SourceKind kind_of(const std::string& word) {
  return parse_source_kind(word).value_or(SourceKind::source_snippet);
}

}  // namespace

bool is_marked(const Segment& segment) {
  return segment.fate != Segment::Fate::whole || segment.secrets > 0 || segment.orders > 0;
}

std::string_view name(Segment::Fate fate) {
  switch (fate) {
    case Segment::Fate::whole:
      return "whole";
    case Segment::Fate::cut:
      return "cut";
    case Segment::Fate::dropped:
      break;
  }
  return "dropped";
}

std::string words(const Segment& segment) {
  std::string out;
  const auto say = [&](const std::string& what) { out += (out.empty() ? "" : ", ") + what; };
  if (segment.fate == Segment::Fate::dropped) say("left out");
  if (segment.fate == Segment::Fate::cut) say("cut from " + grouped(segment.given) + " bytes");
  if (segment.secrets > 0) say(counted(segment.secrets, "secret", "secrets") + " withheld");
  if (segment.orders > 0) say("gives orders (" + segment.pattern + "), taken out");
  return out;
}

std::vector<Segment> segments_of(const record::Events& events, std::string_view body) {
  const std::vector<std::string> labels = labels_in(body);
  std::vector<Segment> out;
  std::size_t fences = 0;
  Segment now;
  for (const record::Event& event : events) {
    if (const auto* found = event.as<record::CanaryCollision>()) {
      now.orders = found->hits;
      now.pattern = found->pattern;
    } else if (const auto* taken = event.as<record::SecretsRedacted>()) {
      now.secrets = taken->found;
    } else if (event.as<record::PayloadTruncated>() != nullptr) {
      now.fate = Segment::Fate::cut;
    } else if (const auto* fence = event.as<record::FenceCreated>()) {
      now.kind = kind_of(fence->kind);
      now.given = fence->given;
      now.bytes = fence->bytes;
      if (fences < labels.size()) now.label = labels[fences];
      ++fences;
      out.push_back(std::exchange(now, {}));
    } else if (const auto* left = event.as<record::SegmentDropped>()) {
      Segment dropped;
      dropped.kind = kind_of(left->kind);
      dropped.label = left->label;
      dropped.fate = Segment::Fate::dropped;
      dropped.given = left->given;
      out.push_back(std::move(dropped));
    }
  }
  return out;
}

}  // namespace cg::prompt
