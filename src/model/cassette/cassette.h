// Cassette: recorded exchanges with a model, to be played back without a network.
//
// One file of JSON Lines, each canonical: a head with the schema, the model and the seed that
// the nonces of its prompts were drawn from, then a line per exchange. Of a request only its
// body is kept, never a header. Nothing is written and nothing is read that clean() would
// change.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/bytes.h"
#include "base/base/result.h"
#include "model/cassette/exchange.h"
#include "trust/hash/digest.h"

namespace cg::cassette {

struct Cassette {
  std::array<Byte, 32> seed{};
  std::string model;
  std::vector<Exchange> exchanges;
  friend bool operator==(const Cassette&, const Cassette&) = default;
};

inline constexpr std::size_t kMaxFile = 16U << 20U;
inline constexpr std::size_t kMaxExchanges = 1000;

struct Error {
  enum class Kind {
    unreadable,  // the file system says no
    malformed,   // not the bytes that write() makes
    unclean,     // something in it looks like a credential
    too_large,
    unpinned,  // no line in the lock
    changed,   // not the digest in the lock
    not_text,  // a body that is not UTF-8, or a request that is not JSON
  };
  Kind kind;
  std::string what;  // which rule and where; never the value
};
[[nodiscard]] std::string_view name(Error::Kind kind);

/// `cassette` as text. Its exchanges must be clean().
[[nodiscard]] std::string write(const Cassette& cassette);
/// Takes exactly what write() makes, and that only if it is clean.
[[nodiscard]] Result<Cassette, Error> parse(std::string_view text);

/// What an exchange is found by: BLAKE3 of the request's body as it is kept, cleaned. So the
/// key tells nothing of what was taken out.
[[nodiscard]] hash::Digest key_of(std::string_view request_body);

/// Plays a cassette once. Requests may come in any order; equal ones get their answers in
/// the order in which they were recorded.
class Tape {
 public:
  explicit Tape(Cassette cassette);
  /// The answer to a request that is about to be sent; nullptr if none is left for it.
  [[nodiscard]] const Response* next(std::string_view request_body);
  [[nodiscard]] const Response* next(const hash::Digest& key);
  [[nodiscard]] const Cassette& cassette() const { return cassette_; }
  /// How many exchanges were not asked for.
  [[nodiscard]] std::size_t left() const { return keys_.size() - used_count_; }

 private:
  Cassette cassette_;
  std::vector<hash::Digest> keys_;
  std::vector<bool> used_;
  std::size_t used_count_ = 0;
};

}  // namespace cg::cassette
