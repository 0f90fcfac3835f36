#include "attacks.h"

#include <stdexcept>

#include "base/base/text.h"
#include "hostile/table.h"
#include "support/support.h"

namespace cg::redteam {

namespace {

using hostile::Block;

std::vector<Block> table(const std::string& name) {
  return hostile::blocks(test::read(std::string(CG_SOURCE_DIR "/tests/redteam/") + name));
}

/// One hunk; its counts are not believed anyway.
std::string change(const std::string& file, const std::string& lines) {
  return hostile::rewrite(
      "\"" + file + "\"",
      hostile::json_text("--- a/" + file + "\n+++ b/" + file + "\n@@ -1,1 +1,1 @@\n" + lines));
}

/// "-- change FILE" and lines, and the other ways.
std::string answer_of(const std::string& order, const std::string& body) {
  const std::vector<std::string_view> words = split(order, ' ');
  const auto word = [&](std::size_t i) { return std::string(words.at(i)); };
  if (word(1) == "change") return change(order.substr(std::string_view("-- change ").size()), body);
  if (word(1) == "bump") return hostile::bump("package.json", word(2), word(3));
  if (word(1) == "override") return hostile::override_to("package.json", word(2), word(3));
  if (word(1) != "answer") throw std::runtime_error("no such answer: " + order);
  std::string out = body.substr(0, body.rfind('\n'));
  std::string menus;
  for (int i = 0; i < 600; ++i) menus += "menu ";
  hostile::replace_all(out, "<<600 menu>>", menus);
  return out;
}

/// What stands before a line that begins with "-- ", that line, and what stands behind it.
struct Parts {
  std::string text;
  std::string order;
  std::string rest;
};
Parts parts_of(const std::string& body) {
  const std::size_t at = body.starts_with("-- ") ? 0 : body.find("\n-- ") + 1;
  const std::size_t end = body.find('\n', at);
  return {body.substr(0, at == 0 ? 0 : at - 1), body.substr(at, end - at), body.substr(end + 1)};
}

}  // namespace

std::vector<Attack> attacks() {
  std::vector<Attack> out;
  for (const Block& block : table("attacks.txt")) {
    Parts parts = parts_of(block.body);
    const auto kind = parse_source_kind(block.head.at(1));
    if (!kind) throw std::runtime_error("no such kind: " + block.head.at(1));
    // In pieces, so that nobody takes this file for one with a key in it.
    hostile::replace_all(parts.text, "<<key>>",
                         "Zq3" + std::string(3, 'X') + "7vTn2kLw9RbY4cHs6mDp8fGj1AeUoW");
    out.push_back({block.head.at(0), *kind, block.head.at(2), block.head.at(3), parts.text,
                   answer_of(parts.order, parts.rest)});
  }
  return out;
}

std::vector<Twin> twins() {
  std::vector<Twin> out;
  for (const Block& block : table("twins.txt")) {
    const Parts parts = parts_of(block.body);
    out.push_back({block.head.at(0), answer_of(parts.order, parts.rest)});
  }
  return out;
}

}  // namespace cg::redteam
