// Rewrites carried over: a text as a template, and as files.
//
// A template that is read is written as it was. What is learned of a change makes the same change
// of the same file, if the judge of rewrites lets it pass, and survives being written. What is made
// of another file parses.
#include <string>
#include <string_view>
#include <vector>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "learn/carry/carry.h"
#include "npm/syntax/syntax.h"

namespace {

using namespace cg::carry;

constexpr std::string_view kCut = "----\n";
constexpr std::string_view kFile =
    "const { a } = require('m');\nfunction f(x) {\n  return a(x, { b: 1 });\n}\n";

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; out.size() < 3;) {
    const std::size_t cut = text.find(kCut, at);
    out.push_back(text.substr(at, cut == text.npos ? text.npos : cut - at));
    if (cut == text.npos) break;
    at = cut + kCut.size();
  }
  return out;
}

void check_result(const cg::Result<std::string, Refusal>& made, const File& file) {
  if (!made) {
    CG_ASSERT(!describe(made.error()).empty());
    return;
  }
  const auto read = cg::syntax::Syntax::parse(*made, file.language);
  CG_ASSERT(read.has_value() && !read->broken());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto language = static_cast<cg::syntax::Language>(data[0] % 3);
  if (const auto read = parse(text)) {
    CG_ASSERT(write(*read) == text);
    CG_ASSERT(!explain(*read).empty());
    const File file{kFile, read->language, "m"};
    check_result(apply(*read, file, nullptr), file);
  }
  const std::vector<std::string_view> parts = parts_of(text);
  if (parts.size() < 2) return 0;
  const File file{parts[0], language, "m"};
  const auto learned = learn(file, parts[1]);
  if (!learned) return 0;
  const auto again = parse(write(*learned));
  CG_ASSERT(again.has_value() && *again == *learned);
  const auto same = apply(*learned, file, nullptr);
  CG_ASSERT(same ? *same == parts[1] : same.error().why.starts_with("the result would not pass"));
  if (parts.size() < 3) return 0;
  const File other{parts[2], language, "m"};
  check_result(apply(*learned, other, nullptr), other);
  return 0;
}
