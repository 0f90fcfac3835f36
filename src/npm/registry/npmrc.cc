#include "npm/registry/npmrc.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::registry {

namespace {

constexpr std::size_t kMaxEntries = 4096;
constexpr std::size_t kMaxValue = 64U << 10U;
constexpr std::string_view kVariablePrefix = "npm_config_";

/// A value without quotes: ends at a comment, and a backslash keeps ; # and \ as they are.
std::string unescaped(std::string_view text) {
  std::string out;
  bool escaping = false;
  for (const char c : text) {
    if (escaping) {
      if (c != '\\' && c != ';' && c != '#') out += '\\';
      out += c;
      escaping = false;
    } else if (c == ';' || c == '#') {
      break;
    } else if (c == '\\') {
      escaping = true;
    } else {
      out += c;
    }
  }
  if (escaping) out += '\\';
  return std::string(trim(out));
}

std::string unquoted(std::string_view text) {
  text = trim(text);
  const auto is_within = [&](char quote) {
    return text.size() >= 2 && text.front() == quote && text.back() == quote;
  };
  if (is_within('\''))
    text = text.substr(1, text.size() - 2);
  else if (!is_within('"'))
    return unescaped(text);
  if (is_within('"')) {
    const auto value = json::parse_json(text);
    if (value && value->is_string()) return *value->as_string();
  }
  return std::string(text);
}

/// What stands at the start of `text`, which begins with "${"; nothing if no variable.
struct Variable {
  std::string_view name;
  bool may_be_missing = false;
  std::size_t size = 0;
};
std::optional<Variable> variable_at(std::string_view text) {
  const std::size_t end = text.find('}');
  if (!text.starts_with("${") || end == std::string_view::npos) return std::nullopt;
  Variable variable{text.substr(2, end - 2), false, end + 1};
  if (variable.name.ends_with('?')) {
    variable.may_be_missing = true;
    variable.name.remove_suffix(1);
  }
  if (variable.name.empty() || variable.name.find_first_of("${?") != std::string_view::npos) {
    return std::nullopt;
  }
  return variable;
}

/// Backslashes before ${: every second one is kept, and an odd one keeps the ${ as it is.
class Expander {
 public:
  Expander(std::string_view text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

  std::string run() {
    for (std::size_t at = 0; at < text_.size() && out_.size() <= kMaxValue;) {
      std::size_t slashes = 0;
      while (at + slashes < text_.size() && text_[at + slashes] == '\\') ++slashes;
      const auto variable = variable_at(text_.substr(at + slashes));
      if (!variable) {
        const std::size_t size = std::max<std::size_t>(slashes, 1);
        out_ += text_.substr(at, size);
        at += size;
        continue;
      }
      out_ += std::string(slashes / 2, '\\');
      const std::string_view written = text_.substr(at + slashes, variable->size);
      out_ += slashes % 2 == 1 ? std::string(written) : value_of(*variable, written);
      at += slashes + variable->size;
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string value_of(const Variable& variable, std::string_view written) const {
    auto value = lookup_ ? lookup_(variable.name) : std::nullopt;
    if (value) return *std::move(value);
    return variable.may_be_missing ? std::string() : std::string(written);
  }

  std::string_view text_;
  const Lookup& lookup_;
  std::string out_;
};

bool is_fit(std::string_view text) {
  return text.size() <= kMaxValue && is_utf8(text) && text.find('\0') == std::string_view::npos;
}

}  // namespace

const NpmrcEntry* Npmrc::find(std::string_view key) const {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                  [&](const NpmrcEntry& entry) { return entry.key == key; });
  return found == entries_.rend() ? nullptr : &*found;
}

std::vector<std::string> Npmrc::all(std::string_view key) const {
  std::vector<std::string> values;
  for (const NpmrcEntry& entry : entries_) {
    const bool is_list = entry.key.ends_with("[]");
    if (std::string_view(entry.key).substr(0, entry.key.size() - (is_list ? 2 : 0)) == key) {
      values.push_back(entry.value);
    }
  }
  return values;
}

Result<Npmrc, NpmrcError> parse_npmrc(std::string_view text, const Lookup& lookup) {
  if (text.size() > kMaxNpmrcBytes) return fail(NpmrcError{0, "larger than 256 KiB"});
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Npmrc npmrc;
  bool in_section = false;
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(raw);
    if (line.empty() || line.front() == ';' || line.front() == '#') continue;
    if (line.front() == '[') in_section = true;
    if (in_section) continue;
    const std::size_t equals = line.find('=');
    std::string key = Expander(unquoted(line.substr(0, equals)), lookup).run();
    std::string value = "true";
    if (equals != std::string_view::npos) {
      value = Expander(unquoted(line.substr(equals + 1)), lookup).run();
    }
    if (!is_fit(key) || !is_fit(value)) return fail(NpmrcError{number, "not a usable text"});
    if (npmrc.entries().size() >= kMaxEntries) return fail(NpmrcError{number, "too many entries"});
    npmrc.add({std::move(key), std::move(value), number});
  }
  return npmrc;
}

Npmrc npmrc_of_environment(const std::map<std::string, std::string, std::less<>>& environment) {
  Npmrc npmrc;
  for (const auto& [name, value] : environment) {
    if (value.empty() || !is_fit(value) || !is_fit(name)) continue;
    if (lower_ascii(std::string_view(name).substr(0, kVariablePrefix.size())) != kVariablePrefix) {
      continue;
    }
    std::string key = name.substr(kVariablePrefix.size());
    if (!key.starts_with("//")) {
      key = lower_ascii(key);
      // One at the front stays, as in _auth.
      if (!key.empty()) std::replace(key.begin() + 1, key.end(), '_', '-');
    }
    npmrc.add({std::move(key), value, 0});
  }
  return npmrc;
}

}  // namespace cg::registry
