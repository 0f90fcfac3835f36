// What tables of hostile answers are made of, and the sources that such answers are about.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cg::hostile {

/// The files whose functions a prompt would show.
[[nodiscard]] const std::map<std::string, std::string, std::less<>>& shown_files();

struct Block {
  std::vector<std::string> head;  // what stands between the bars
  std::string body;               // with its last newline
};
/// "== name | …" and lines, in which <<hh>> is a byte and <<cut>> takes the newline behind it away.
[[nodiscard]] std::vector<Block> blocks(std::string text);

void replace_all(std::string& text, std::string_view from, const std::string& to);

/// The bytes as a JSON string, whatever they are.
[[nodiscard]] std::string json_text(std::string_view bytes);

/// Plans whose fields are JSON as they are.
[[nodiscard]] std::string bump(const std::string& manifest, const std::string& package,
                               const std::string& version);
[[nodiscard]] std::string override_to(const std::string& manifest, const std::string& package,
                                      const std::string& version);
[[nodiscard]] std::string rewrite(const std::string& files, const std::string& diff);

}  // namespace cg::hostile
