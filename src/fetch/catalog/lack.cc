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

}  // namespace

std::string_view name(Lack::Kind kind) { return row_of(kind).name; }
std::string_view words(Lack::Kind kind) { return row_of(kind).words; }

}  // namespace cg::catalog
