// Corpus: records of solved breaks, and cases that are like one of them, from real packages and
// advisories.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "learn/example/example.h"

namespace cg::quality {

enum class Sort : std::uint8_t {
  solved,   // one of the real breaks of tests/ask/facts
  sibling,  // the same package, other versions, another break
  twin,     // another package, the words of a real break
  other,    // of another real advisory
};

struct Record {
  Sort sort = Sort::other;
  std::string of;  // the folder in tests/ask/facts it is made from; empty: none
  example::Example example;
};

/// A repository that nobody saw before, with one of the files: other names, another style, other
/// versions, and another advisory where the package has two.
struct Asked {
  std::string of;
  std::string file;  // there, whose uses of the package it has, and no others
  example::Example example;
};

struct Corpus {
  std::vector<Record> records;
  std::vector<Asked> asked;
};

/// From npm (packed into `work`, once) and the advisories of `data`. Throws with what is missing.
[[nodiscard]] Corpus real_corpus(const std::filesystem::path& data,
                                 const std::filesystem::path& work, std::size_t others);

}  // namespace cg::quality
