#include "fetch/catalog/cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <tuple>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/registry/name.h"
#include "npm/registry/packument.h"
#include "trust/hash/blake3.h"

namespace cg::catalog {

namespace {

using json::Value;

constexpr std::size_t kMaxEntry = 16U << 10U;
constexpr std::size_t kMaxNames = 1'000'000;
constexpr std::size_t kMaxRegistries = 1000;
constexpr std::size_t kRegistryDigits = 16;
constexpr std::size_t kMaxFileName = 200;
constexpr std::string_view kSchema = "codegenie/registry-entry/v1";

constexpr const char* kIndex = "cache/registry/index";
constexpr const char* kContent = "cache/registry/content";

Problem packument_storage(const os::Error& error, const std::string& path) {
  const ErrorCode code = error.kind == os::Error::Kind::no_space    ? ErrorCode::home_no_space
                         : error.kind == os::Error::Kind::read_only ? ErrorCode::home_read_only
                         : error.kind == os::Error::Kind::symlink   ? ErrorCode::home_symlink
                                                                    : ErrorCode::home_io;
  return {code,
          "the registry cache cannot be read or written",
          {{"file", path}, {"found", os::describe(error)}},
          "nothing was changed",
          {}};
}

Problem damaged(const std::string& path, const std::string& found) {
  return {ErrorCode::registry_damaged,
          "a file of the registry cache is not what was written",
          {{"file", path}, {"found", found}},
          "nothing was decided by it, and it was not replaced",
          {"rm '" + path + "'    (the next run fetches it again)"}};
}

/// Digits of the hash, for what cannot stand in a file name as it is.
std::string hashed(std::string_view text) { return to_hex(hash::blake3(as_bytes(text))); }

std::string file_name(std::string_view name) {
  const std::string encoded = registry::path_of(name);
  return encoded.size() <= kMaxFileName ? encoded : "~" + hashed(name);
}

/// All or nothing, but not synced: what is here can be had again, and is checked by its
/// digest when it is read. Syncing each file costs more than fetching it.
Result<Done, os::Error> write_whole(const os::Dir& home, const std::string& path,
                                    std::string_view bytes) {
  static std::atomic<unsigned> counter{0};
  const std::size_t slash = path.rfind('/');
  const std::string name = path.substr(slash + 1);
  CG_TRY_ASSIGN(const os::Dir folder, home.open_dir(path.substr(0, slash)));
  const std::string temporary =
      ".cg-tmp-" + std::to_string(getpid()) + "-c" + std::to_string(counter++);
  CG_TRY(folder.remove(temporary));  // of an earlier process with our number
  {
    CG_TRY_ASSIGN(const os::Fd fd, folder.open_file(temporary, O_WRONLY | O_CREAT | O_EXCL));
    auto written = os::write_at(fd, bytes, 0, folder.path_of(temporary));
    if (!written) {
      static_cast<void>(folder.remove(temporary).has_value());
      return written;
    }
  }
  const int at = folder.fd().get();
  if (renameat(at, temporary.c_str(), at, name.c_str()) == 0) return Done{};
  const int code = errno;
  static_cast<void>(folder.remove(temporary).has_value());
  return fail(os::from_errno(code, folder.path_of(name)));
}

/// The folder `path` is there.
Result<Done, os::Error> ensure_dir(const os::Dir& home, const std::string& path) {
  if (home.stat(path)) return Done{};
  return home.make_dir(path);
}

}  // namespace

std::string write_entry(const CacheEntry& entry) {
  return json::write_json(Value::Object{{"schema", kSchema},
                                        {"name", entry.name},
                                        {"registry", entry.registry},
                                        {"etag", entry.etag},
                                        {"last_modified", entry.last_modified},
                                        {"fetched", to_iso(entry.fetched)},
                                        {"content", to_hex(entry.content)}}) +
         "\n";
}

std::optional<CacheEntry> parse_entry(std::string_view text) {
  const auto json = json::parse_json(text, {.max_bytes = kMaxEntry, .max_depth = 2});
  if (!json || json->text("schema") != kSchema) return std::nullopt;
  const auto fetched = parse_iso(json->text("fetched"));
  const auto content = hash::parse_digest(json->text("content"));
  CacheEntry entry{json->text("name"), json->text("registry"), json->text("etag"),
                   json->text("last_modified")};
  const auto url = registry::RegistryUrl::parse(entry.registry);
  if (!fetched || !content || !registry::is_package_name(entry.name)) return std::nullopt;
  if (!url || url->str() != entry.registry) return std::nullopt;
  entry.fetched = *fetched;
  entry.content = *content;
  return entry;
}

std::string Cache::entry_path(const std::string& registry, std::string_view name) {
  return std::string(kIndex) + "/" + hashed(registry).substr(0, kRegistryDigits) + "/" +
         file_name(name);
}

std::string Cache::content_path(const hash::Digest& content) {
  return std::string(kContent) + "/" + to_hex(content);
}

Result<std::optional<CacheEntry>, Problem> Cache::find(const std::string& registry,
                                                       std::string_view name) const {
  const std::string path = entry_path(registry, name);
  const auto text = home_->read(path, kMaxEntry);
  if (!text) {
    if (text.error().kind == os::Error::Kind::not_found) return std::optional<CacheEntry>();
    return fail(packument_storage(text.error(), home_->path_of(path)));
  }
  if (text->empty()) return std::optional<CacheEntry>();  // a power cut
  auto entry = parse_entry(*text);
  if (!entry || entry->name != name || entry->registry != registry) {
    return fail(damaged(home_->path_of(path), "not the entry of this package"));
  }
  return entry;
}

Result<std::optional<std::string>, Problem> Cache::content(const CacheEntry& entry) const {
  const std::string path = content_path(entry.content);
  auto text = home_->read(path, registry::kMaxPackumentBytes);
  if (!text) {
    if (text.error().kind == os::Error::Kind::not_found) return std::optional<std::string>();
    return fail(packument_storage(text.error(), home_->path_of(path)));
  }
  if (text->empty()) return std::optional<std::string>();  // a power cut
  if (hash::blake3(as_bytes(*text)) != entry.content) {
    return fail(damaged(home_->path_of(path), "its bytes have another digest than its name"));
  }
  return std::optional(*std::move(text));
}

Result<Done, Problem> Cache::put(CacheEntry entry, std::string_view stored) const {
  entry.content = hash::blake3(as_bytes(stored));
  const std::string path = content_path(entry.content);
  // Whoever else has the same content wrote the same bytes; broken ones are replaced.
  const auto there = content(entry);
  if (!there || !there->has_value()) {
    auto made = ensure_dir(*home_, kContent);
    if (!made) return fail(packument_storage(made.error(), home_->path_of(kContent)));
    auto written = write_whole(*home_, path, stored);
    if (!written) return fail(packument_storage(written.error(), home_->path_of(path)));
  }
  return put_entry(entry);
}

Result<Done, Problem> Cache::put_entry(const CacheEntry& entry) const {
  const std::string path = entry_path(entry.registry, entry.name);
  const std::string folder = path.substr(0, path.rfind('/'));
  auto made = ensure_dir(*home_, folder);
  if (!made) return fail(packument_storage(made.error(), home_->path_of(folder)));
  auto written = write_whole(*home_, path, write_entry(entry));
  if (!written) return fail(packument_storage(written.error(), home_->path_of(path)));
  return Done{};
}

Result<std::vector<CacheEntry>, Problem> Cache::all() const {
  std::vector<CacheEntry> entries;
  const auto registries = home_->list(kIndex, kMaxRegistries);
  if (!registries) {
    if (registries.error().kind == os::Error::Kind::not_found) return entries;
    return fail(packument_storage(registries.error(), home_->path_of(kIndex)));
  }
  for (const std::string& folder : *registries) {
    const std::string path = std::string(kIndex) + "/" + folder;
    const auto names = home_->list(path, kMaxNames);
    if (!names) return fail(packument_storage(names.error(), home_->path_of(path)));
    for (const std::string& name : *names) {
      if (os::is_leftover(name)) continue;
      const std::string file = path + "/" + name;
      const auto text = home_->read(file, kMaxEntry);
      if (!text) return fail(packument_storage(text.error(), home_->path_of(file)));
      if (text->empty()) continue;
      auto entry = parse_entry(*text);
      if (!entry || entry_path(entry->registry, entry->name) != file) {
        return fail(damaged(home_->path_of(file), "not the entry of its package"));
      }
      entries.push_back(*std::move(entry));
    }
  }
  std::sort(entries.begin(), entries.end(), [](const CacheEntry& a, const CacheEntry& b) {
    return std::tie(a.registry, a.name) < std::tie(b.registry, b.name);
  });
  return entries;
}

Result<Cache::Size, Problem> Cache::size() const {
  Size size;
  const auto names = home_->list(kContent, kMaxNames);
  if (!names) {
    if (names.error().kind == os::Error::Kind::not_found) return size;
    return fail(packument_storage(names.error(), home_->path_of(kContent)));
  }
  for (const std::string& name : *names) {
    if (os::is_leftover(name)) continue;
    const auto info = home_->stat(std::string(kContent) + "/" + name);
    if (!info) continue;
    ++size.files;
    size.bytes += info->size;
  }
  return size;
}

}  // namespace cg::catalog
