#include "prove/runners/tsconfig.h"

#include <algorithm>

#include "base/json/json.h"

namespace cg::runners {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The same text as JSON: comments become spaces, commas before a closing bracket too.
std::string without_comments(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string out;
  out.reserve(text.size());
  std::size_t comma = std::string::npos;  // of `out`, with only white space behind it
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2U : 1U;
      end = std::min(end + 1, text.size());
      out += text.substr(i, end - i);
      i = end;
      comma = std::string::npos;
    } else if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i).starts_with("/*")) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
      out += ' ';
    } else {
      if ((c == ']' || c == '}') && comma != std::string::npos) out[comma] = ' ';
      if (c == ',') {
        comma = out.size();
      } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
        comma = std::string::npos;
      }
      out += c;
      ++i;
    }
  }
  return out;
}

enum class Entries { unsaid, none, some };
Entries entries_of(const json::Value& config, std::string_view key) {
  const json::Value* value = config.find(key);
  if (value == nullptr) return Entries::unsaid;
  const auto* items = value->as_array();
  return items != nullptr && items->empty() ? Entries::none : Entries::some;
}

/// The file that a reference means: it names one, or a folder that has a tsconfig.json.
std::string referred_to(std::string_view from, std::string_view reference) {
  while (reference.starts_with("./")) reference.remove_prefix(2);
  while (reference.ends_with('/')) reference.remove_suffix(1);
  std::string out(from.substr(0, from.rfind('/') + 1));
  out += reference;
  if (out.ends_with(".json")) return out;
  if (!out.empty() && !out.ends_with('/')) out += '/';
  return out + "tsconfig.json";
}

}  // namespace

Tsconfig read_tsconfig(std::string_view text) {
  Tsconfig out;
  if (text.size() > kMaxTsconfigBytes) return out;
  const auto config = json::parse_json(without_comments(text));
  if (!config || !config->is_object()) return out;
  const Entries files = entries_of(*config, "files");
  const Entries include = entries_of(*config, "include");
  const bool all = files == Entries::unsaid && include == Entries::unsaid;
  out.has_files = all || files == Entries::some || include == Entries::some;
  const json::Value* references = config->find("references");
  if (references == nullptr || references->as_array() == nullptr) return out;
  for (const json::Value& one : *references->as_array()) {
    if (std::string path = one.text("path"); !path.empty()) {
      out.references.push_back(std::move(path));
    }
  }
  return out;
}

std::optional<std::vector<std::string>> projects_of(const ReadFile& read) {
  std::vector<std::string> out;
  std::vector<std::string> seen = {"tsconfig.json"};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::string path = seen[i];
    const auto text = read(path);
    if (!text && i == 0) return std::nullopt;
    const Tsconfig config =
        text ? read_tsconfig(*text) : Tsconfig();  // the compiler says what it is
    if (config.has_files) {
      out.push_back(path);
      continue;
    }
    for (const std::string& reference : config.references) {
      const std::string next = referred_to(path, reference);
      const bool is_new = std::find(seen.begin(), seen.end(), next) == seen.end();
      if (is_new && seen.size() < kMaxProjects) seen.push_back(next);
    }
  }
  return out;
}

}  // namespace cg::runners
