#include "fetch/gitrepo/config.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/base/text.h"
#include "fetch/gitrepo/names.h"

namespace cg::gitrepo {

namespace {

bool is_key_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

/// "true", "yes", "on", a number other than 0; a key without a value is true too.
bool truth(const std::optional<std::string>& value) {
  if (!value) return true;
  const std::string small = lower_ascii(*value);
  if (small == "true" || small == "yes" || small == "on") return true;
  const auto number = parse_u64(small);
  return number && *number != 0;
}

void take(FormatConfig& config, const std::string& section, const std::string& key,
          const std::optional<std::string>& value) {
  const std::string text = value.value_or("");
  if (section == "core") {
    if (key == "repositoryformatversion") {
      config.version = static_cast<int>(std::min<std::uint64_t>(parse_u64(text).value_or(99), 99));
    }
    if (key == "bare") config.bare = truth(value);
    if (key == "worktree") config.work_tree = text;
  }
  if (section != "extensions") return;
  if (key == "objectformat") {
    config.object_format = lower_ascii(text);
  } else if (key == "refstorage") {
    config.ref_storage = lower_ascii(text);
  } else if (key != "noop" && key != "noop-v1" && key != "partialclone" &&
             key != "preciousobjects" && key != "worktreeconfig") {
    config.unknown = printable(cut_utf8(key, 40));
  }
}

struct Section {
  std::string name;  // in small letters; followed by ` "` if it has a subsection
  std::string sub;
};
using Take = std::function<void(const Section&, const std::string& key,
                                const std::optional<std::string>& value)>;

class Scanner {
 public:
  Scanner(std::string_view text, Take take) : text_(text), take_(std::move(take)) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  Result<Done, ConfigError> run() {
    while (at_ < text_.size()) {
      if (!step()) return fail(ConfigError{line_});
    }
    return Done{};
  }

 private:
  /// One blank, comment, section header or setting.
  bool step() {
    const char c = text_[at_];
    if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
      advance();
      return true;
    }
    if (c == '#' || c == ';') {
      skip_line();
      return true;
    }
    return c == '[' ? header() : setting();
  }

  bool header() {
    const std::size_t end = text_.find_first_of("]\"\n", at_);
    if (end == text_.npos || text_[end] == '\n') return false;
    section_ = {lower_ascii(trim(text_.substr(at_ + 1, end - at_ - 1))), ""};
    at_ = end;
    if (text_[at_] == ']') {
      ++at_;
      return true;
    }
    section_.name += " \"";
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') return false;
      if (text_[at_] == '\\' && ++at_ == text_.size()) return false;
      section_.sub += text_[at_];
    }
    if (at_ + 1 >= text_.size() || text_[at_ + 1] != ']') return false;
    at_ += 2;
    return true;
  }

  bool setting() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_key_char(text_[at_])) ++at_;
    if (at_ == start) return false;
    const std::string key = lower_ascii(text_.substr(start, at_ - start));
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (at_ == text_.size() || text_[at_] == '\n' || text_.substr(at_).starts_with("\r\n")) {
      take_(section_, key, std::nullopt);
      return true;
    }
    if (text_[at_] != '=') return false;
    ++at_;
    const auto read = value();
    if (!read) return false;
    take_(section_, key, *read);
    return true;
  }

  std::optional<std::string> value() {
    std::string out;
    bool quoted = false;
    std::size_t kept = 0;  // bytes that trailing blanks do not reach
    while (at_ < text_.size() && text_[at_] != '\n') {
      const char c = text_[at_];
      if (!quoted && (c == '#' || c == ';')) {
        skip_line();
        break;
      }
      if (c == '"') {
        quoted = !quoted;
        ++at_;
        kept = out.size();
        continue;
      }
      if (c == '\\') {
        if (!escape(out)) return std::nullopt;
        kept = out.size();
        continue;
      }
      out += c;
      ++at_;
      if (quoted || (c != ' ' && c != '\t' && c != '\r')) kept = out.size();
    }
    if (quoted) return std::nullopt;
    out.resize(kept);
    return std::string(out.substr(std::min(out.find_first_not_of(" \t"), out.size())));
  }

  bool escape(std::string& out) {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const std::size_t which = std::string_view("\nntb\\\"").find(next);
    if (next == '\r' && text_.substr(at_ + 2, 1) == "\n") {
      at_ += 3;
      ++line_;
      return true;
    }
    if (next == '\0' || which == std::string_view::npos) return false;
    at_ += 2;
    if (which == 0) {
      ++line_;
    } else {
      out += std::string_view("\n\t\b\\\"")[which - 1];
    }
    return true;
  }

  void advance() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  Section section_;
  Take take_;
};

}  // namespace

Result<FormatConfig, ConfigError> parse_config(std::string_view text) {
  FormatConfig config;
  CG_TRY(Scanner(text, [&](const Section& section, const std::string& key, const auto& value) {
           take(config, section.name, key, value);
         }).run());
  return config;
}

Result<std::map<std::string, std::string>, ConfigError> parse_modules(std::string_view text) {
  std::map<std::string, std::string> out;
  CG_TRY(Scanner(text, [&](const Section& section, const std::string& key, const auto& value) {
           if (section.name != "submodule \"" || key != "path" || !value) return;
           if (is_safe_path(*value) && is_safe_path(section.sub)) out[*value] = section.sub;
         }).run());
  return out;
}

}  // namespace cg::gitrepo
