#include "fetch/catalog/bundle.h"

#include <map>
#include <optional>
#include <set>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "base/base/text.h"
#include "npm/registry/packument.h"
#include "npm/registry/stored.h"
#include "trust/hash/blake3.h"

namespace cg::catalog {

namespace {

constexpr std::string_view kEntries = "entries.jsonl";
constexpr std::string_view kContentPrefix = "content/";
constexpr std::int64_t kMsPerSecond = 1000;
constexpr int kLevel = 9;

const archive::Limits kLimits{.max_entries = 1'000'000, .max_entry = registry::kMaxPackumentBytes};

using Contents = std::map<std::string, std::string_view>;  // by digest

struct Parts {
  std::string_view entries;
  Contents contents;
  std::string unexpected;  // the first name that has no place here
  bool has_entries = false;
};

Result<Parts, std::string> read_parts(std::string_view tar) {
  Parts parts;
  const auto read = archive::read_tar(tar, kLimits, [&](const archive::Entry& entry) {
    if (entry.name == kEntries && !parts.has_entries) {
      parts.entries = entry.content;
      parts.has_entries = true;
    } else if (entry.name.starts_with(kContentPrefix)) {
      const std::string_view digest = entry.name.substr(kContentPrefix.size());
      if (to_hex(hash::blake3(as_bytes(entry.content))) != digest) {
        parts.unexpected = std::string(entry.name) + " does not have the digest of its name";
        return archive::Next::stop;
      }
      parts.contents.emplace(digest, entry.content);
    } else {
      parts.unexpected = printable(cut_utf8(entry.name, 100)) + " has no place in a bundle";
      return archive::Next::stop;
    }
    return archive::Next::more;
  });
  if (!read) return fail(archive::describe(read.error()));
  if (!parts.unexpected.empty()) return fail(std::move(parts.unexpected));
  if (!parts.has_entries) return fail(std::string("it has no entries.jsonl"));
  return parts;
}

}  // namespace

Result<Packed, Problem> make_bundle(const Cache& cache) {
  CG_TRY_ASSIGN(const std::vector<CacheEntry> entries, cache.all());
  std::string lines;
  std::map<std::string, std::string> contents;
  Time newest{};
  Packed packed;
  for (const CacheEntry& entry : entries) {
    CG_TRY_ASSIGN(std::optional<std::string> content, cache.content(entry));
    if (!content) continue;
    lines += write_entry(entry);
    contents.emplace(to_hex(entry.content), *std::move(content));
    newest = std::max(newest, entry.fetched);
    ++packed.packages;
  }
  archive::TarWriter tar(static_cast<std::uint64_t>(newest.ms / kMsPerSecond));
  const auto first = tar.add(kEntries, lines);
  CG_ASSERT(first);  // the names are ours, and the sizes bounded
  for (const auto& [digest, content] : contents) {
    const auto added = tar.add(std::string(kContentPrefix) + digest, content);
    CG_ASSERT(added);
  }
  packed.bytes = archive::zstd_compress(std::move(tar).finish(), kLevel);
  return packed;
}

Result<Unpacked, std::string> read_bundle(std::string_view bytes) {
  const auto tar = archive::unzstd(bytes, kLimits);
  if (!tar) return fail(archive::describe(tar.error()));
  CG_TRY_ASSIGN(const Parts parts, read_parts(*tar));
  Unpacked unpacked;
  std::set<std::string> seen;
  std::size_t number = 0;
  for (const std::string_view line : split(parts.entries, '\n')) {
    ++number;
    if (line.empty()) continue;
    const std::string where = "entry " + std::to_string(number);
    auto entry = parse_entry(line);
    if (!entry) return fail(where + " cannot be read");
    if (!seen.insert(Cache::entry_path(entry->registry, entry->name)).second) {
      return fail(where + " is there twice");
    }
    const auto content = parts.contents.find(to_hex(entry->content));
    if (content == parts.contents.end()) return fail(where + " has no content");
    const auto packument = registry::Packument::read(entry->name, std::string(content->second));
    if (!packument || !registry::is_sound(*packument)) {
      return fail(where + " is not the metadata of a package");
    }
    unpacked.packages.emplace_back(*std::move(entry), content->second);
  }
  return unpacked;
}

Result<Imported, Problem> import_bundle(const Cache& cache, const Unpacked& bundle) {
  Imported imported;
  for (const auto& [entry, stored] : bundle.packages) {
    const auto there = cache.find(entry.registry, entry.name);
    if (!there) return fail(there.error());
    if (there->has_value() && (*there)->fetched >= entry.fetched) {
      ++imported.kept;
      continue;
    }
    CG_TRY(cache.put(entry, stored));
    ++imported.taken;
  }
  return imported;
}

}  // namespace cg::catalog
