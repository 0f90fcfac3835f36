#include "renamed.h"

#include <array>
#include <map>
#include <vector>

namespace cg::quality {

namespace {

constexpr std::array<std::string_view, 72> kPool = {
    "ledger",  "parcel",   "tenant",  "badge",   "ticket",  "invoice", "shelf",   "basket",
    "report",  "gateway",  "camera",  "booking", "journey", "folder",  "palette", "widget",
    "planet",  "sensor",   "meter",   "voucher", "courier", "harbor",  "lesson",  "recipe",
    "garden",  "museum",   "banner",  "digest",  "ballot",  "locker",  "mailbox", "notice",
    "outline", "passage",  "quarter", "railway", "sample",  "theme",   "unit",    "visit",
    "wallet",  "yard",     "zone",    "anchor",  "bucket",  "cellar",  "draft",   "episode",
    "fabric",  "glossary", "handle",  "island",  "jacket",  "kernel",  "lantern", "margin",
    "nursery", "orchard",  "pillar",  "quota",   "ribbon",  "station", "tunnel",  "update",
    "vessel",  "window",   "branch",  "corner",  "device",  "engine",  "filter",  "grade"};
constexpr std::array<std::string_view, 12> kVerbs = {
    "", "", "", "load", "make", "send", "find", "next", "save", "old", "show", "each"};

const Words& language() {
  static const Words words = words_of(
      "break case catch class const continue debugger default delete do else export extends "
      "finally for function if import in instanceof new return super switch this throw try typeof "
      "var void while with yield let static enum await implements package protected interface "
      "private public as async from get set of type keyof readonly declare namespace abstract "
      "null true false undefined NaN Infinity string number boolean unknown never any object "
      "Array Object String Number Boolean Date RegExp Error TypeError Promise Map Set JSON Math "
      "Symbol Buffer process console require module exports global globalThis setTimeout "
      "clearTimeout setInterval clearInterval URL env argv exit length push map forEach reduce "
      "slice split join replace keys values entries then catch toString test match exec trim "
      "startsWith endsWith includes indexOf concat some every sort reverse now stringify parse "
      "log warn error message code stack isArray assign freeze readFileSync writeFileSync "
      "createReadStream pipe on once emit path fs os http https crypto util stream events use "
      "strict node Record Partial Readonly constructor prototype call apply bind");
  return words;
}

bool opens(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool goes_on(char c) { return opens(c) || (c >= '0' && c <= '9'); }

std::string name_for(std::string_view old, std::uint64_t seed) {
  std::uint64_t hash = 0xCBF29CE484222325U ^ (seed * 0x9E3779B97F4A7C15U);
  for (const char c : old) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  hash ^= hash >> 29U;
  std::string noun(kPool[hash % kPool.size()]);
  const std::string verb(kVerbs[(hash >> 20U) % kVerbs.size()]);
  const bool is_type = old.front() >= 'A' && old.front() <= 'Z';
  if ((is_type || !verb.empty()) && !noun.empty()) noun[0] = static_cast<char>(noun[0] - 32);
  return is_type ? noun : verb + noun;
}

enum class What : std::uint8_t { name, text, space, comment, other };
struct Token {
  What what = What::other;
  std::string text;
};

/// Good enough for the sources here: no slash of a pattern holds a quote that is not paired.
std::vector<Token> tokens_of(std::string_view in) {
  std::vector<Token> out;
  for (std::size_t i = 0; i < in.size();) {
    std::size_t end = i + 1;
    What what = What::other;
    if (opens(in[i])) {
      while (end < in.size() && goes_on(in[end])) ++end;
      what = What::name;
    } else if (in.substr(i, 2) == "//" && (i == 0 || in[i - 1] != ':')) {
      end = std::min(in.find('\n', i), in.size());
      what = What::comment;
    } else if (in.substr(i, 2) == "/*") {
      const std::size_t close = in.find("*/", i + 2);
      end = close == in.npos ? in.size() : close + 2;
      what = What::comment;
    } else if (in[i] == '\'' || in[i] == '"') {
      while (end < in.size() && in[end] != in[i] && in[end] != '\n')
        end += in[end] == '\\' ? 2U : 1U;
      end = std::min(end + 1, in.size());
      what = What::text;
    } else if (in[i] == ' ' || in[i] == '\n' || in[i] == '\t') {
      while (end < in.size() && (in[end] == ' ' || in[end] == '\n' || in[end] == '\t')) ++end;
      what = What::space;
    }
    out.push_back({what, std::string(in.substr(i, end - i))});
    i = end;
  }
  return out;
}

bool declares(std::string_view word) {
  return word == "const" || word == "let" || word == "var" || word == "function" || word == "class";
}

/// Names that follow const, let, var, function and class, and those of parameters `(a, b) =>`;
/// not those of a statement that imports.
Words declared_in(const std::vector<Token>& tokens) {
  Words out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!declares(tokens[i].text)) continue;
    Words here;
    bool imports = false;
    bool value = false;
    for (std::size_t k = i + 1; k < tokens.size() && k < i + 60; ++k) {
      if (tokens[k].text == "require") imports = true;
      if (tokens[k].text == "=") value = true;
      if (tokens[k].text == ";" || tokens[k].text == "{") {
        if (value || tokens[i].text == "function" || tokens[i].text == "class") break;
      }
      if (tokens[k].what == What::name && !value) here.insert(tokens[k].text);
    }
    if (!imports) out.insert(here.begin(), here.end());
  }
  return out;
}

}  // namespace

Words words_of(std::string_view text) {
  Words out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (opens(text[i])) {
      while (end < text.size() && goes_on(text[end])) ++end;
      if (end - i > 1) out.emplace(text.substr(i, end - i));
    }
    i = end;
  }
  return out;
}

std::string renamed(std::string_view source, const Words& kept, std::uint64_t seed) {
  const std::vector<Token> tokens = tokens_of(source);
  const Words declared = declared_in(tokens);
  std::string out;
  std::string before;  // the last token that is no space
  for (const Token& token : tokens) {
    std::string text = token.text;
    const bool is_own = declared.contains(text) && before != ".";
    if (token.what == What::comment) continue;
    if (token.what == What::name && text.size() > 1 && !language().contains(text) &&
        (is_own || !kept.contains(text))) {
      text = name_for(text, seed);
    } else if (token.what == What::text) {
      if (text.find(' ') != text.npos) {
        text = "'" + name_for(text, seed) + " " + name_for(text, seed + 1) + "'";
      } else if (text.size() > 2 && text.find('"', 1) == text.size() - 1) {
        text = "'" + text.substr(1, text.size() - 2) + "'";
      } else if (text.find('"') == text.npos && text.find('\\') == text.npos) {
        text = "\"" + text.substr(1, text.size() - 2) + "\"";
      }
    } else if (token.what == What::space) {
      std::string wider;
      for (const char c : text)
        wider += c == ' ' && text.find('\n') != text.npos ? "  " : std::string(1, c);
      text = wider;
    } else if (text == ";") {
      text.clear();
    }
    if (token.what != What::space) before = token.text;
    out += text;
  }
  return out;
}

}  // namespace cg::quality
