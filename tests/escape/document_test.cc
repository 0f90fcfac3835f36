// doc/sandbox.md lists what was tried, from the table that the tests go by.
#include <gtest/gtest.h>

#include <map>

#include "../fence/fence.h"
#include "acts.h"

namespace cg::escape {
namespace {

std::string one_way(const std::string& word) {
  static const std::map<std::string, std::string> words = {
      {"did", "inside only"},
      {"none", "nothing there"},
      {"nobody", "nobody came"},
      {"zeros", "zeros"},
      {"covered", "an empty device in its place"},
      {"other", "another name"},
      {"ignored", "setuid bit ignored"},
      {"ended", "ended: memory"},
      {"wall", "ended: wall clock"},
      {"memory", "ended: memory"},
      {"only by name", "root by name only"},
  };
  const auto it = words.find(word);
  return it == words.end() ? "`" + word + "`" : it->second;
}

std::string ways(std::string expected) {
  constexpr std::string_view kOr = " or ";
  std::string out;
  for (std::size_t end = 0; (end = expected.find(kOr)) != std::string::npos;) {
    out += one_way(expected.substr(0, end)) + ", ";
    expected.erase(0, end + kOr.size());
  }
  return out + one_way(expected);
}

std::string render() {
  std::string out = "| act | tries to | jail | microVM | control |\n|---|---|---|---|---|\n";
  for (const Act& a : acts()) {
    out += "| `" + a.name + "` | " + a.tries + " | " + ways(a.jail) + " | " + ways(a.microvm) +
           " | " + a.control + " |\n";
  }
  return out;
}

TEST(Document, ListsEveryActWithItsResult) {
  EXPECT_EQ(fence::joined(fence::check_document("doc/sandbox.md", render())), "");
}

TEST(Document, NamesEveryWay) {
  EXPECT_EQ(ways("EPERM or did"), "`EPERM`, inside only");
  EXPECT_EQ(ways("SIGSYS"), "`SIGSYS`");
}

}  // namespace
}  // namespace cg::escape
