#include "learn/pinned/cache.h"

#include <algorithm>
#include <cmath>

#include "base/base/bytes.h"
#include "base/wire/floats.h"
#include "trust/hash/blake3.h"
#include "trust/hash/sha256.h"

namespace cg::pinned {

namespace {

using embedding::Vector;

constexpr std::string_view kMagic = "codegenie embedding 1\n";
constexpr std::size_t kMaxEntry = 64U << 10U;
constexpr std::size_t kDigits = 4;

hash::Digest key_of(std::string_view id, std::string_view text) {
  hash::Blake3 all("codegenie 2026 embedding of a text v1");
  return all.update(to_le64(id.size())).update(as_bytes(id)).update(as_bytes(text)).finish();
}

std::string place_of(const hash::Digest& key) {
  return std::string(kCache) + "/" + to_hex(key).substr(0, kDigits);
}

hash::Digest seal_of(std::string_view entry) {
  hash::Blake3 all("codegenie 2026 entry of the embedding cache v1");
  return all.update(as_bytes(entry)).finish();
}

/// What every entry of a text begins with.
std::string head_of(const hash::Digest& key, std::string_view text) {
  std::string out(kMagic);
  out += as_text(key);
  out += as_text(hash::sha256(as_bytes(text)));
  return out;
}

std::string write_entry(const std::string& head, const Vector& vector) {
  std::string out = head + wire::bytes_of_floats(vector);
  out += as_text(seal_of(out));
  return out;
}

bool is_sound(std::string_view entry) {
  constexpr std::size_t kLeast = kMagic.size() + 3 * sizeof(hash::Digest);
  if (entry.size() < kLeast || !entry.starts_with(kMagic)) return false;
  const std::string_view body = entry.substr(0, entry.size() - sizeof(hash::Digest));
  return entry.substr(body.size()) == as_text(seal_of(body));
}

/// Of a sound entry of this text.
std::optional<Vector> read_vector(std::string_view entry, std::size_t head, std::size_t dims) {
  if (entry.size() != head + 4 * dims + sizeof(hash::Digest)) return std::nullopt;
  Vector out = wire::floats_of_bytes(entry.substr(head, 4 * dims));
  if (!std::all_of(out.begin(), out.end(), [](float x) { return std::isfinite(x); })) {
    return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<Vector> Cache::find(std::string_view text) {
  const hash::Digest key = key_of(id(), text);
  const auto entry = home_.read(place_of(key), kMaxEntry);
  if (!entry) {
    if (entry.error().kind != os::Error::Kind::not_found) ++counts_.rejected;
    return std::nullopt;
  }
  if (!is_sound(*entry)) {
    ++counts_.rejected;
    return std::nullopt;
  }
  const std::string head = head_of(key, text);
  if (!entry->starts_with(head)) {
    // Another text's or embedder's, which may well have this place; but not under this key, and
    // not where it does not belong.
    const std::string_view theirs = std::string_view(*entry).substr(kMagic.size(), key.size());
    const bool belongs = theirs != as_text(key) && to_hex(as_bytes(theirs)).substr(0, kDigits) ==
                                                       to_hex(key).substr(0, kDigits);
    if (!belongs) ++counts_.rejected;
    return std::nullopt;
  }
  auto vector = read_vector(*entry, head.size(), dims());
  if (!vector) ++counts_.rejected;
  return vector;
}

Result<std::vector<Vector>, Problem> Cache::embed(std::span<const std::string_view> texts) {
  std::vector<Vector> out(texts.size());
  std::vector<std::string_view> unknown;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (auto known = find(texts[i])) {
      out[i] = *std::move(known);
      ++counts_.found;
    } else {
      unknown.push_back(texts[i]);
      places.push_back(i);
    }
  }
  if (unknown.empty()) return out;
  CG_TRY_ASSIGN(std::vector<Vector> made, inner_.embed(unknown));
  counts_.made += made.size();
  const bool kept = home_.make_dir(kCache).has_value();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const hash::Digest key = key_of(id(), unknown[i]);
    if (kept) {
      static_cast<void>(
          home_.write_atomic(place_of(key), write_entry(head_of(key, unknown[i]), made[i])));
    }
    out[places[i]] = std::move(made[i]);
  }
  return out;
}

}  // namespace cg::pinned
