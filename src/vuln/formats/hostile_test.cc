// Untrusted text keeps its place in every output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "support/markers.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/samples.h"
#include "vuln/formats/uri.h"
#include "vuln/formats/words.h"

namespace cg::formats {
namespace {

using json::Value;
using test::empty_scan;
using test::mixed_scan;
using test::nasty;
using test::nasty_scan;
using test::nasty_texts;
using test::qs;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

findings::Scan with(const findings::Finding& finding) {
  findings::Scan s = empty_scan();
  s.findings = {finding};
  return s;
}

/// Control, bidi and zero-width characters; the newlines that lines end with are not.
bool is_deceptive(const std::string& text) {
  std::string rest = text;
  rest.erase(std::remove(rest.begin(), rest.end(), '\n'), rest.end());
  return printable(rest) != rest;
}

TEST(Hostile, EveryJsonReadsBackTheSame) {
  for (const findings::Scan& s : {findings::Scan{}, empty_scan(), mixed_scan(), nasty_scan()}) {
    for (const auto format : {json, sarif, cyclonedx, openvex}) {
      const Value value = format(s);
      for (const std::string& text : {json::write_json(value), json::write_json_pretty(value)}) {
        const auto parsed = json::parse_json(text);
        ASSERT_TRUE(parsed.has_value()) << json::describe(parsed.error());
        EXPECT_EQ(json::write_json(parsed.value()), json::write_json(value));
      }
    }
  }
}

TEST(Hostile, EqualScansGiveEqualBytes) {
  const findings::Scan a = nasty_scan();
  const findings::Scan b = nasty_scan();
  for (const auto format : {json, sarif, cyclonedx, openvex}) {
    EXPECT_EQ(json::write_json(format(a)), json::write_json(format(b)));
  }
  for (const auto format : {jsonl, markdown, gh_annotations}) EXPECT_EQ(format(a), format(b));
}

TEST(Hostile, NoRunnerObeys) {
  for (const std::string& text : cg::test::marker_texts()) {
    SCOPED_TRACE(printable(text));
    const findings::Scan s = with(nasty(text));
    EXPECT_THAT(cg::test::orders_in(markdown(s)), ::testing::IsEmpty());
    for (const auto format : {json, sarif, cyclonedx, openvex}) {
      EXPECT_THAT(cg::test::orders_in(json::write_json_pretty(format(s))), ::testing::IsEmpty());
    }
    // An annotation is one command: ours, at the start of its line.
    const std::string annotation = gh_annotations(s);
    EXPECT_THAT(cg::test::orders_in(annotation), ::testing::SizeIs(1));
    EXPECT_THAT(cg::test::orders_in(annotation.substr(2)), ::testing::IsEmpty());
  }
}

TEST(Hostile, LinesAreOnlyOurs) {
  const std::size_t plain_markdown = lines(markdown(with(qs())));
  for (const std::string& text : nasty_texts()) {
    SCOPED_TRACE(printable(text).substr(0, 100));
    const findings::Scan s = with(nasty(text));
    EXPECT_EQ(lines(markdown(s)), plain_markdown);
    EXPECT_EQ(lines(gh_annotations(s)), 1U);
    EXPECT_EQ(lines(jsonl(s)), 1U);
    for (const std::string& out : {markdown(s), gh_annotations(s)}) {
      EXPECT_EQ(out.find('\r'), std::string::npos);
      EXPECT_TRUE(is_utf8(out));
      EXPECT_FALSE(is_deceptive(out));
    }
  }
}

TEST(Hostile, EveryRowHasTheSameCells) {
  for (const std::string& text : nasty_texts()) {
    SCOPED_TRACE(printable(text).substr(0, 100));
    const std::string out = markdown(with(nasty(text)));
    for (const std::string_view line : split(out, '\n')) {
      if (!line.starts_with('|')) continue;
      EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 8) << line;
    }
  }
}

/// Outside of code, which GitHub leaves alone.
std::string without_code(const std::string& text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (c == '`' || c == '\n') {
      code = c == '`' && !code;
      continue;
    }
    if (!code) out += c;
  }
  return out;
}

TEST(Hostile, MarkdownHasNoMentionNoLinkNoHtml) {
  const std::string bare = without_code(markdown(nasty_scan()));
  for (const char c : std::string("@#")) {
    for (std::size_t at = bare.find(c, 10); at != std::string::npos; at = bare.find(c, at + 1)) {
      const bool entity = c == '#' && bare[at - 1] == '&';
      EXPECT_TRUE(entity || bare.compare(at + 1, 7, "&#8203;") == 0) << bare.substr(at, 20);
    }
  }
  EXPECT_THAT(bare, Not(HasSubstr("://")));
  EXPECT_THAT(bare, Not(HasSubstr("www.")));
  EXPECT_THAT(bare, Not(HasSubstr("](")));
  EXPECT_THAT(bare, Not(HasSubstr("<script")));
  EXPECT_THAT(bare, Not(HasSubstr("<!--")));
  EXPECT_THAT(bare, Not(HasSubstr("<b>")));
}

