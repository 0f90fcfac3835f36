#include "answers.h"

#include <string_view>

#include "base/base/text.h"
#include "hostile/table.h"
#include "support/support.h"

namespace cg::hostile {

namespace {

std::string table(const std::string& name) {
  return test::read(std::string(CG_SOURCE_DIR "/tests/hostile/") + name);
}

struct Row {
  std::string expected;
  std::string value;
};

/// "expected | value", one to a line.
std::vector<Row> rows(const std::string& name) {
  std::vector<Row> out;
  const std::string text = table(name);
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t bar = line.find(" |");
    const std::size_t value = std::min(bar + 3, line.size());
    out.push_back({std::string(line.substr(0, bar)), std::string(line.substr(value))});
  }
  return out;
}

std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::vector<Answer> path_answers() {
  std::vector<Answer> out;
  const std::string text = table("paths.txt");
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    std::string manifest(line);
    std::string source(line);
    replace_all(manifest, "LEAF", "package.json");
    replace_all(source, "LEAF", "app.js");
    const std::string diff =
        "\"--- a/" + source + "\\n+++ b/" + source + "\\n@@ -1 +1 @@\\n-x\\n+y\\n\"";
    const std::string name = "path " + std::string(line);
    out.push_back({name + " (bump)", bump(manifest, "menu", "3.0.0"), "bad_path manifest_path"});
    out.push_back(
        {name + " (override)", override_to(manifest, "menu", "3.0.0"), "bad_path manifest_path"});
    out.push_back({name + " (files)", rewrite("\"" + source + "\"", diff), "bad_path files"});
    // What ends the line of a header is not believed; that its file is not "x" is seen.
    const bool unseen = line.ends_with("\\r");
    out.push_back({name + " (header)", rewrite(R"("src/app.js")", diff),
                   unseen ? "rejected does_not_apply" : "bad_diff diff."});
  }
  return out;
}

std::vector<Answer> version_answers() {
  std::vector<Answer> out;
  for (const Row& row : rows("versions.txt")) {
    out.push_back({"version " + row.value + " (bump)", bump("package.json", "menu", row.value),
                   row.expected});
    out.push_back({"version " + row.value + " (override)",
                   override_to("package.json", "menu", row.value), row.expected});
  }
  return out;
}

std::vector<Answer> package_answers() {
  std::vector<Answer> out;
  for (const Row& row : rows("packages.txt")) {
    out.push_back({"package " + row.value + " (bump)", bump("package.json", row.value, "3.0.0"),
                   row.expected});
    out.push_back({"package " + row.value + " (override)",
                   override_to("package.json", row.value, "3.0.0"), row.expected});
  }
  return out;
}

std::vector<Answer> diff_answers(const std::string& file) {
  std::vector<Answer> out;
  for (const Block& block : blocks(table(file))) {
    const std::string files = block.head.size() > 2 ? block.head.at(2) : "";
    out.push_back(
        {file + ": " + block.head.at(0), rewrite(files, json_text(block.body)), block.head.at(1)});
  }
  return out;
}

std::vector<Answer> shape_answers() {
  std::vector<Answer> out;
  for (const Block& block : blocks(table("shapes.txt"))) {
    out.push_back({"shape: " + block.head.at(0), without_newline(block.body), block.head.at(1)});
  }
  return out;
}

