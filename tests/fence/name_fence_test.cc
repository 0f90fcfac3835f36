// A gate says what was counted, never how sure anybody is: no name in it, nor in a
// document, promises more.
//
// What is looked for is put together from pieces, so that this file passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "fence.h"

namespace cg::fence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A score of CVSS is a fact that others published. No gate has one, so only documents may.
const std::regex& estimates(std::string_view path) {
  static const std::string words =
      std::string("confi") + "dence|proba" + "bil|likeli" + "hood|certain" + "ty";
  static const std::regex in_documents(words, std::regex::icase);
  static const std::regex in_gates(words + "|sco" + "re", std::regex::icase);
  const bool is_scan = path.find("doc/schema/scan") != std::string_view::npos;
  return is_scan ? in_documents : in_gates;
}

/// In code only names count: what stands in comments is for people.
std::string_view without_comment(const Source& source, std::string_view line) {
  return is_cpp(source.path) ? line.substr(0, line.find("//")) : line;
}

Complaints check_names(const Source& source) {
  Complaints out;
  std::size_t number = 0;
  for (const std::string& line : lines_of(source.text)) {
    ++number;
    const std::string text(without_comment(source, line));
    std::smatch found;
    if (!std::regex_search(text, found, estimates(source.path))) continue;
    out.push_back(at(source, number) + "`" + found.str() + "` names an estimate");
  }
  return out;
}

TEST(NameFence, SeesEachName) {
  for (const std::string& name :
       {std::string("confi") + "dence", std::string("Proba") + "bility",
        std::string("test_likeli") + "hood", std::string("kSco") + "re"}) {
    EXPECT_THAT(check_names({"src/prove/gate/a.h", "int a;\n  double " + name + " = 1;\n"}),
                ElementsAre(HasSubstr("src/prove/gate/a.h:2: ")));
    EXPECT_THAT(check_names({"doc/schema/a.json", "\"" + name + "\": {}\n"}),
                ElementsAre(HasSubstr("names an estimate")));
  }
  EXPECT_THAT(check_names({"src/prove/gate/a.h", std::string("int a;  // no sco") + "re\n"}),
              IsEmpty());
  EXPECT_THAT(check_names({"doc/schema/scan.json", std::string("\"sco") + "re\": 9.8\n"}),
              IsEmpty());
  EXPECT_THAT(check_names({"doc/schema/scan.json", std::string("\"confi") + "dence\": 1\n"}),
              testing::SizeIs(1));
}

TEST(NameFence, Holds) {
  Complaints complaints;
  std::size_t seen = 0;
  for (const char* folder : {"src/prove", "doc/schema"}) {
    for (const Source& source : files_in(folder)) {
      ++seen;
      for (auto& c : check_names(source)) complaints.push_back(c);
    }
  }
  EXPECT_GE(seen, 40U) << "saw too few files";
  EXPECT_EQ(joined(complaints), "");
}

}  // namespace
}  // namespace cg::fence
