#include "npm/registry/stored.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/base/time.h"
#include "base/json/json_reader.h"
#include "npm/registry/release.h"
#include "npm/registry/release_json.h"
#include "npm/semver/version.h"

namespace cg::registry {

namespace {

using json::JsonReader;
using Kind = JsonReader::Kind;

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kSecondsLength = 19;  // 2026-11-15T02:40:11
constexpr std::size_t kFractionDigits = 3;

using Texts = std::map<std::string_view, std::string_view>;

struct Line {
  semver::Version version;
  Release release;
};

/// As registries write times: RFC 3339 in UTC, with or without a fraction.
std::optional<Time> parse_published(std::string_view text) {
  if (text.size() < kSecondsLength) return std::nullopt;
  std::string normal(text.substr(0, kSecondsLength));
  std::string_view rest = text.substr(kSecondsLength);
  std::string fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    fraction = rest.substr(0, std::min(digits, kFractionDigits));
    rest.remove_prefix(digits);
  }
  fraction.resize(kFractionDigits, '0');
  if (rest != "Z" && rest != "+00:00" && rest != "+0000") return std::nullopt;
  return parse_iso(normal + "." + fraction + "Z");
}

/// The object's members that are texts. Views live as long as the reader.
Texts read_texts(JsonReader& reader) {
  Texts texts;
  JsonReader::Key key;
  if (reader.peek() != Kind::object) {
    static_cast<void>(reader.skip());
    return texts;
  }
  if (!reader.begin_object()) return texts;
  while (reader.next_key(key)) {
    std::string_view value;
    if (reader.peek() != Kind::string) {
      // time.unpublished is an object; that it is there is what counts.
      static_cast<void>(reader.skip());
      texts.emplace(key.text, std::string_view());
    } else if (reader.read_string(value)) {
      texts.emplace(key.text, value);
    }
  }
  return texts;
}

/// A version in its canonical spelling; a build may follow.
std::optional<semver::Version> canonical(std::string_view text) {
  auto version = semver::Version::parse(text);
  if (!version || version->str() != text.substr(0, text.find('+'))) return std::nullopt;
  return *std::move(version);
}

class AnswerReader {
 public:
  AnswerReader(std::string_view name, std::string_view json)
      : name_(name),
        json_(json),
        reader_(json, {.max_bytes = kMaxPackumentBytes, .max_depth = kMaxDepth}) {}

  Result<std::string, PackumentError> run() {
    if (reader_.peek() != Kind::object) {
      if (reader_.skip() && reader_.finish()) return fail(shape("not an object"));
      return fail(syntax());
    }
    read_members();
    if (!reader_.ok() || !reader_.finish()) return fail(syntax());
    if (too_many_)
      return fail(PackumentError{PackumentError::Kind::too_large, "too many versions"});
    CG_TRY(judge());
    return lines();
  }

  [[nodiscard]] bool has_lone_surrogate() const {
    return !reader_.ok() && reader_.error().kind == json::ParseError::Kind::lone_surrogate;
  }

 private:
  static PackumentError shape(std::string what) {
    return {PackumentError::Kind::shape, std::move(what)};
  }
  PackumentError syntax() {
    return {PackumentError::Kind::syntax, json::describe(reader_.error())};
  }

  void read_members() {
    JsonReader::Key key;
    if (!reader_.begin_object()) return;
    while (reader_.next_key(key)) {
      if (key.text == "name" && reader_.peek() == Kind::string) {
        std::string_view name;
        if (reader_.read_string(name)) found_name_ = name;
      } else if (key.text == "dist-tags") {
        tags_ = read_texts(reader_);
      } else if (key.text == "time") {
        times_ = read_texts(reader_);
      } else if (key.text == "versions" && reader_.peek() == Kind::object) {
        read_versions();
      } else {
        static_cast<void>(reader_.skip());
      }
    }
  }

  void read_versions() {
    JsonReader::Key key;
    has_versions_ = true;
    if (!reader_.begin_object()) return;
    while (reader_.next_key(key)) {
      auto version = canonical(key.text);
      if (lines_.size() >= kMaxReleases) too_many_ = true;
      if (!version || too_many_) {
        ++left_out_;
        static_cast<void>(reader_.skip());
        continue;
      }
      auto release = read_release(reader_, json_, name_, key.text);
      if (release) {
        lines_.push_back({*std::move(version), *std::move(release)});
      } else {
        ++left_out_;
      }
    }
  }

