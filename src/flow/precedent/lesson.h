// Lesson: what a break is and what solved it, as something to be remembered.
//
// Made in two steps, each when it is known: what breaks, before anybody is asked, and the answer.
// Of the first alone the store can be asked for what is like it; what the gates said of the answer
// is for the store to add. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "learn/example/example.h"
#include "npm/npm/kinds.h"
#include "npm/upgrade/gist.h"
#include "vuln/advisory/advisory.h"

namespace cg::precedent {

/// Files, path and text.
using Texts = std::map<std::string, std::string, std::less<>>;

[[nodiscard]] example::Break break_of(upgrade::Break kind);

/// What breaks. Texts are the repository's and the package's own; they are cleaned here.
struct Breaking {
  npm::LockKind lock = npm::LockKind::package_lock;
  std::vector<advisory::Advisory> advisories;  // the leading one first
  std::string package;
  std::string from, to;  // versions
  upgrade::Gist gist;
  std::string difference;
  Texts files;          // of the repository, that use the package
  std::string license;  // of the repository
};
[[nodiscard]] example::Example lesson_of(const Breaking& breaking);

/// What somebody proposes for it.
struct Answer {
  std::string kind;  // "callsite_rewrite", as proposals are called
  std::string plan;  // the diff, or the proposal's own JSON
  Texts rewritten;   // files as they are to be
  example::Author author = example::Author::model;
  std::string model;
  hash::Digest prompt{};
};
/// With how each function that uses the package was and became, and what of that can be carried
/// over to other files (learn/carry): all of it or none, so none if it changes other files than
/// `files`, which are those that use the package.
void add_answer(example::Example& lesson, const Answer& answer, const Texts& files);

}  // namespace cg::precedent
