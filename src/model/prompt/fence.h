// Fencing: the one door through which untrusted bytes enter a prompt.
//
// Scan all of the payload, redact what collides, cut, wrap; in this order, so that nothing
// hides behind the cut. Pure: what happened comes back as events.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/base/bytes.h"
#include "base/domain/source_kind.h"
#include "model/canary/scan.h"
#include "trust/record/event.h"

namespace cg::prompt {

/// The delimiters as they are written; the nonce and `>` follow.
inline constexpr std::string_view kOpening = "<UNTRUSTED_INPUT id=";
inline constexpr std::string_view kClosing = "</UNTRUSTED_INPUT id=";

/// 16 random bytes, written as 32 hexadecimal digits; one for each segment.
class Nonce {
 public:
  [[nodiscard]] static Nonce from(const std::array<Byte, 16>& random);
  [[nodiscard]] const std::string& hex() const { return hex_; }

 private:
  explicit Nonce(std::string hex) : hex_(std::move(hex)) {}
  std::string hex_;
};

/// Where nonces come from: the operating system, or a recorded seed when an exchange is
/// recorded or played back.
class NonceSource {
 public:
  virtual ~NonceSource() = default;
  [[nodiscard]] virtual Nonce next() = 0;
};

/// Untrusted bytes that may stand in a prompt. Only fence() makes one.
class FencedSegment {
 public:
  /// `<UNTRUSTED_INPUT id=NONCE>` newline, content, newline `</UNTRUSTED_INPUT id=NONCE>`.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string_view content() const;
  [[nodiscard]] SourceKind kind() const { return kind_; }

 private:
  friend struct Fenced fence(std::string_view payload, SourceKind kind, const Nonce& nonce,
                             std::size_t most);
  FencedSegment(std::string text, std::size_t content, SourceKind kind)
      : text_(std::move(text)), content_(content), kind_(kind) {}
  std::string text_;
  std::size_t content_;  // bytes of it
  SourceKind kind_;
};

/// A text is not cut to less than this: it would say nothing.
inline constexpr std::size_t kLeastContent = 256;

struct Fenced {
  FencedSegment segment;
  canary::Scan scan;
  bool truncated = false;
  std::size_t secrets = 0;  // taken out
  /// FenceCreated; before it CanaryCollision, SecretsRedacted and PayloadTruncated, if so.
  record::Events events;
};

/// The content is UTF-8 without control characters but newline and tab, at most
/// cap_of(kind) bytes, or `most` if that is less and no less than kLeastContent, and holds neither
/// a delimiter nor the nonce, in any case. Where something was taken out, an order or a secret
/// (model/secrets), it says `[removed: PATTERN]`, and `[cut]` where it was cut. A delimiter or the
/// nonce in any form, or more hits than a scan lists, take out the whole.
[[nodiscard]] Fenced fence(std::string_view payload, SourceKind kind, const Nonce& nonce,
                           std::size_t most = SIZE_MAX);

}  // namespace cg::prompt
