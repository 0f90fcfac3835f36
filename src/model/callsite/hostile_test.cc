// Sources that nobody writes: deep, broken, large. They are judged in bounded time and memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

#include "model/callsite/callsite.h"
#include "npm/syntax/syntax.h"
#include "support/support.h"

namespace cg::callsite {
namespace {

using syntax::kMaxFileBytes;
using syntax::language_of;

constexpr Language kAll[] = {Language::javascript, Language::typescript, Language::tsx};

std::string repeated(std::string_view unit, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += unit;
  return out;
}

std::string nested(std::string_view open, std::string_view close, std::size_t bytes) {
  const std::size_t count = bytes / (open.size() + close.size()) + 1;
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += open;
  for (std::size_t i = 0; i < count; ++i) out += close;
  return out;
}

/// With its import in front, so that it is parsed at all.
void judge(const std::string& text) {
  const std::string whole = "const m = require('marked');\n" + text;
  for (const Language language : kAll) {
    const auto found = find_uses(whole, language, "marked");
    if (!found) {
      EXPECT_EQ(found.error(), Error::too_deep);
      continue;
    }
    std::size_t size = 0;
    for (const Piece& piece : found->functions) size += piece.text.size();
    EXPECT_LE(size, whole.size());
  }
}

/// Stacks of the library that are deeper than this process's own: it would recurse over them.
TEST(DeepNests, AreRefused) {
  const std::string text = "m = require('marked');" + nested("{a:", "}", 1U << 20U);
  for (const Language language : kAll) {
    const auto found = find_uses(text, language, "marked");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error(), Error::too_deep);
  }
  // What people write is far from that.
  const std::string fine = "m = require('marked');\n" + nested("{a:", "}", 600);
  EXPECT_TRUE(find_uses(fine, Language::javascript, "marked"));
}

TEST(DeepNests, OfEveryKindEnd) {
  const std::pair<const char*, const char*> kinds[] = {{"(", ")"},
                                                       {"[", "]"},
                                                       {"{", "}"},
                                                       {"[a,", "]"},
                                                       {"(a=", ")"},
                                                       {"({a:", "})"},
                                                       {"a(", ")"},
                                                       {"<a>", "</a>"},
                                                       {"`${", "}`"},
                                                       {"async (", ")=>1"},
                                                       {"f(a=>{", "})"},
                                                       {"function(){", "}"},
                                                       {"a<b,", ">"},
                                                       {"{[", "]}"},
                                                       {"if(m){", "}else{}"},
                                                       {"class A{a(){", "}}"}};
  for (const auto& [open, close] : kinds) judge(nested(open, close, 100'000));
}

TEST(Repetition, OfEveryKindEnds) {
  for (const char* unit : {"\"",
                           "'",
                           "`",
                           "(",
                           "{a:",
                           "m+",
                           "!",
                           "m.",
                           "m?m:",
                           "x:",
                           "type a=",
                           "a as ",
                           "async (",
                           "a<",
                           "/",
                           "\\",
                           "m;",
                           "m,",
                           "if(m)",
                           "m=>",
                           "<m ",
                           "...",
                           "#",
                           "@m ",
                           "\xEF\xBB\xBF",
                           "\xE2\x80\xA8",
                           "/*",
                           "<!--",
                           "function m",
                           "class m{",
                           "import m from",
                           "export {"}) {
    judge(repeated(unit, 20'000));
  }
}

/// The library's error recovery is quadratic here: an hour for this file, without a bound.
TEST(Quotes, AtFullSizeEnd) {
  const auto found = find_uses("require('marked')" + repeated("\"", kMaxFileBytes - 100),
                               Language::javascript, "marked");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error(), Error::too_deep);
}

TEST(ManyUses, AreOneWalk) {
  judge(repeated("function f(){return m.parse(m)}\n", 100'000));
  judge(nested("{let a=m;", "}", 900) + repeated("m;", 100'000));
}

TEST(Limits, AreTold) {
  EXPECT_EQ(find_uses(std::string(kMaxFileBytes + 1, ' '), Language::javascript, "x").error(),
            Error::too_large);
  EXPECT_EQ(find_uses("require('x'); \xFF", Language::javascript, "x").error(), Error::not_utf8);
  EXPECT_TRUE(find_uses(std::string("require('x');\0 a", 16), Language::javascript, "x"));
  EXPECT_TRUE(find_uses("x", Language::javascript, "")->empty());
}

TEST(Damage, OfEveryByteIsHarmless) {
  const std::string good =
      "import d, {parse as p} from 'marked';\nconst {a: [b] = 1} = require(\"marked\");\n"
      "class A<T> { x = <B>p</B>; m(q: d.T) { return `${p(q)}` } }\n";
  for (const Language language : kAll) {
    for (std::size_t i = 0; i < good.size(); ++i) {
      static_cast<void>(find_uses(good.substr(0, i), language, "marked"));
      for (const char c : {'\0', '{', '}', '"', '\\', '\n', '\x7F'}) {
        std::string bad = good;
        bad[i] = c;
        static_cast<void>(find_uses(bad, language, "marked"));
      }
    }
  }
}

/// Real sources, where there are some: what test runners and grammars were installed with.
TEST(RealSources, AreRead) {
  namespace fs = std::filesystem;
  std::size_t files = 0;
  std::size_t broken = 0;
  std::size_t refused = 0;
  std::size_t with_uses = 0;
  std::size_t bytes = 0;
  {
    std::error_code error;
    for (fs::recursive_directory_iterator it(CG_REAL_SOURCES, error), end;
         !error && it != end && files < 300; it.increment(error)) {
      const auto language = language_of(it->path().string());
      if (!language || !it->is_regular_file() || it->file_size() > kMaxFileBytes) continue;
      const std::string text = test::read(it->path());
      const std::size_t at = text.find("require(");
      // Whatever it requires first, else the file system's, so that it is parsed in any case.
      std::string package = "fs";
      if (at != text.npos && at + 9 < text.size()) {
        const std::size_t stop = text.find_first_of("'\")", at + 9);
        package = text.substr(at + 9, std::min<std::size_t>(stop - at - 9, 60));
      }
      const auto found = find_uses(text, *language, package.empty() ? "fs" : package);
      ++files;
      bytes += text.size();
      if (!found) {
        ++refused;
        std::cout << "refused: " << it->path().filename() << "\n";
        continue;
      }
      broken += found->broken ? 1U : 0U;
      with_uses += found->empty() ? 0U : 1U;
    }
  }
  if (files == 0) std::cout << "no real sources are here\n";
  std::cout << files << " files, " << bytes << " bytes, " << with_uses << " with uses, " << broken
            << " partly broken, " << refused << " refused\n";
  EXPECT_LE(refused * 100, files);
}

}  // namespace
}  // namespace cg::callsite
