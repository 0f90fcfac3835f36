#include "npm/semver/range_text.h"

#include <algorithm>

#include "npm/semver/scan.h"

namespace cg::semver {
namespace {

constexpr bool is_build_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

/// The end of ".identifier.identifier…" without its first dot, `at` if there is none.
std::size_t build_end(std::string_view text, std::size_t at) {
  const auto identifier_end = [&](std::size_t from) {
    while (from < text.size() && is_build_char(text[from])) ++from;
    return from;
  };
  std::size_t end = identifier_end(at);
  while (end > at && end < text.size() && text[end] == '.') {
    const std::size_t next = identifier_end(end + 1);
    if (next == end + 1) break;
    end = next;
  }
  return end;
}

/// An operator at some place, then perhaps a space to drop, then "v", "=" and spaces.
struct Lead {
  std::size_t op_end;
  std::size_t body;
  std::size_t start;  // where the version itself would be
};
Lead read_lead(std::string_view text, std::size_t at) {
  const auto is = [&](std::string_view any) {
    return at < text.size() && any.find(text[at]) != std::string_view::npos;
  };
  Lead lead{};
  if (is(" ")) ++at;
  if (is("<>")) ++at;
  if (is("=")) ++at;
  lead.op_end = at;
  if (is(" ")) ++at;
  lead.body = at;
  while (is("v= ")) ++at;
  lead.start = at;
  return lead;
}

std::string attach_comparisons(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Lead lead = read_lead(text, at);
    const bool version =
        lead.start < text.size() && (is_digit(text[lead.start]) || is_wildcard(text[lead.start]));
    if (!version) {
      // Nothing that starts within the lead can do better, so each byte is read once.
      const std::size_t next = std::max(lead.start, at + 1);
      out += text.substr(at, next - at);
      at = next;
      continue;
    }
    const std::size_t end = version_like_end(text, lead.start);
    out += text.substr(at, lead.op_end - at);
    out += text.substr(lead.body, end - lead.body);
    at = end;
  }
  return out;
}

std::string attach_tildes_and_carets(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at, 3);
    out += rest.front();
    if (rest == "~> ") at += 2;
    if (rest.starts_with("~ ") || rest.starts_with("^ ")) at += 1;
  }
  return out;
}

}  // namespace

bool is_collapsed(std::string_view text) {
  char before = ' ';
  for (const char c : text) {
    const bool plain = c > ' ' && c <= '~';
    if (!plain && (c != ' ' || before == ' ')) return false;
    before = c;
  }
  return text.empty() || before != ' ';
}

std::string collapse_spaces(std::string_view text) {
  text = trim_spaces(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = space_at(text, at);
    if (length == 0) {
      out += text[at++];
      continue;
    }
    if (out.back() != ' ') out += ' ';
    at += length;
  }
  return out;
}

std::string strip_builds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '+' ? build_end(text, at + 1) : at + 1;
    if (text[at] != '+' || end == at + 1) {
      out += text[at++];
    } else {
      at = end;
    }
  }
  return out;
}

bool is_attached(std::string_view text) {
  constexpr std::string_view kWaiting = "<>=~^ ";
  char before = 'a';
  for (const char c : text) {
    if (c == ' ' && kWaiting.find(before) != std::string_view::npos) return false;
    before = c;
  }
  return true;
}

std::string attach_operators(std::string_view text) {
  return attach_tildes_and_carets(attach_comparisons(text));
}

}  // namespace cg::semver
