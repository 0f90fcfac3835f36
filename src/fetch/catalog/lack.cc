#include "fetch/catalog/lack.h"

#include "base/base/assert.h"

namespace cg::catalog {

namespace {

struct LackRow {
  Lack::Kind kind;
  std::string_view name;
  std::string_view words;
};
constexpr LackRow kLackRows[] = {
    {Lack::Kind::bad_name, "bad_name", "not the name of a package"},
    {Lack::Kind::no_registry, "no_registry", "no registry is configured"},
    {Lack::Kind::not_found, "not_found", "not in the registry"},
    {Lack::Kind::unpublished, "unpublished", "unpublished"},
    {Lack::Kind::refused, "refused", "the registry refuses it"},
    {Lack::Kind::rubbish, "rubbish", "the registry's answer is no packument"},
    {Lack::Kind::name_mismatch, "name_mismatch", "the answer is about another package"},
    {Lack::Kind::too_large, "too_large", "the registry's answer is too large"},
    {Lack::Kind::redirect, "redirect", "the registry sends us elsewhere"},
    {Lack::Kind::timeout, "timeout", "the registry took too long"},
    {Lack::Kind::unreachable, "unreachable", "the registry cannot be reached"},
    {Lack::Kind::offline, "offline", "not in the cache, and the network was ruled out"},
    {Lack::Kind::damaged, "damaged", "damaged in the cache"},
    {Lack::Kind::storage, "storage", "the cache cannot be read or written"},
    {Lack::Kind::stopped, "stopped", "the fetching program could not be used"},
};

const LackRow& row_of(Lack::Kind kind) {
  const LackRow& row = kLackRows[static_cast<std::size_t>(kind)];
  CG_ASSERT(row.kind == kind);
  return row;
}

struct MissingRow {
  Missing::Kind kind;
  std::string_view name;
  std::string_view words;
};
constexpr MissingRow kMissingRows[] = {
    {Missing::Kind::elsewhere, "elsewhere",
     "comes from git or a URL of its own, which is not fetched"},
    {Missing::Kind::bad_name, "bad_name", "not the name and version of a package"},
    {Missing::Kind::no_registry, "no_registry", "no registry is configured"},
    {Missing::Kind::no_integrity, "no_integrity", "nobody says which bytes are meant"},
    {Missing::Kind::bad_integrity, "bad_integrity", "the lock's integrity cannot be read"},
    {Missing::Kind::mismatch, "mismatch", "the registry has other bytes than the lock means"},
    {Missing::Kind::redirect, "redirect", "the registry sends us elsewhere"},
    {Missing::Kind::too_large, "too_large", "too large"},
    {Missing::Kind::offline, "offline", "not in the cache, and the network was ruled out"},
    {Missing::Kind::unfetched, "unfetched", "could not be fetched"},
};

const MissingRow& row_of(Missing::Kind kind) {
  const MissingRow& row = kMissingRows[static_cast<std::size_t>(kind)];
  CG_ASSERT(row.kind == kind);
  return row;
}

}  // namespace

std::string_view name(Lack::Kind kind) { return row_of(kind).name; }
std::string_view words(Lack::Kind kind) { return row_of(kind).words; }

std::string_view name(Missing::Kind kind) { return row_of(kind).name; }

std::string describe(const Missing& missing) {
  std::string out = missing.name + "@" + missing.version + ": ";
  out += row_of(missing.kind).words;
  return missing.what.empty() ? out : out + " (" + missing.what + ")";
}

}  // namespace cg::catalog
