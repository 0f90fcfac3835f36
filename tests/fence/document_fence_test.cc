// Documents that are made from tables in the code, and tables that are used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>

#include "base/domain/error.h"
#include "base/domain/exit_code.h"
#include "fence.h"
#include "support/support.h"
#include "trust/record/event_codec.h"

namespace cg::fence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string home_name(record::Home home) {
  switch (home) {
    case record::Home::spanning:
      return "spanning";
    case record::Home::workflow:
      return "workflow";
  }
  std::abort();
}

std::string field_list(const std::vector<record::FieldRow>& fields) {
  std::string out;
  for (const record::FieldRow& field : fields) {
    if (!out.empty()) out += "<br>";
    out += "`" + std::string(field.name) + "` " + std::string(field.type);
    if (field.cap != 0) out += ", at most " + std::to_string(field.cap) + " bytes";
    if (field.added_later) out += ", where there is one";
  }
  return out;
}

std::string render(const std::vector<record::EventRow>& table) {
  std::string out = "| kind | says | stream | severity | fields |\n|---|---|---|---|---|\n";
  for (const record::EventRow& row : table) {
    out += "| `" + std::string(row.kind) + "` | " + cell(row.says) + " | " + home_name(row.home) +
           " | " + std::string(record::name(row.severity)) + " | " + cell(field_list(row.fields)) +
           " |\n";
  }
  return out;
}

std::string render(const std::vector<ExitCodeRow>& table) {
  std::string out = "| code | name | meaning | what a fleet does |\n|---|---|---|---|\n";
  for (const ExitCodeRow& row : table) {
    out += "| " + std::to_string(row.number) + " | `" + std::string(row.name) + "` | " +
           cell(row.meaning) + " | " + cell(row.reaction) + " |\n";
  }
  return out;
}

std::string exit_name(ExitCode code) {
  for (const ExitCodeRow& row : exit_code_table()) {
    if (row.number == static_cast<int>(code)) return std::string(row.name);
  }
  std::abort();
}

std::string render(const std::vector<ErrorCodeRow>& table) {
  std::string out;
  for (const ErrorCodeRow& row : table) {
    if (!out.empty()) out += "\n";
    out += "## " + std::string(row.code) + ": " + std::string(row.title) + "\n\nExit " +
           std::to_string(static_cast<int>(row.exit)) + " (`" + exit_name(row.exit) + "`). " +
           std::string(row.explanation) + "\n";
  }
  return out;
}

const std::vector<std::string>& error_names() {
  static const std::vector<std::string> names = {
#define CG_ERROR(name, code, exit, title, explanation) #name,
#include "base/domain/error_codes.def"
#undef CG_ERROR
  };
  return names;
}

/// A test that uses a code does not count: a code that only tests make is one
/// that no operator can ever meet.
Complaints check_used(const std::vector<std::string>& names, const std::vector<Source>& sources) {
  constexpr std::string_view kBefore = "ErrorCode::";
  std::set<std::string, std::less<>> made;
  for (const Source& source : sources) {
    if (is_test(source.path)) continue;
    const std::string_view text = source.text;
    for (std::size_t at = text.find(kBefore); at != text.npos; at = text.find(kBefore, at)) {
      at += kBefore.size();
      const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", at);
      made.emplace(text.substr(at, end - at));
    }
  }
  Complaints out;
  for (const std::string& name : names) {
    if (made.contains(name)) continue;
    out.push_back("ErrorCode::" + name + " is in the table but nothing makes it");
  }
  return out;
}

TEST(DocumentFence, SeesErrorCodesThatNothingMakes) {
  const std::vector<Source> sources = {{"a.cc", "fail(ErrorCode::one_more);"},
                                       {"b.cc", "fail(ErrorCode::two);"},
                                       {"c_test.cc", "fail(ErrorCode::three);"}};
  EXPECT_THAT(check_used({"one", "two", "three"}, sources),
              ElementsAre(HasSubstr("::one "), HasSubstr("::three ")));
}

TEST(DocumentFence, RendersEventRows) {
  const std::vector<record::EventRow> table = {{"kind_a",
                                                "Says a|b",
                                                record::Home::workflow,
                                                record::Severity::block,
                                                {{"n", "number", 0, true}, {"t", "text", 64}}}};
  EXPECT_THAT(
      render(table),
      HasSubstr("| `kind_a` | Says a\\|b | workflow | block | `n` number, where there is one"
                "<br>`t` text, at most 64 bytes |\n"));
}

TEST(DocumentFence, LeavesAloneWhatIsAboveTheMarker) {
  const std::string above = "# Title\n<!-- Generated from here on: CG_ACCEPT=1 x -->\n";
  EXPECT_EQ(with_generated(above + "old\n", "new\n"), above + "\nnew\n");
  EXPECT_EQ(with_generated(above, "new\n"), above + "\nnew\n");
  EXPECT_EQ(with_generated("# Title\n", "new\n"), std::nullopt);
  EXPECT_EQ(with_generated("", "new\n"), std::nullopt);
}

TEST(DocumentFence, EveryErrorCodeIsMadeSomewhere) {
  const std::vector<Source> sources = cpp_files_in({"src", "programs"});
  EXPECT_GE(error_names().size(), 20U);
  EXPECT_EQ(joined(check_used(error_names(), sources)), "");
}