std::vector<Answer> size_answers() {
  constexpr std::size_t kMiB = 1U << 20U;
  const auto refusal = [](const std::string& rationale) {
    return R"({"kind":"refuse","reason":"out_of_scope","rationale":")" + rationale + "\"}";
  };
  const auto many = [](const std::string& piece, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += piece;
    return out;
  };
  const auto numbered = [](const std::string& open, const std::string& close, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
      out += (i == 0 ? "" : ",") + open + std::to_string(i) + close;
    }
    return out;
  };
  const std::string head = "--- a/src/app.js\n+++ b/src/app.js\n@@ -1 +1,";
  std::vector<Answer> out;
  const auto add = [&](std::string name, std::string json, std::string expected) {
    out.push_back({"size: " + std::move(name), std::move(json), std::move(expected)});
  };
  add("rationale a byte too long", refusal(std::string(2049, 'x')), "too_long rationale");
  add("rationale too long in characters of three bytes", refusal(many("\xE6\x96\x87", 683)),
      "too_long rationale");
  add("rationale too long by escapes", refusal(many("\\u0041", 2049)), "too_long rationale");
  add("rationale of 1 MiB", refusal(std::string(kMiB, 'x')), "too_large");
  add("answer of 100 MiB", refusal(std::string(100 * kMiB, 'x')), "too_large");
  add("100 MiB of spaces", std::string(100 * kMiB, ' '), "too_large");
  add("spaces behind", refusal("x") + std::string(kMiB, ' '), "too_large");
  add("a million brackets", std::string(kMiB, '['), "too_large");
  add("brackets within the size", std::string(100'000, '['), "too_deep");
  add("objects within the size", many("{\"a\":", 30'000), "too_deep");
  add("a million keys", "{" + numbered("\"k", "\":1", 1'000'000) + "}", "too_large");
  add("many keys within the size", "{" + numbered("\"k", "\":1", 10'000) + "}", "too_large");
  add("a long key", "{\"" + std::string(100'000, 'k') + "\":1}", "missing_key kind");
  add("a long kind", R"({"kind":")" + std::string(100'000, 'k') + "\"}", "unknown_kind");
  add("a long number", R"({"kind":)" + std::string(100'000, '9') + "}", "not_json");
  add("many files", rewrite(numbered("\"a", ".js\"", 65), "\"\""), "too_long files");
  add("thousands of files", rewrite(numbered("\"a", ".js\"", 5000), "\"\""), "too_large");
  add("a long version", bump("package.json", "menu", "3.0." + std::string(100'000, '0')),
      "bad_version");
  add("a long prerelease", bump("package.json", "menu", "3.0.0-" + std::string(300, 'a')),
      "bad_version");
  add("a long name", bump("package.json", std::string(215, 'a'), "3.0.0"), "bad_package");
  add("a diff too large",
      rewrite(R"("src/app.js")", json_text(head + "700 @@\n-const menu = require('menu');\n" +
                                           many("+" + std::string(100, 'x') + "\n", 700))),
      "bad_diff diff.too_large");
  add("a diff of one line too large",
      rewrite(R"("src/app.js")", json_text(head + "1 @@\n-x\n+" + std::string(70'000, 'x') + "\n")),
      "bad_diff diff.too_large");
  add("a diff of 1 MiB", rewrite(R"("src/app.js")", json_text(std::string(kMiB, '+'))),
      "too_large");
  add("many hunks",
      rewrite(R"("src/app.js")", json_text("--- a/src/app.js\n+++ b/src/app.js\n" +
                                           many("@@ -1 +1 @@\n-x\n+y\n", 1000))),
      "rejected does_not_apply");
  add("many files in a diff",
      rewrite(R"("src/app.js")", json_text([] {
                std::string text;
                for (int i = 0; i < 600; ++i) {
                  const std::string n = std::to_string(i);
                  text += "--- a/" + n + ".js\n+++ b/" + n + ".js\n@@ -1 +1 @@\n-x\n+y\n";
                }
                return text;
              }())),
      "bad_diff diff.outside");
  return out;
}

std::vector<Answer> honest_answers() {
  std::vector<Answer> out;
  for (const Block& block : blocks(table("honest.txt"))) {
    const bool has_files = block.head.size() > 1;
    out.push_back(
        {block.head.at(0),
         has_files ? rewrite(block.head.at(1), json_text(block.body)) : without_newline(block.body),
         ""});
  }
  return out;
}

}  // namespace cg::hostile