  Result<Done, PackumentError> judge() const {
    if (!found_name_.empty() && found_name_ != name_) {
      return fail(PackumentError{PackumentError::Kind::name,
                                 "it is of `" + printable(cut_utf8(found_name_, 100)) + "`"});
    }
    if (lines_.empty() && times_.contains("unpublished")) {
      return fail(PackumentError{PackumentError::Kind::unpublished, "it was unpublished"});
    }
    if (found_name_.empty()) return fail(shape("it has no name"));
    if (!has_versions_) return fail(shape("it has no versions"));
    return Done{};
  }

  /// Versions that differ for nobody (1.0.0+1 and 1.0.0+01), and those that go round in a
  /// circle because their numbers are beyond 2^53, are left out but for the first.
  void sort_lines() {
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
      return a.version.compare_build(b.version) < 0;
    });
    std::vector<Line> kept;
    kept.reserve(lines_.size());
    for (Line& line : lines_) {
      if (kept.empty() || kept.back().version.compare_build(line.version) < 0) {
        kept.push_back(std::move(line));
      } else {
        ++left_out_;
      }
    }
    lines_ = std::move(kept);
  }

  [[nodiscard]] std::string tags() const {
    std::set<std::string_view> versions;
    for (const Line& line : lines_) versions.insert(line.release.version);
    std::string out = "{";
    for (const auto& [tag, version] : tags_) {
      if (!versions.contains(version)) continue;
      if (out.size() > 1) out += ',';
      add_json(out, tag);
      out += ':';
      add_json(out, version);
    }
    return out + "}";
  }

  [[nodiscard]] std::string published(std::string_view version) const {
    const auto found = times_.find(version);
    if (found == times_.end()) return {};
    const auto time = parse_published(found->second);
    return time && time->ms > 0 ? std::to_string(time->ms) : std::string();
  }

  std::string lines() {
    sort_lines();
    std::string out(kStoredMagic);
    out += '\t';
    out += name_;
    out += '\t' + std::to_string(left_out_) + '\t' + tags() + '\n';
    for (const Line& line : lines_) {
      out += line.release.version;
      out += '\t';
      if (!line.release.deprecated.empty()) out += 'd';
      if (line.release.install_script) out += 's';
      out += '\t' + published(line.release.version) + '\t' + write_release(line.release) + '\n';
    }
    return out;
  }

  std::string_view name_;
  std::string_view json_;
  JsonReader reader_;
  std::string_view found_name_;
  Texts tags_;
  Texts times_;
  std::vector<Line> lines_;
  std::size_t left_out_ = 0;
  bool has_versions_ = false;
  bool too_many_ = false;
};

/// The value of four hexadecimal digits behind `\u`; nothing if that is not there.
std::optional<unsigned> escaped_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  unsigned value = 0;
  for (const char c : lower_ascii(text.substr(2, 4))) {
    const int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit);
  }
  return value;
}

bool is_high(unsigned unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low(unsigned unit) { return unit >= 0xdc00 && unit < 0xe000; }

/// Halves of surrogate pairs, which JavaScript allows in a text and so in a description,
/// become U+FFFD.
std::string without_lone_surrogates(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    std::size_t take = json[at] == '\\' ? 2 : 1;
    if (const auto unit = escaped_unit(json.substr(at))) {
      const auto next = escaped_unit(json.substr(at + 6));
      const bool paired = is_high(*unit) && next && is_low(*next);
      take = paired ? 12 : 6;
      if (!paired && (is_high(*unit) || is_low(*unit))) {
        out += "\\ufffd";
        at += take;
        continue;
      }
    }
    out += json.substr(at, take);
    at += take;
  }
  return out;
}

}  // namespace

Result<std::string, PackumentError> stored_lines(std::string_view name, std::string_view json) {
  if (json.size() > kMaxPackumentBytes) {
    return fail(PackumentError{PackumentError::Kind::too_large, "more than 96 MiB"});
  }
  AnswerReader reader(name, json);
  auto lines = reader.run();
  if (lines || !reader.has_lone_surrogate()) return lines;
  return AnswerReader(name, without_lone_surrogates(json)).run();
}

}  // namespace cg::registry