/// Packages of tools/packages, "name" or "name:command" a line, that the document does not name.
Complaints check_packages(std::string_view list, const std::string& document) {
  Complaints out;
  for (const std::string& line : lines_of(list)) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::string name = line.substr(0, line.find(':'));
    const std::regex row(R"(^\|[^|]*\b)" + std::regex_replace(name, std::regex(R"(\+)"), R"(\+)"));
    const std::vector<std::string> rows = lines_of(document);
    if (std::none_of(rows.begin(), rows.end(),
                     [&](const std::string& text) { return std::regex_search(text, row); })) {
      out.push_back("tools/packages: no row for " + name);
    }
  }
  return out;
}

TEST(DocumentFence, SeesPackagesWithoutARow) {
  const std::string document = "| g++, cmake | building with ninja |\ntext about zlib\n";
  EXPECT_THAT(check_packages("# c\ng++\ncmake:cmake\nninja\nzlib\n", document),
              ElementsAre(HasSubstr("for ninja"), HasSubstr("for zlib")));
}

TEST(DocumentFence, DependenciesAreDocumented) {
  const std::string packages = test::read(source_dir() / "tools/packages");
  const std::string document = test::read(source_dir() / "doc/dependencies.md");
  EXPECT_EQ(joined(check_packages(packages, document)), "");
}

TEST(DocumentFence, WhatTheRestIsTrustedByHasOwners) {
  std::set<std::string> owned;
  for (const std::string& line : lines_of(test::read(source_dir() / ".github/CODEOWNERS"))) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::string path = line.substr(1, line.find(' ') - 1);
    EXPECT_TRUE(std::filesystem::exists(source_dir() / path)) << line;
    EXPECT_THAT(line, HasSubstr(" @codegenie/"));
    EXPECT_TRUE(owned.insert(path).second) << line;
  }
  for (const char* path : {"examples/cassettes/", "plugins/PLUGINS.lock"}) {
    EXPECT_TRUE(owned.contains(path)) << path;
  }
}

TEST(DocumentFence, EventsAreDocumented) {
  EXPECT_FALSE(record::event_table().empty());
  EXPECT_EQ(joined(check_document("doc/format/events.md", render(record::event_table()))), "");
}

TEST(DocumentFence, ErrorsAreDocumented) {
  EXPECT_EQ(joined(check_document("doc/errors.md", render(error_code_table()))), "");
}

TEST(DocumentFence, ExitCodesAreDocumented) {
  EXPECT_EQ(joined(check_document("doc/exit-codes.md", render(exit_code_table()))), "");
}

/// A number in a document, `#` in its words, that is how many lines of a file begin so.
struct Counted {
  const char* document;
  const char* words;
  const char* file;
  const char* line;
};

Complaints check_counts(const std::vector<Counted>& all,
                        const std::function<std::string(const std::string&)>& read) {
  Complaints out;
  for (const Counted& one : all) {
    const std::regex line(one.line);
    std::size_t found = 0;
    for (const std::string& text : lines_of(read(one.file))) {
      if (std::regex_search(text, line)) ++found;
    }
    const std::string words =
        std::regex_replace(std::string(one.words), std::regex("#"), std::to_string(found));
    if (read(one.document).find(words) == std::string::npos) {
      out.push_back(std::string(one.document) + ": does not say \"" + words + "\", as " + one.file +
                    " has it");
    }
  }
  return out;
}

TEST(DocumentFence, SeesACountThatIsNotTrue) {
  const auto read = [](const std::string& name) -> std::string {
    return name == "list" ? "== a\n== b\nc\n" : "2 ways, 3 paths";
  };
  EXPECT_THAT(
      check_counts({{"doc", "# ways", "list", "^== "}, {"doc", "# paths", "list", "^== "}}, read),
      ElementsAre(HasSubstr("2 paths")));
}

TEST(DocumentFence, CountsOfAttacksAreTrue) {
  const char* const versions = "tests/forge/versions.txt";
  const char* const lies = R"(^      \{"[a-z ]+",)";
  const std::vector<Counted> all = {
      {"ASSURANCE.md", "`tests/forge`: # versions", versions, "^== "},
      {"ASSURANCE.md", ", # of which look", versions, R"(^== .*\| looks$)"},
      {"doc/forging.md", "# versions,", versions, "^== "},
      {"doc/forging.md", ", # of which look", versions, R"(^== .*\| looks$)"},
      {"ASSURANCE.md", "# lies in case", "src/prove/evidence/forged_test.cc", lies},
      {"ASSURANCE.md", "`: # ways, none accepted", "tests/hostile/rewrites.txt", "^== "},
      {"ASSURANCE.md", "`tests/redteam`: # attacks", "tests/redteam/attacks.txt", "^== "},
      {"ASSURANCE.md", ", # of which no rule stops", "tests/redteam/attacks.txt",
       R"(\| reviewer$)"},
      {"ASSURANCE.md", "| # programs, one attempt each", "tests/escape/acts.def", R"(^CG_ACT\()"},
      {"doc/guide/proving.md", "# attempts to get out", "tests/escape/acts.def", R"(^CG_ACT\()"}};
  EXPECT_EQ(joined(check_counts(
                all, [](const std::string& name) { return test::read(source_dir() / name); })),
            "");
}

}  // namespace
}  // namespace cg::fence
