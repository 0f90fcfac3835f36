#include "model/prompt/kept.h"

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "trust/hash/blake3.h"

namespace cg::prompt {

namespace {

constexpr std::string_view kContext = "codegenie 2026 prompt v1";
constexpr char kBetween = '\0';  // in neither of the two: prompts have no control characters

}  // namespace

hash::Digest digest_of(std::string_view system, std::string_view user) {
  hash::Blake3 digest(kContext);
  digest.update(as_bytes(system));
  digest.update(as_bytes(std::string_view(&kBetween, 1)));
  digest.update(as_bytes(user));
  return digest.finish();
}

std::string write_kept(const Kept& kept) { return kept.system + kBetween + kept.user; }

std::optional<Kept> read_kept(std::string_view bytes, const hash::Digest& digest) {
  const std::size_t end = bytes.find(kBetween);
  if (bytes.size() > kMaxKeptPrompt || end == std::string_view::npos) return std::nullopt;
  Kept out{std::string(bytes.substr(0, end)), std::string(bytes.substr(end + 1))};
  if (digest_of(out.system, out.user) != digest) return std::nullopt;
  return out;
}

About about_of(std::string_view user) {
  About out;
  const std::pair<std::string_view, std::string*> lines[] = {
      {"advisory: ", &out.advisory}, {"package: ", &out.package}, {"manifest: ", &out.manifest}};
  for (const std::string_view line : split(user.substr(0, user.find("\n\n", 8)), '\n')) {
    for (const auto& [name, value] : lines) {
      if (line.starts_with(name)) *value = line.substr(name.size());
    }
  }
  return out;
}

}  // namespace cg::prompt
