#include "base/base/text.h"
#include "fix/report/document.h"
#include "fix/report/report.h"
#include "vuln/formats/words.h"

namespace cg::report {

namespace {

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}"
    "table{border-collapse:collapse;width:100%}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}"
    "code,pre{font:0.9em ui-monospace,monospace;overflow-wrap:anywhere}"
    "pre{padding:.6rem;border:1px solid;overflow-x:auto}";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_of(const Line& line) {
  std::string out;
  for (const Span& span : line) {
    const bool own = span.kind == Span::Kind::ours || span.kind == Span::Kind::strong;
    const bool whole = span.kind == Span::Kind::quote;
    const std::string text =
        escaped(own ? span.text : formats::shown(span.text, whole ? kLongestQuote : kLongest));
    if (span.kind == Span::Kind::strong) {
      out += "<strong>" + text + "</strong>";
    } else if (span.kind == Span::Kind::code) {
      out += "<code>" + text + "</code>";
    } else if (whole) {
      out += "<q>" + text + "</q>";
    } else {
      out += text;
    }
  }
  return out;
}

std::string table_of(const Table& table) {
  if (table.rows.empty()) return "";
  std::string out = "<table>\n<thead><tr>";
  for (const std::string& title : table.head) out += "<th>" + escaped(title) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Line>& row : table.rows) {
    out += "<tr>";
    for (const Line& cell : row) out += "<td>" + html_of(cell) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

std::string section_of(const Section& section) {
  std::string out = "<h2>" + html_of(section.title) + "</h2>\n";
  if (!section.commands.empty()) {
    out += "<pre>";
    for (const std::string& command : section.commands) out += escaped(command) + "\n";
    out += "</pre>\n";
  }
  if (!section.lines.empty()) {
    out += "<ul>\n";
    for (const Line& line : section.lines) out += "<li>" + html_of(line) + "</li>\n";
    out += "</ul>\n";
  }
  return out + table_of(section.table);
}

}  // namespace

std::string write_html(const Document& document) {
  Line plain;
  for (const Span& span : document.title) plain.push_back({Span::Kind::words, span.text});
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + html_of(plain);
  out += "</title>\n<style>" + std::string(kStyle) + "</style>\n</head>\n<body>\n<h1>";
  out += html_of(document.title) + "</h1>\n<table>\n";
  for (const auto& [title, line] : document.facts) {
    out += "<tr><th>" + escaped(title) + "</th><td>" + html_of(line) + "</td></tr>\n";
  }
  out += "</table>\n";
  for (const Line& note : document.notes) out += "<p>" + html_of(note) + "</p>\n";
  for (const Section& section : document.sections) out += section_of(section);
  return out + "<p>" + escaped(document.closing) + "</p>\n</body>\n</html>\n";
}

std::string html(const Case& c) { return write_html(document(c, Depth::all)); }

}  // namespace cg::report
