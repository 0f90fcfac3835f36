#include "trust/audit/key.h"

#include <algorithm>

#include "base/base/text.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/record/checkpoint.h"

namespace cg::audit {

namespace {

constexpr std::string_view kPrivate = "PRIVATE+KEY+";

std::optional<LogKey> parse(std::string_view text) {
  text = trim(text);
  if (!text.starts_with(kPrivate)) return std::nullopt;
  text.remove_prefix(kPrivate.size());
  const std::size_t name_end = text.find('+');
  const std::size_t id_end = text.find('+', name_end + 1);
  if (name_end == std::string_view::npos || id_end == std::string_view::npos) return std::nullopt;
  const auto raw = from_base64(text.substr(id_end + 1));
  if (!raw || raw->size() != 33 || (*raw)[0] != 1) return std::nullopt;
  sign::Seed seed{};
  std::copy(raw->begin() + 1, raw->end(), seed.begin());
  const auto key =
      sign::NoteKey::make(std::string(text.substr(0, name_end)), sign::public_key(seed));
  if (!key) return std::nullopt;
  return LogKey{*key, seed};
}

}  // namespace

LogKey make_log_key(const std::string& log, const sign::Seed& seed) {
  const auto key = sign::NoteKey::make(record::origin_of(log), sign::public_key(seed));
  CG_ASSERT(key);
  return {*key, seed};
}

std::string write_log_key(const LogKey& key) {
  const std::string raw = '\x01' + std::string(as_text(key.seed));
  return std::string(kPrivate) + key.verifier.name() + "+" + to_hex(as_bytes(key.verifier.id())) +
         "+" + to_base64(as_bytes(raw)) + "\n";
}

Result<LogKey, Problem> read_log_key(const os::Dir& home) {
  const auto bytes = home.read(kKeyFile, kMaxSmallFile);
  if (!bytes && bytes.error().kind == os::Error::Kind::symlink) return fail(reading(bytes.error()));
  const std::optional<LogKey> key = bytes ? parse(*bytes) : std::nullopt;
  if (!key || write_log_key(*key) != *bytes) {
    return fail(
        broken(ErrorCode::audit_key, "the key of the log cannot be used", home.path_of(kKeyFile)));
  }
  return *key;
}

}  // namespace cg::audit
