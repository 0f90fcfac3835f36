// YamlLock: what the readers of lockfiles in YAML share.
//
// A thin layer over YamlReader. Functions answer false once something is wrong, and
// error() says what; text that had to be decoded is kept by the graph.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/yaml/reader.h"
#include "npm/lockfile/lock.h"

namespace cg::lockfile {

class YamlLock {
 public:
  using Event = yaml::YamlEvent;
  using Type = yaml::YamlEvent::Type;

  /// A key of a mapping, with the place of its text.
  struct Key {
    std::string_view text;
    std::uint32_t begin = 0;  // with quotes
    Span inside;              // the text as written, empty if it had to be decoded
  };

  explicit YamlLock(GraphBuilder& builder);

  /// Moves to the next document. False at the end and on failure.
  bool next_document();
  /// To be called behind the last document.
  [[nodiscard]] bool at_end() { return reader_.event().type == Type::stream_end; }

  /// The value that comes next must be a mapping, or nothing at all. Calls
  /// `member(key)` for each, which must read or skip the value.
  template <class Member>
  bool each(std::string_view what, const Member& member) {
    bool there = false;
    if (!enter(what, there)) return false;
    while (there) {
      const std::optional<Key> key = next_key(there);
      if (!key) return !there;
      if (!member(*key)) return false;
    }
    return true;
  }

  /// The value that comes next must be a scalar.
  bool read(std::string_view what, std::string_view& out);
  /// Where the scalar just read stands, without quotes; empty if it had to be decoded.
  [[nodiscard]] Span scalar_at() const { return scalar_at_; }
  /// Like read(), for `true` and `false`.
  bool read(std::string_view what, bool& out);
  /// Reads the value that comes next if it is a scalar, otherwise nothing is read.
  [[nodiscard]] bool peek_scalar();
  bool skip();

  [[nodiscard]] std::uint32_t end() const {
    return static_cast<std::uint32_t>(reader_.content_end());
  }

  /// Always false. The first one counts.
  bool fail(LockError::Kind kind, std::uint32_t at, std::string what);
  [[nodiscard]] LockError error() const;

 private:
  const Event& advance();
  bool enter(std::string_view what, bool& there);
  [[nodiscard]] std::optional<Key> next_key(bool& there);
  [[nodiscard]] std::string_view kept(const Event& event);
  [[nodiscard]] static Span inside(const Event& event, std::string_view source);

  GraphBuilder& builder_;
  yaml::YamlReader reader_;
  bool looked_ = false;  // the event behind the key was read by peek_scalar()
  Span scalar_at_;
  std::optional<LockError> error_;
};

}  // namespace cg::lockfile
