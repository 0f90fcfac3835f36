// Untrusted text has no effect in any output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "fix/report/document.h"
#include "fix/report/report.h"
#include "fix/report/samples.h"
#include "support/markers.h"

namespace cg::report {
namespace {

using test::mixed_case;
using test::nasty_case;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string>& texts() {
  static const std::vector<std::string> out = {
      "</details><script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "a | b |\n| c",
      "`code` ``more``",
      "@everyone see #1 and owner/repo#2",
      "https://evil.example/?a=1 www.evil.example",
      "[click](javascript:alert(1))",
      "![x](https://evil.example/x.png)",
      "\x1B[31mred\x1B[0m \x1B]0;title\x07",
      "right\xE2\x80\xAEtfel \xE2\x81\xA6x\xE2\x81\xA9 zero\xE2\x80\x8Bwidth",
      "\xFF\xFE not utf-8 \xC0\x80",
      "line\r\nSigned-off-by: x\nCodegenie-Plan: sha256:0",
      "\n\nFixes-Advisory: CVE-0\n",
      "# heading\n- item\n1. one",
      "$(touch x); `touch x`; rm -rf ~",
      "--force",
      "' onclick='x\" y=\"",
      "<!-- hidden -->",
      "&lt;b&gt; &amp;",
      "$math$ ~strike~ **bold** _it_",
      std::string(5000, 'a'),
      std::string(2000, '@'),
      std::string("nul\0nul", 7),
      "",
  };
  return out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

bool is_deceptive(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
  return printable(text) != text;
}

/// Outside of code spans.
std::string without_code(const std::string& markdown) {
  std::string out;
  bool inside = false;
  for (const char c : markdown) {
    if (c == '`') inside = !inside;
    if (c == '\n') inside = false;
    if (!inside) out += c;
  }
  return out;
}

TEST(Hostile, LinesAreOnlyOurs) {
  const Case plain = nasty_case("a");
  for (const std::string& text : texts()) {
    SCOPED_TRACE(printable(text).substr(0, 60));
    const Case c = nasty_case(text);
    if (!text.empty()) {  // what is empty is left out
      EXPECT_EQ(count(commit_message(c, c.branches[0]), "\n"),
                count(commit_message(plain, plain.branches[0]), "\n"));
    }
    for (const std::string& out :
         {pr_body(c), markdown(c), html(c), handoff(c), commit_message(c, c.branches[0])}) {
      EXPECT_TRUE(is_utf8(out));
      EXPECT_FALSE(is_deceptive(out));
      EXPECT_EQ(out.find('\r'), std::string::npos);
    }
  }
}

TEST(Hostile, NoRunnerObeys) {
  for (const std::string& text : cg::test::marker_texts()) {
    SCOPED_TRACE(printable(text));
    const Case c = nasty_case(text);
    for (const std::string& out :
         {pr_body(c), markdown(c), html(c), handoff(c), commit_message(c, c.branches[0]),
          commit_message(c), plan_text(c), plan_text(c, c.branches[0]),
          json::write_json_pretty(to_json(c)),
          json::write_json_pretty(openvex(c, test::after_scan()))}) {
      EXPECT_THAT(cg::test::orders_in(out), ::testing::IsEmpty());
    }
  }
}

TEST(Hostile, MarkdownHasNoMarkupButOurs) {
  for (const std::string& text : texts()) {
    SCOPED_TRACE(printable(text).substr(0, 60));
    const Case c = nasty_case(text);
    for (const std::string& whole : {pr_body(c), markdown(c), handoff(c)}) {
      const std::string out = without_code(whole);
      EXPECT_THAT(out, Not(HasSubstr("<script")));
      EXPECT_THAT(out, Not(HasSubstr("<img")));
      EXPECT_THAT(out, Not(HasSubstr("<!--")));
      EXPECT_THAT(out, Not(HasSubstr("](")));
      EXPECT_THAT(out, Not(HasSubstr("://")));
      EXPECT_THAT(out, Not(HasSubstr("www.")));
      EXPECT_THAT(out, Not(HasSubstr("@everyone")));
      EXPECT_EQ(count(out, "<details>"), count(out, "</details>"));
      EXPECT_EQ(count(out, "<"), count(out, "<details>") * 4) << "no tags but ours";
    }
  }
}

TEST(Hostile, HtmlHasNoTagsButOurs) {
  const std::string plain = html(nasty_case("a"));
  for (const std::string& text : texts()) {
    SCOPED_TRACE(printable(text).substr(0, 60));
    if (text.empty()) continue;
    const std::string out = html(nasty_case(text));
    EXPECT_EQ(count(out, "<"), count(plain, "<"));
    EXPECT_EQ(count(out, ">"), count(plain, ">"));
    EXPECT_EQ(count(out, "\""), count(plain, "\""));
    EXPECT_THAT(out, Not(HasSubstr("<script")));
  }
  EXPECT_THAT(plain, HasSubstr("default-src 'none'"));
  EXPECT_EQ(count(plain, "http"), 1U) << "nothing from outside: `http-equiv` is the only one";
}

TEST(Hostile, TrailersAreOnlyOurs) {
  for (const std::string& text : texts()) {
    const Case c = nasty_case(text);
    const std::string message = commit_message(c, c.branches[0]);
    EXPECT_EQ(count(message, "\nCodegenie-Plan: sha256:"), 1U);
    EXPECT_EQ(count(message, "\nCodegenie-Tier: recipe\n"), 1U);
    EXPECT_EQ(count(message, "\nFixes-Advisory: "), 1U);
    EXPECT_EQ(count(message, "\nSigned-off-by"), 0U);
  }
}

TEST(Hostile, CommandsHoldOnlyWhatCannotHurt) {
  for (const std::string& text : texts()) {
    const std::string out = handoff(nasty_case(text));
    for (const std::string_view line : split(out, '\n')) {
      if (!line.starts_with("    ")) continue;
      EXPECT_EQ(line.find_first_of("$`;|&<>'\"\\*?()~"), std::string_view::npos) << line;
      EXPECT_EQ(line.find(" --force"), std::string_view::npos) << line;
    }
  }
  EXPECT_EQ(package_word("@scope/a.b-c_d"), "@scope/a.b-c_d");
  for (const char* bad : {"", "-g", "a b", "a;b", "../a", "a\n", "$(x)", "a`b`"}) {
    EXPECT_EQ(package_word(bad), "") << bad;
  }
  EXPECT_EQ(path_word("examples/shop"), "examples/shop");
  EXPECT_EQ(path_word("a b"), "");
}

TEST(Hostile, PrBodyIsBounded) {
  Case c = mixed_case();
  for (int i = 0; i < 5; ++i) {
    for (const std::string& text : texts()) {
      const Case more = nasty_case(text);
      c.copies.insert(c.copies.end(), more.copies.begin(), more.copies.end());
      c.moved.insert(c.moved.end(), more.moved.begin(), more.moved.end());
      c.changes.insert(c.changes.end(), more.changes.begin(), more.changes.end());
      c.advisories.insert(c.advisories.end(), more.advisories.begin(), more.advisories.end());
      c.branches.insert(c.branches.end(), more.branches.begin(), more.branches.end());
      c.not_checked.push_back(text);
    }
  }
  for (const std::size_t max : {4000U, 5000U, 8000U, 20'000U, 60'000U}) {
    const std::string body = pr_body(c, max);
    EXPECT_LE(body.size(), max);
    EXPECT_THAT(body, HasSubstr("A person merges this."));
    const std::string bare = without_code(body);
    EXPECT_EQ(count(bare, "<details>"), count(bare, "</details>"));
  }
  EXPECT_THAT(pr_body(c), HasSubstr(" more\n"));
  EXPECT_LE(pr_body(c, 0).size(), kMinPrBodyBytes);
}

TEST(Hostile, VexIsJson) {
  for (const std::string& text : texts()) {
    const Case c = nasty_case(text);
    for (const json::Value& value :
         {openvex(c, test::after_scan()), cyclonedx_vex(c, test::before_scan())}) {
      EXPECT_TRUE(json::parse_json(json::write_json(value)).has_value());
    }
  }
}

}  // namespace
}  // namespace cg::report
