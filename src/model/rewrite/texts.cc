// What a rewrite puts into a text is data to the program and more than that to who gets it: a
// browser loads what a page names, a client calls the host that an option names. A migration has no
// need of a host that the file did not speak to, so a new one is not let through; the rest of an
// address may change.
//
// Browsers and clients read addresses loosely: with \ for /, one slash or three behind a scheme,
// and line ends in the middle. So they are read loosely here. What is put together by anything but
// + and templates is not seen, nor a host without anything around it, which could as well be a
// file.
#include "model/rewrite/texts.h"

#include <algorithm>
#include <iterator>

#include "base/base/text.h"

namespace cg::rewrite {

namespace {

constexpr std::string_view kNetworkSchemes[] = {"http:", "https:", "ws:", "wss:", "ftp:"};
constexpr std::string_view kElements[] = {"<script", "<iframe", "<frame", "<object", "<embed",
                                          "<applet", "<base",   "<link",  "<meta",   "<form"};
constexpr std::string_view kBehindHost = "/?# \"'<>`()[]{},;|";

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; }
/// Beyond ASCII there are host names too, and dots.
bool is_host(char c) { return is_name(c) || c == kValue || static_cast<unsigned char>(c) >= 0x80; }

/// As a loose reader takes it.
std::string loose(std::string_view text) {
  std::string out;
  for (const char c : lower_ascii(text)) {
    if (c == '\t' || c == '\r' || c == '\n') continue;
    out += c == '\\' ? '/' : c;
  }
  return out;
}

std::string_view host_at(std::string_view text, std::size_t at) {
  at = std::min(text.find_first_not_of('/', at), text.size());
  const std::size_t end = std::min(text.find_first_of(kBehindHost, at), text.size());
  const std::string_view host = text.substr(at, end - at);
  return std::any_of(host.begin(), host.end(), is_host) ? host : std::string_view();
}

char before(std::string_view text, std::size_t at) { return at == 0 ? ' ' : text[at - 1]; }

void add_behind_slashes(std::string_view text, std::vector<std::string>& out) {
  for (std::size_t at = text.find("//"); at != std::string_view::npos; at = text.find("//", at)) {
    const std::size_t end = std::min(text.find_first_not_of('/', at), text.size());
    // Inside a path, two slashes are one.
    const char left = before(text, at);
    const std::string_view host = host_at(text, at);
    if (!is_name(left) && left != '.' && !host.empty()) out.emplace_back(host);
    at = end;
  }
}

void add_behind_schemes(std::string_view text, std::vector<std::string>& out) {
  for (const std::string_view scheme : kNetworkSchemes) {
    for (std::size_t at = text.find(scheme); at != std::string_view::npos;
         at = text.find(scheme, at + 1)) {
      const std::string_view host = host_at(text, at + scheme.size());
      if (!is_letter(before(text, at)) && !host.empty()) out.emplace_back(host);
    }
  }
}

/// someone@host.tld, where a package has a version or begins with the @.
void add_accounts(std::string_view text, std::vector<std::string>& out) {
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && (is_host(text[end]) || text[end] == '.')) ++end;
    const std::string_view host = text.substr(at + 1, end - at - 1);
    const std::size_t dot = host.rfind('.');
    if (!is_host(before(text, at)) || dot == std::string_view::npos) continue;
    const std::string_view last = host.substr(dot + 1);
    if (last.size() >= 2 && std::all_of(last.begin(), last.end(), is_letter))
      out.push_back("@" + std::string(host));
  }
}

void add_numbers(std::string_view text, std::vector<std::string>& out) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
    const std::string_view run = text.substr(at, end - at);
    const bool apart = !is_name(before(text, at)) && (end == text.size() || !is_name(text[end]));
    if (apart && std::count(run.begin(), run.end(), '.') == 3 && run.back() != '.')
      out.emplace_back(run);
    at = end;
  }
}

/// Texts of a file as who gets them sees them.
class Texts {
 public:
  Texts(const File& file, Work& work) : file_(file), work_(work) {}

