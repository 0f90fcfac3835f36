#include <algorithm>

#include "base/base/text.h"
#include "fix/report/document.h"
#include "fix/report/report.h"
#include "vuln/formats/markup.h"

namespace cg::report {

namespace {

std::string markdown_of(const Span& span) {
  switch (span.kind) {
    case Span::Kind::strong:
      return "**" + span.text + "**";
    case Span::Kind::words:
      return formats::prose(span.text, kLongest);
    case Span::Kind::code:
      return formats::code(span.text, kLongest);
    case Span::Kind::quote:
      return "“" + formats::prose(span.text, kLongestQuote) + "”";
    case Span::Kind::ours:
      break;
  }
  return span.text;
}

std::string markdown_of(const Line& line) {
  std::string out;
  for (const Span& span : line) out += markdown_of(span);
  return out;
}

std::string head_of(const Table& table) {
  std::string titles = "|";
  std::string rule = "|";
  for (const std::string& title : table.head) {
    titles += " " + title + " |";
    rule += "---|";
  }
  return titles + "\n" + rule + "\n";
}

std::string row_of(const std::vector<Line>& row) {
  std::string out = "|";
  for (const Line& cell : row) out += " " + markdown_of(cell) + " |";
  return out + "\n";
}

std::string facts_of(const Document& document) {
  std::string out = "| | |\n|---|---|\n";
  for (const auto& [title, line] : document.facts) {
    out += "| " + title + " | " + markdown_of(line) + " |\n";
  }
  return out;
}

/// What stands around the rows of a section.
std::string before_rows(const Section& section) {
  std::string out;
  for (const std::string& command : section.commands) out += "    " + command + "\n";
  if (!section.commands.empty()) out += "\n";
  for (const Line& line : section.lines) out += "- " + markdown_of(line) + "\n";
  if (!section.table.rows.empty()) {
    if (!section.lines.empty()) out += "\n";
    out += head_of(section.table);
  }
  return out;
}

/// Nothing if not even its frame fits into `room`.
std::string folded(const Section& section, std::size_t room) {
  constexpr std::string_view kEnd = "\n</details>\n";
  constexpr std::size_t kMoreBytes = 40;  // of the line that counts what is left out
  std::string out =
      "<details><summary>" + markdown_of(section.title) + "</summary>\n\n" + before_rows(section);
  if (out.size() + kMoreBytes + kEnd.size() > room) return "";
  std::size_t shown = 0;
  for (const std::vector<Line>& row : section.table.rows) {
    const std::string text = row_of(row);
    if (out.size() + text.size() + kMoreBytes + kEnd.size() > room) break;
    out += text;
    ++shown;
  }
  const std::size_t left = section.table.rows.size() - shown;
  if (left > 0) out += "\nand " + grouped(left) + " more\n";
  return out + std::string(kEnd);
}

std::string opening(const Document& document) {
  std::string out = "### " + markdown_of(document.title) + "\n\n" + facts_of(document);
  for (const Line& note : document.notes) out += "\n" + markdown_of(note) + "\n";
  return out;
}

}  // namespace

std::string write_markdown(const Document& document) {
  std::string out = opening(document);
  for (const Section& section : document.sections) {
    out += "\n#### " + markdown_of(section.title) + "\n\n" + before_rows(section);
    for (const std::vector<Line>& row : section.table.rows) out += row_of(row);
  }
  return document.closing.empty() ? out : out + "\n" + document.closing + "\n";
}

std::string write_folded(const Document& document, std::size_t max_bytes) {
  const std::string end = "\n" + document.closing + "\n";
  const std::string note = "\nMore is in the evidence.\n";
  const std::string title = "### " + markdown_of(document.title) + "\n";
  // Only names that are too long for any registry can make the facts this large. Then the last
  // thing to go is where to look.
  std::vector<std::string> openings = {opening(document)};
  if (!document.notes.empty()) {
    openings.push_back(title + "\n" + markdown_of(document.notes.front()) + "\n");
  }
  openings.insert(openings.end(), {title, "### A fix\n"});
  const auto fits = [&](const std::string& text) {
    return text.size() + note.size() + end.size() <= max_bytes;
  };
  const auto first = std::find_if(openings.begin(), openings.end(), fits);
  std::string out = first == openings.end() ? openings.back() : *first;
  bool complete = true;
  for (const Section& section : document.sections) {
    const std::size_t used = out.size() + note.size() + end.size() + 1;
    const std::string text = folded(section, max_bytes > used ? max_bytes - used : 0);
    complete = complete && !text.empty();
    if (!text.empty()) out += "\n" + text;
  }
  return out + (complete ? "" : note) + end;
}

std::string pr_body(const Case& c, std::size_t max_bytes) {
  return write_folded(document(c, Depth::pull_request), std::max(max_bytes, kMinPrBodyBytes));
}

std::string markdown(const Case& c) { return write_markdown(document(c, Depth::all)); }

}  // namespace cg::report
