#include "trust/hash/integrity.h"

#include <algorithm>

namespace cg::hash {

namespace {

constexpr Algorithm kAlgorithms[] = {Algorithm::sha1, Algorithm::sha256, Algorithm::sha384,
                                     Algorithm::sha512};
constexpr std::string_view kBlank = " \t\n\r\f\v";

std::optional<Algorithm> parse_algorithm(std::string_view text) {
  for (const Algorithm algorithm : kAlgorithms) {
    if (name(algorithm) == text) return algorithm;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Integrity> Integrity::parse(std::string_view text) {
  if (text.size() > kMaxIntegrityBytes) return std::nullopt;
  std::optional<Algorithm> strongest;
  std::vector<std::string> digests;
  while (true) {
    const std::size_t start = text.find_first_not_of(kBlank);
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    std::string_view one = text.substr(0, text.find_first_of(kBlank));
    text.remove_prefix(one.size());
    one = one.substr(0, one.find('?'));  // options mean nothing
    const std::size_t dash = one.find('-');
    if (dash == std::string_view::npos) continue;
    const auto algorithm = parse_algorithm(one.substr(0, dash));
    if (!algorithm || (strongest && *algorithm < *strongest)) continue;
    if (algorithm != strongest) digests.clear();
    strongest = algorithm;
    auto digest = from_base64(one.substr(dash + 1));
    if (digest && digest->size() == size_of(*algorithm)) digests.push_back(*std::move(digest));
  }
  if (!strongest) return std::nullopt;
  return Integrity(*strongest, std::move(digests));
}

std::optional<Integrity> Integrity::of_sha1_hex(std::string_view hex) {
  const auto digest = from_hex<sizeof(Digest1)>(hex);
  if (!digest) return std::nullopt;
  return Integrity(Algorithm::sha1, {std::string(as_text(*digest))});
}

bool Integrity::accepts(std::string_view digest) const {
  return std::find(digests_.begin(), digests_.end(), digest) != digests_.end();
}

bool Integrity::matches(ByteView bytes) const {
  return accepts(Sha(algorithm_).update(bytes).finish());
}

std::string Integrity::str() const {
  std::string out;
  for (const std::string& digest : digests_) {
    if (!out.empty()) out += ' ';
    out += name(algorithm_);
    out += '-';
    out += to_base64(as_bytes(digest));
  }
  return out;
}

}  // namespace cg::hash