TEST(Hostile, MarkdownIsBounded) {
  findings::Scan s = empty_scan();
  for (int i = 0; i < 200; ++i) {
    for (const std::string& text : nasty_texts()) s.findings.push_back(nasty(text));
  }
  s.suppressed = s.findings;
  s.warnings.assign(5000, std::string(5000, '@'));
  const std::string out = markdown(s);
  EXPECT_LE(out.size(), kMarkdownBytes);
  EXPECT_GT(out.size(), kMarkdownBytes / 2);
  EXPECT_THAT(out, HasSubstr(" more\n"));
  EXPECT_THAT(out, HasSubstr("</details>\n"));
}

TEST(Hostile, AnnotationsDecodeToWhatWasMeant) {
  findings::Finding f = qs();
  f.lockfile = "a,b:c%/package-lock.json";
  f.summary = "50% of\nall: a,b::error file=x::y";
  const std::string out = gh_annotations(with(f));
  EXPECT_TRUE(out.starts_with("::error file=a%2Cb%3Ac%25/package-lock.json,line=1412,col=5,"))
      << out;
  EXPECT_THAT(out, HasSubstr(": 50%25 of\\x0aall: a,b::error file=x::y."));
  // The runner takes the first `::` behind the properties for their end.
  const std::string properties = out.substr(2, out.find("::", 2) - 2);
  EXPECT_EQ(std::count(properties.begin(), properties.end(), ','), 3);
}

TEST(Hostile, RefsOfABillDiffer) {
  findings::Scan s = nasty_scan();
  for (int i = 0; i < 3; ++i) s.components.push_back({"a", "1", "", "l", "p", false, false, {}});
  s.components.push_back({"a", "1", "", "l", "p~2", false, false, {}});
  const Value value = cyclonedx(s);
  std::set<std::string> refs = {"repository"};
  for (const char* list : {"components", "vulnerabilities"}) {
    for (const Value& item : *value.find(list)->as_array()) {
      const std::string& ref = *item.find("bom-ref")->as_string();
      EXPECT_TRUE(refs.insert(ref).second) << ref;
    }
  }
  for (const Value& item : *value.find("vulnerabilities")->as_array()) {
    for (const Value& affects : *item.find("affects")->as_array()) {
      EXPECT_TRUE(refs.contains(*affects.find("ref")->as_string()));
    }
  }
  for (const Value& item : *value.find("dependencies")->as_array()) {
    EXPECT_TRUE(refs.contains(*item.find("ref")->as_string()));
    for (const Value& on : *item.find("dependsOn")->as_array()) {
      EXPECT_TRUE(refs.contains(*on.as_string()));
    }
  }
}

TEST(Hostile, OnlyPlainHttpsIsLinked) {
  for (const char* good : {"https://a.example", "https://a.example/x?y=1&z=%20#f",
                           "https://a.example/package/@scope/name"}) {
    EXPECT_TRUE(is_plain_https(good)) << good;
  }
  for (const char* bad : {"", "https://", "http://a.example", "javascript:alert(1)", "https:///x",
                          "https://a b", "https://u@a.example", "https://u:p@a.example",
                          "https://a.example/\"", "https://a.example/<", "https://a.example/)",
                          "https://a.example/\n", "https://\xC3\xA4.example", "HTTPS://a"}) {
    EXPECT_FALSE(is_plain_https(bad)) << bad;
  }
  EXPECT_FALSE(is_plain_https("https://a.example/" + std::string(1000, 'a')));
  findings::Finding f = qs();
  f.references = {"http://plain.example", "javascript:x", "https://u@h.example"};
  EXPECT_EQ(page(f), "");
  EXPECT_EQ(page(qs()), qs().references[1]);
}

TEST(Hostile, UrisKeepTheirShape) {
  EXPECT_EQ(relative_uri("packages/a b/package-lock.json"), "packages/a%20b/package-lock.json");
  EXPECT_EQ(relative_uri("//host/x"), "host/x");
  EXPECT_EQ(relative_uri("a:b?c#d%e\xC3\xA4"), "a%3Ab%3Fc%23d%25e%C3%A4");
  EXPECT_EQ(purl("@babel/core", "7.1.0"), "pkg:npm/%40babel/core@7.1.0");
  EXPECT_EQ(purl("JSONStream", "1.0.0-rc.1+b"), "pkg:npm/JSONStream@1.0.0-rc.1%2Bb");
  EXPECT_EQ(purl("foobar", ""), "pkg:npm/foobar");
  EXPECT_EQ(purl("@s/a/b?c#d@e", "1@2"), "pkg:npm/%40s/a%2Fb%3Fc%23d%40e@1%402");
  EXPECT_EQ(purl("@lonely", "1"), "pkg:npm/%40lonely@1");
}

TEST(Hostile, ShownIsBoundedAndWhole) {
  for (const std::string& text : nasty_texts()) {
    for (const std::size_t max : {0U, 1U, 3U, 4U, 10U, 100U}) {
      const std::string out = shown(text, max);
      EXPECT_LE(out.size(), std::max<std::size_t>(max, 3));
      EXPECT_TRUE(is_utf8(out));
      EXPECT_EQ(printable(out), out);
    }
  }
  EXPECT_EQ(shown("abc", 3), "abc");
  EXPECT_EQ(shown("abcdef", 5), "ab…");
}

}  // namespace
}  // namespace cg::formats