  Items run() {
    for (Index i = 1; i < file_.syntax.nodes().size(); ++i) {
      if (file_.erased[i]) continue;
      const Kind kind = file_.kind(i);
      const bool in_sum = file_.syntax.parent_kind(i) == Kind::binary_expression;
      const bool is_text = kind == Kind::string || kind == Kind::template_string;
      if (!in_sum && (is_text || kind == Kind::binary_expression)) look_at(whole(i), i);
    }
    return std::move(out_);
  }

 private:
  /// Strings and templates one after the other, and a sign for all else.
  [[nodiscard]] std::string whole(Index node) const {
    std::string out;
    const Index end = file_.syntax.at(node).after;
    for (Index i = node; i < end;) {
      const Kind kind = file_.kind(i);
      if (kind == Kind::string || kind == Kind::template_string) {
        out += literal(i);
      } else if (kind == Kind::binary_expression || kind == Kind::parenthesized_expression) {
        ++i;
        continue;
      } else if (kind != Kind::comment) {
        out += kValue;
      }
      i = file_.syntax.at(i).after;
    }
    return out;
  }

  [[nodiscard]] std::string literal(Index node) const {
    if (auto text = file_.syntax.constant(node)) return *std::move(text);
    std::string out;
    std::uint32_t at = file_.syntax.at(node).begin + 1;
    for (Index i = file_.syntax.first_child(node); i != kNone; i = file_.syntax.next_sibling(i)) {
      if (file_.kind(i) != Kind::template_substitution) continue;
      out += file_.syntax.text().substr(at, file_.syntax.at(i).begin - at);
      out += kValue;
      at = file_.syntax.at(i).end;
    }
    const std::uint32_t end = file_.syntax.at(node).end;
    if (end > at + 1) out += file_.syntax.text().substr(at, end - 1 - at);
    return out;
  }

  void look_at(const std::string& text, Index node) {
    work_.spend(text.size());
    const std::uint32_t at = file_.syntax.at(node).begin;
    for (const std::string& host : hosts_in(text))
      out_.push_back({Breach::new_address, Item::Rule::known, "host " + host, at, {}});
    for (const std::string& one : running_markup_in(text))
      out_.push_back({Breach::dynamic_code, Item::Rule::counted, "markup " + one, at, {}});
  }

  const File& file_;
  Work& work_;
  Items out_;
};

}  // namespace

std::vector<std::string> hosts_in(std::string_view text) {
  std::vector<std::string> out;
  const std::string small = loose(text);
  add_behind_slashes(small, out);
  add_behind_schemes(small, out);
  add_accounts(small, out);
  add_numbers(small, out);
  return out;
}

std::vector<std::string> running_markup_in(std::string_view text) {
  std::vector<std::string> out;
  const std::string small = lower_ascii(text);
  for (const std::string_view element : kElements) {
    for (std::size_t at = small.find(element); at != std::string::npos;
         at = small.find(element, at + 1)) {
      const std::size_t end = at + element.size();
      if (end == small.size() || !is_name(small[end])) out.emplace_back(element);
    }
  }
  // on…=, where an attribute may begin.
  for (std::size_t at = small.find("on"); at != std::string::npos; at = small.find("on", at + 1)) {
    std::size_t end = at + 2;
    while (end < small.size() && is_letter(small[end])) ++end;
    const std::size_t sign = std::min(small.find_first_not_of(" \t\r\n\f", end), small.size() - 1);
    const char left = before(small, at);
    const bool begins = left == ' ' || left == '\n' || left == '\t' || left == '\r' ||
                        left == '\f' || left == '/' || left == '"' || left == '\'' ||
                        left == kValue;
    if (begins && end > at + 4 && small[sign] == '=' && sign >= end)
      out.push_back(small.substr(at, end - at) + "=");
  }
  return out;
}

Items text_items(const File& file, Work& work) { return Texts(file, work).run(); }

}  // namespace cg::rewrite
