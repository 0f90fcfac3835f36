// Files and folders stay small enough to be read in one go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/base/text.h"
#include "fence.h"

namespace cg::fence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kMaxHeader = 150;
constexpr std::size_t kMaxSource = 400;
constexpr std::size_t kMaxTest = 600;
constexpr std::size_t kMaxFolder = 30;  // fifteen pairs

std::size_t limit_of(const std::string& path) {
  if (path.ends_with('/')) return kMaxFolder;
  if (is_test(path)) return kMaxTest;
  return path.ends_with(".h") ? kMaxHeader : kMaxSource;
}

/// Lines by file, and C++ files by folder; a folder ends with a slash.
std::map<std::string, std::size_t> sizes_of(const std::vector<Source>& sources) {
  std::map<std::string, std::size_t> sizes;
  for (const Source& source : sources) {
    sizes[source.path] = lines_of(source.text).size();
    ++sizes[source.path.substr(0, source.path.rfind('/') + 1)];
  }
  return sizes;
}

Complaints check_sizes(const std::map<std::string, std::size_t>& sizes,
                       const std::vector<std::string>& exceptions) {
  Complaints out;
  std::map<std::string, std::size_t> allowed;
  for (const std::string& line : exceptions) {
    const std::vector<std::string> words = words_of(line);
    const auto size = words.size() < 3 ? std::nullopt : parse_u64(words[1]);
    if (!size) {
      out.push_back("exception is not \"path size reason\": " + line);
    } else if (!sizes.contains(words[0]) || sizes.at(words[0]) <= limit_of(words[0])) {
      out.push_back(words[0] + ": exception is no longer needed, remove it");
    } else {
      allowed[words[0]] = *size;
    }
  }
  for (const auto& [path, size] : sizes) {
    const std::size_t limit = allowed.contains(path) ? allowed[path] : limit_of(path);
    if (size <= limit) continue;
    out.push_back(path + ": " + std::to_string(size) + (path.ends_with('/') ? " files" : " lines") +
                  ", at most " + std::to_string(limit));
  }
  return out;
}

TEST(SizeFence, EachKindHasItsLimit) {
  const struct {
    std::string path;
    std::size_t most;
  } cases[] = {{"src/m/a.h", 150}, {"src/m/a.cc", 400}, {"src/m/a_test.cc", 600}, {"src/m/", 30}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.path);
    EXPECT_THAT(check_sizes({{c.path, c.most}}, {}), IsEmpty());
    EXPECT_THAT(check_sizes({{c.path, c.most + 1}}, {}), ElementsAre(HasSubstr(c.path)));
  }
}

TEST(SizeFence, ExceptionsOnlyShrink) {
  const std::map<std::string, std::size_t> sizes = {{"a.cc", 450}, {"b.cc", 100}};
  const struct {
    std::string line;
    std::string complaint;  // empty: accepted, and a.cc with it
  } cases[] = {
      {"a.cc 450 a table", ""},
      {"a.cc 500 a table", ""},
      {"a.cc 449 a table", "a.cc: 450 lines, at most 449"},
      {"a.cc 450", "not \"path size reason\""},
      {"a.cc many lines", "not \"path size reason\""},
      {"b.cc 450 a table", "b.cc: exception is no longer needed"},
      {"gone.cc 450 a table", "gone.cc: exception is no longer needed"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.line);
    const Complaints found = check_sizes(sizes, {c.line});
    EXPECT_EQ(found.empty(), c.complaint.empty());
    EXPECT_THAT(joined(found), HasSubstr(c.complaint));
  }
}

TEST(SizeFence, CountsLinesAndFiles) {
  EXPECT_THAT(sizes_of({{"m/a.cc", "1\n2\n"}, {"m/b.cc", "1\n2"}, {"m/c.cc", ""}}),
              ElementsAre(testing::Pair("m/", 3U), testing::Pair("m/a.cc", 2U),
                          testing::Pair("m/b.cc", 2U), testing::Pair("m/c.cc", 0U)));
}

TEST(SizeFence, Holds) {
  const std::vector<Source> sources = cpp_files_in({"src", "programs", "tests", "fuzz", "perf"});
  EXPECT_GE(sources.size(), 50U) << "saw too few files";
  EXPECT_EQ(joined(check_sizes(sizes_of(sources), list_file("size_exceptions.txt"))), "");
}

}  // namespace
}  // namespace cg::fence
