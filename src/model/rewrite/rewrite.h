// Rewrite: what a new text of a source does that the old one did not, by syntax.
//
// A rewrite of call sites changes how a package is used. So everything else that the new text
// reaches outside itself must have been reached by the old one, in the same way: globals and
// their members, modules and their exports, calls with what they are given, writes. New are
// only exports that the package really has. What was called for what it does is still called. What
// decides whether code is right (assertions, errors that are thrown, orders to compilers and
// linters) stays as it is, and a name is what it looks like. Texts name no new host, hold no more
// markup that runs, and give no orders to who reads them.
//
// Both texts become lists of items (item.h), and the lists are compared; nothing is executed.
// Not claimed: that a rewrite does what it should with what it may use. Gates and the reviewer
// are for that.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/rewrite/breach.h"
#include "npm/exports/exports.h"
#include "npm/syntax/language.h"

namespace cg::rewrite {

[[nodiscard]] std::string_view name(Breach breach);

struct Finding {
  Breach breach;
  std::size_t line = 0;  // of the new text, of the old one for what is gone; from 1
};

struct Change {
  std::string_view before;
  std::string_view after;
  syntax::Language language;
  std::string_view package;  // as imports name it
  /// Of the version that the package is moved to. Without it no new export of the package is
  /// taken for one.
  const exports::Api* api = nullptr;
};

/// The first thing that is wrong, if any.
[[nodiscard]] std::optional<Finding> find_breach(const Change& change);

}  // namespace cg::rewrite
