#include "model/prompt/fence.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/base/text.h"
#include "model/canary/patterns.h"
#include "model/prompt/clean.h"
#include "model/secrets/secrets.h"
#include "trust/hash/blake3.h"

namespace cg::prompt {

namespace {

constexpr std::string_view kMimics = "fence_mimic";
constexpr std::string_view kCut = "\n[cut]";
constexpr std::string_view kTail = ">\n";
/// How much of what is cut off is still looked at: half a key must not be left for want of the
/// other half. None has more; of a private key the beginning is enough.
constexpr std::size_t kMargin = 4096;

std::string opening(const Nonce& nonce) {
  return std::string(kOpening) + nonce.hex() + std::string(kTail);
}

std::string marker(std::string_view pattern) { return "[removed: " + std::string(pattern) + "]"; }

/// Why the whole segment must go, if so: the id of the pattern.
std::optional<canary::Hit> breaks_fence(std::string_view payload, const canary::Scan& scan,
                                        const Nonce& nonce) {
  const std::size_t at = find_any_case(payload, nonce.hex());
  if (at != std::string_view::npos) {
    return canary::Hit{"nonce", kMimics, "given", {at, at + nonce.hex().size()}};
  }
  for (const canary::Hit& hit : scan.hits) {
    if (hit.family == kMimics) return hit;
  }
  return std::nullopt;
}

/// Cleaning takes characters out, which may join what they stood between.
std::optional<canary::Hit> joined(std::string_view content, const Nonce& nonce) {
  for (const std::string_view tag : {"<untrusted_input", "</untrusted_input"}) {
    if (holds(content, tag)) return canary::Hit{"fence-joined", kMimics, "cleaned", {}};
  }
  if (holds(content, nonce.hex())) return canary::Hit{"nonce", kMimics, "cleaned", {}};
  return std::nullopt;
}

struct Content {
  std::string text;
  std::size_t removed = 0;  // bytes of the payload that give orders
  bool truncated = false;
  secrets::Redacted taken;  // secrets, without the text
};

std::string_view first_within(const canary::Scan& scan, const canary::Span& span) {
  for (const canary::Hit& hit : scan.hits) {
    if (hit.span.begin >= span.begin && hit.span.begin < span.end) return hit.pattern;
  }
  return scan.hits.front().pattern;
}

Content redacted(std::string_view payload, const canary::Scan& scan, std::size_t cap) {
  Content out;
  std::size_t at = 0;
  bool fits = true;
  const auto append = [&](std::string_view bytes) {
    fits = fits && append_clean(out.text, bytes, cap + kMargin);
  };
  for (const canary::Span& span : canary::redactions(payload, scan)) {
    append(payload.substr(at, span.begin - at));
    append(marker(first_within(scan, span)));
    out.removed += span.end - span.begin;
    at = span.end;
  }
  append(payload.substr(at));
  // After cleaning, which may join what unseen characters kept apart.
  out.taken = secrets::redact(out.text, marker);
  out.text = std::exchange(out.taken.text, {});
  if (fits && out.text.size() <= cap) return out;
  out.truncated = true;
  out.text = std::string(cut_utf8(out.text, cap - kCut.size())) + std::string(kCut);
  return out;
}

record::SecretsRedacted redaction(SourceKind kind, const secrets::Redacted& secrets) {
  std::string rules;
  for (const std::string_view rule : secrets.rules) {
    rules += (rules.empty() ? "" : ", ") + std::string(rule);
  }
  return {secrets.bytes, secrets.found, std::string(name(kind)), std::string(cut_utf8(rules, 256))};
}

record::CanaryCollision collision(SourceKind kind, const canary::Hit& first, std::size_t hits) {
  record::CanaryCollision event;
  event.form = first.form;
  event.hits = hits;
  event.kind = name(kind);
  event.list = canary::patterns_digest();
  event.offset = first.span.begin;
  event.pattern = first.pattern;
  return event;
}

}  // namespace

Nonce Nonce::from(const std::array<Byte, 16>& random) { return Nonce(to_hex(random)); }

std::string_view FencedSegment::content() const {
  return std::string_view(text_).substr(kOpening.size() + 32 + kTail.size(), content_);
}

Fenced fence(std::string_view payload, SourceKind kind, const Nonce& nonce, std::size_t most) {
  const std::size_t cap = std::min(cap_of(kind), std::max(most, kLeastContent));
  canary::Scan scan = canary::scan(payload, kind);
  std::optional<canary::Hit> whole = breaks_fence(payload, scan, nonce);
  // A list of hits that is full tells nothing of the rest.
  if (!whole && scan.more) whole = scan.hits.front();
  Content content;
  if (!whole) {
    content = redacted(payload, scan, cap);
    whole = joined(content.text, nonce);
  }
  if (whole) content = {marker(whole->pattern), payload.size(), false, {}};

  record::Events events;
  if (whole || scan.collided()) {
    if (!scan.collided()) scan.hits.push_back(*whole);
    auto event = collision(kind, whole ? *whole : scan.hits.front(), scan.hits.size());
    event.bytes = content.removed;
    event.whole = whole ? "yes" : "no";
    events.emplace_back(std::move(event));
  }
  if (content.taken.found > 0) events.emplace_back(redaction(kind, content.taken));
  if (content.truncated) {
    events.emplace_back(
        record::PayloadTruncated{content.text.size(), payload.size(), std::string(name(kind))});
  }
  events.emplace_back(record::FenceCreated{content.text.size(),
                                           hash::blake3(as_bytes(content.text)), payload.size(),
                                           std::string(name(kind))});
  std::string text =
      opening(nonce) + content.text + "\n" + std::string(kClosing) + nonce.hex() + ">";
  return {FencedSegment(std::move(text), content.text.size(), kind), std::move(scan),
          content.truncated, content.taken.found, std::move(events)};
}

}  // namespace cg::prompt
