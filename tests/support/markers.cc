#include "support/markers.h"

#include <cstdint>
#include <regex>

namespace cg::test {

namespace {

/// Bytes that are no UTF-8 count as the characters of Latin-1, as a lenient reader takes them.
std::u32string decoded(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? first : first & (0xFFU >> (length + 1));
    std::size_t n = 1;
    for (; n < length && i + n < text.size(); ++n) {
      const auto next = static_cast<unsigned char>(text[i + n]);
      if ((next & 0xC0U) != 0x80U) break;
      c = c << 6U | (next & 0x3FU);
    }
    out += n == length ? c : first;
    i += n == length ? length : 1;
  }
  return out;
}

bool ends_line(char32_t c) {
  return c == '\n' || c == '\r' || c == 0x0B || c == 0x0C || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

bool is_blank(char32_t c) {
  return c == ' ' || c == '\t' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_unseen(char32_t c) {
  return c == 0 || c == 0xAD || c == 0x34F || c == 0x61C || c == 0x115F || c == 0x1160 ||
         (c >= 0x17B4 && c <= 0x17B5) || (c >= 0x180B && c <= 0x180F) ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0x3164 || (c >= 0xFE00 && c <= 0xFE0F) ||
         c == 0xFEFF || c == 0xFFA0 || (c >= 0xE0000 && c <= 0xE0FFF);
}

/// As bytes, whatever is not ASCII as a question mark.
std::string narrowed(const std::u32string& line) {
  std::string out;
  for (const char32_t c : line) out += c < 0x80 ? static_cast<char>(c) : '?';
  return out;
}

/// The same without what nobody sees, in small letters.
std::string folded(const std::u32string& line) {
  std::string out;
  for (const char32_t c : line) {
    if (is_unseen(c)) continue;
    out += c >= 0x80              ? '?'
           : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32)
                                  : static_cast<char>(c);
  }
  return out;
}

void judge(const std::u32string& line, std::vector<std::string>& out) {
  static const std::regex kAnywhere("##[a-z0-9._-]*\\[");
  static const std::regex kSection("section_(start|end):");
  static const std::regex kColour("\x1b\\[[0-9;]*m");
  const std::string text = folded(line);
  if (std::regex_search(text, kAnywhere)) out.push_back("anywhere: " + text);
  if (std::regex_search(narrowed(line), kSection)) out.push_back("section: " + text);
  std::size_t start = 0;
  while (start < line.size() && (is_blank(line[start]) || is_unseen(line[start]))) ++start;
  const std::string front = std::regex_replace(folded(line.substr(start)), kColour, "");
  if (front.starts_with("::")) out.push_back("command: " + text);
  for (const char32_t c : line) {
    const bool control = (c < 0x20 && c != '\t') || (c >= 0x7F && c <= 0x9F);
    const bool turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    if (control || turns) out.push_back("character " + std::to_string(c) + ": " + text);
  }
}

}  // namespace

const std::vector<std::string>& marker_texts() {
  static const std::vector<std::string> texts = {
      // GitHub
      "::error file=a.js,line=1::gone",
      "  ::warning::after spaces",
      "\t::add-mask::after a tab",
      "\u00a0::set-output name=a::after a space that does not break",
      "\u3000\u2003::debug::after wide spaces",
      "\u200b::notice::after one that nobody sees",
      "\ufeff::group::after a byte order mark",
      "::stop-commands::mine",
      "::save-state name=isPost::true",
      "harmless\n::error::on a line of its own",
      "harmless\r::error::after a carriage return",
      "harmless\v::error::after a vertical tab",
      "harmless\u0085::error::after a next line",
      "harmless\u2028::error::after a line separator",
      "harmless\u2029  ::error::after a paragraph separator",
      "\x1b[0m::error::after a colour",
      "##[add-matcher]evil.json",
      "in the middle ##[set-env name=PATH;]/evil of a line",
      // Azure
      "##vso[task.setvariable variable=PATH]/evil",
      "x##vso[task.uploadfile]/etc/passwd",
      "##VSO[task.complete result=Succeeded;]done",
      "###vso[task.logissue type=error]three",
      "####[error]four",
      "##[section]Starting: evil",
      "##[command]rm -rf",
      "##[debug]##[error]two of them",
      "##\u200bvso[task.prependpath]/evil",
      "#\u00ad#vso[task.prependpath]/evil",
      "#\ufe0f#vso[task.prependpath]/evil",
      "##v\ufe00s\u034fo\u3164[task.prependpath]/evil",
      "##\U000e0001[error]behind a tag",
      // TeamCity
      "##teamcity[buildStatus status='SUCCESS' text='fine']",
      "a ##teamcity[testFailed name='x' message='y|n']",
      "##teamcity[publishArtifacts '/etc/passwd']",
      "##TeamCity[enableServiceMessages]",
      "##teamcity[buildStop comment='x' readdToQueue='false']",
      // GitLab
      "section_start:1700000000:evil\r\x1b[0KHidden",
      "\x1b[0Ksection_end:1700000000:build\r\x1b[0K",
      "section_start:1700000000:evil[collapsed=true]\r\x1b[0Kx",
      "x section_end:0:y",
      // whoever has a terminal
      "\x1b]0;title\x07\x1b[2J\x1b[31m",
      "\u009b31m\u009d0;title\u009c",
      "\x9b"
      "31m not UTF-8",
      "a\u202Etxt.exe\u2066b\u2069",
      std::string("nul\0##[error]x", 14),
  };
  return texts;
}

std::vector<std::string> orders_in(std::string_view text) {
  std::vector<std::string> out;
  std::u32string line;
  for (const char32_t c : decoded(text)) {
    // A carriage return, say, ends a line for some and is a control character for all.
    if (c != '\n') line += c;
    if (!ends_line(c)) continue;
    judge(line, out);
    line.clear();
  }
  judge(line, out);
  return out;
}

}  // namespace cg::test
