// What codegenie-git can be asked for, and what it answers: one order, one answer.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "fetch/gitrepo/error.h"
#include "fetch/gitrepo/types.h"

namespace cg::gitrepo {

/// `base`: a branch, tag, "HEAD" or commit id of at least seven digits; "" is HEAD.
/// Only files of `interest` are looked at for changes.
struct InspectOrder {
  std::string repo;
  std::string base;
  Filter interest;
};

struct ExportLimits {
  std::uint64_t max_files = 20'000;
  std::uint64_t max_bytes = 1ULL << 30U;        // together
  std::uint64_t max_file_bytes = 64ULL << 20U;  // a larger file is skipped, and listed
};

/// What becomes of symbolic links: nothing is ever made of them here.
enum class Links {
  skipped,
  told,  // where they lead, if that is a relative path
};

/// What becomes of submodules: skipped, or their files written where they belong if the commit and
/// all its objects are in the repository's own git folder, and so on to kMaxSubmodules deep.
enum class Submodules { skipped, exported };
inline constexpr unsigned kMaxSubmodules = 3;

/// `folder` is absolute, exists and is empty. Bytes are written as they are stored,
/// without filters; files get mode 0600 or 0700. Submodules are skipped unless they are exported,
/// symbolic links unless they are told. A tree with names that no honest git makes is refused as a
/// whole.
struct ExportOrder {
  std::string repo;
  ObjectId commit;
  Filter filter;
  std::string folder;
  ExportLimits limits;
  Links links = Links::skipped;
  Submodules submodules = Submodules::skipped;
};

/// Nothing is written. The same order gives the same bytes.
struct PrepareOrder {
  std::string repo;
  ObjectId base;
  std::vector<Change> changes;
  std::string message;
  Person author;
  Person committer;
  std::int64_t time = 0;            // seconds since 1970, for both
  std::int32_t offset_minutes = 0;  // east of UTC
};

/// `text` and `objects` from Prepared; `signature` armoured, over `text`, or "".
/// `branch` without refs/heads/; it must begin with `prefix`.
struct WriteOrder {
  std::string repo;
  std::string text;
  std::vector<NewObject> objects;
  std::string signature;
  std::string branch;
  std::string prefix = "codegenie/";
};

/// `what` as InspectOrder::base.
struct ShowOrder {
  std::string repo;
  std::string what;
};

using Order = std::variant<InspectOrder, ExportOrder, PrepareOrder, WriteOrder, ShowOrder>;

using Outcome = std::variant<Error, Inspection, Exported, Prepared, Written, Shown>;

struct Answer {
  std::string isolation;  // seal::describe() of what is in force; "" if it never was
  Outcome outcome;
};

}  // namespace cg::gitrepo
