#include "commands/fence/payloads.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

#include "access.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "text/audit_text.h"

namespace cg::program {

namespace {

constexpr json::Limits kLineLimits = {kMaxPayloadBytes, 32, 100'000};

std::optional<unsigned> hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  unsigned value = 0;
  for (const char c : text.substr(0, 4)) {
    const bool digit = c >= '0' && c <= '9';
    const bool lower = c >= 'a' && c <= 'f';
    const bool upper = c >= 'A' && c <= 'F';
    if (!digit && !lower && !upper) return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit   ? c - '0'
                                               : lower ? c - 'a' + 10
                                                       : c - 'A' + 10);
  }
  return value;
}

bool is_high(unsigned unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low(unsigned unit) { return unit >= 0xdc00 && unit < 0xe000; }

/// The line with every escaped half of a surrogate pair as \ufffd.
std::string mended(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    out += line[i];
    if (line[i] != '\\' || i + 1 >= line.size()) continue;
    out += line[++i];
    if (line[i] != 'u') continue;
    const auto unit = hex4(line.substr(i + 1));
    if (!unit || (!is_high(*unit) && !is_low(*unit))) continue;
    const std::string_view after = line.substr(i + 5);
    const auto second = after.starts_with("\\u") ? hex4(after.substr(2)) : std::nullopt;
    if (is_high(*unit) && second && is_low(*second)) {
      out += line.substr(i + 1, 10);
      i += 10;
    } else {
      out += "fffd";
      i += 4;
    }
  }
  return out;
}

}  // namespace

Result<std::string, Problem> read_input(const std::string& file, const char* help) {
  if (!file.empty()) return read_user_file(file, kMaxPayloadBytes);
  std::string out;
  std::array<char, 65536> piece{};
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(bad_value("standard input cannot be read", "codegenie help"));
    if (got == 0) return out;
    out.append(piece.data(), static_cast<std::size_t>(got));
    if (out.size() > kMaxPayloadBytes) return fail(bad_value("more than 256 MiB at once", help));
  }
}

Result<std::vector<Payload>, Problem> parse_payloads(std::string_view jsonl, const char* help) {
  std::vector<Payload> out;
  std::size_t number = 0;
  for (const std::string_view line : split(jsonl, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const auto wrong = [&](const std::string& what) {
      return fail(bad_value("line " + std::to_string(number) + ": " + what, help));
    };
    const auto value = json::parse_json(mended(line), kLineLimits);
    if (!value) return wrong(json::describe(value.error()));
    const json::Value* text = value->is_object() ? value->find("text") : nullptr;
    if (text == nullptr || !text->is_string()) return wrong("an object with a `text` is needed");
    const json::Value* id = value->find("id");
    out.push_back({id != nullptr && id->is_string() ? *id->as_string() : "", *text->as_string()});
  }
  return out;
}

}  // namespace cg::program
