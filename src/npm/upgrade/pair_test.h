// Two versions of a package of our own, for the tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "npm/syntax/syntax.h"
#include "npm/upgrade/upgrade.h"

namespace cg::upgrade::test {

inline exports::Unpacked package(exports::Files files, const std::string& manifest) {
  exports::Unpacked out;
  files.try_emplace("package.json", manifest);
  for (const auto& [path, text] : files) out.all[path] = {text.size(), false};
  out.sources = std::move(files);
  return out;
}

/// What `source`, a file of ours, uses of the package "p".
inline Used used_by(const std::string& source) {
  const auto syntax = syntax::Syntax::parse(source, syntax::Language::typescript);
  EXPECT_TRUE(syntax);
  return used_in(*syntax, "p");
}

struct Two {
  exports::Unpacked before;
  exports::Unpacked after;
  std::optional<exports::Unpacked> types_before = std::nullopt;
  std::optional<exports::Unpacked> types_after = std::nullopt;

  [[nodiscard]] Difference compared(const Used& used, const exports::Limits& limits = {}) const {
    const Side old = {&before, types_before ? &*types_before : nullptr};
    const Side now = {&after, types_after ? &*types_after : nullptr};
    return compare(old, now, used, limits).value();
  }
  /// Without what its last part says of the code.
  [[nodiscard]] std::string text(const std::string& source, std::size_t cap = kMaxText) const {
    const std::string all = whole(source, cap);
    return all.substr(0, all.find("\nLines of code that changed"));
  }
  [[nodiscard]] std::string whole(const std::string& source, std::size_t cap = kMaxText) const {
    return describe(compared(used_by(source)), cap);
  }
};

inline Two two(const exports::Files& before, const exports::Files& after) {
  return {package(before, R"({"name":"p","version":"1.0.0","main":"index.js"})"),
          package(after, R"({"name":"p","version":"2.0.0","main":"index.js"})")};
}

}  // namespace cg::upgrade::test
