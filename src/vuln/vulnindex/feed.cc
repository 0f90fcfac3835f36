#include "vuln/vulnindex/feed.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/archive/format.h"
#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/archive/zip.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "base/os/dir.h"
#include "base/os/open.h"

namespace cg::vulnindex {

namespace {

constexpr std::size_t kMaxFileBytes = 1ULL << 30U;
constexpr std::size_t kMaxRecordBytes = 4U << 20U;
constexpr std::size_t kMaxDocumentBytes = 256U << 20U;
constexpr std::size_t kMaxFolderEntries = 2'000'000;
constexpr int kMaxNesting = 4;  // a gzip in a tar in a zstd is the most that is seen
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Error unreadable(const std::string& label, std::string what) {
  return {Error::Kind::unreadable, label, std::move(what)};
}

bool is_feed_file(std::string_view name) {
  return name.ends_with(".json") || name.ends_with(".jsonl") || name.ends_with(".ndjson") ||
         name.ends_with(".zip") || name.ends_with(".gz") || name.ends_with(".zst") ||
         name.ends_with(".tgz") || name.ends_with(".tar");
}

class Reader {
 public:
  explicit Reader(const FeedReader& out) : out_(out) {}

  Result<Done, Error> bytes(std::string_view bytes, const std::string& label, int nesting) {
    if (nesting > kMaxNesting) return fail(unreadable(label, "archives inside each other"));
    switch (archive::detect(bytes)) {
      case archive::Format::gzip:
        return unpacked(archive::gunzip(bytes), label, nesting);
      case archive::Format::zstd:
        return unpacked(archive::unzstd(bytes), label, nesting);
      case archive::Format::zip:
        return entries(label, nesting, [&](const archive::OnEntry& on_entry) {
          return archive::read_zip(bytes, {}, on_entry, is_feed_file);
        });
      case archive::Format::tar:
        return entries(label, nesting, [&](const archive::OnEntry& on_entry) {
          return archive::read_tar(bytes, {}, on_entry);
        });
      case archive::Format::json:
      case archive::Format::other:
        break;
    }
    text(bytes, label);
    return Done{};
  }

  Result<Done, Error> folder(const os::Dir& dir, const std::string& label, int depth) {
    const auto names = dir.list(".", kMaxFolderEntries);
    if (!names) return fail(unreadable(label, os::describe(names.error())));
    for (const std::string& name : *names) {
      const auto info = dir.stat(name);
      if (!info) continue;
      if (info->type == os::FileInfo::Type::folder && depth < 8) {
        const auto child = dir.open_dir(name);
        if (!child) return fail(unreadable(label + "/" + name, os::describe(child.error())));
        CG_TRY(folder(*child, label + "/" + name, depth + 1));
      } else if (info->type == os::FileInfo::Type::file && is_feed_file(name)) {
        const auto content = dir.read(name, kMaxFileBytes);
        if (!content) return fail(unreadable(label + "/" + name, os::describe(content.error())));
        CG_TRY(bytes(*content, label + "/" + name, 0));
      }
    }
    return Done{};
  }

 private:
  Result<Done, Error> unpacked(Result<std::string, archive::Error> content,
                               const std::string& label, int nesting) {
    if (!content) return fail(unreadable(label, archive::describe(content.error())));
    return bytes(*content, label, nesting + 1);
  }

  template <class Read>
  Result<Done, Error> entries(const std::string& label, int nesting, const Read& read) {
    Result<Done, Error> inner = Done{};
    const auto done = read([&](const archive::Entry& entry) {
      if (!is_feed_file(entry.name)) return archive::Next::more;
      inner = bytes(entry.content, label + ":" + std::string(entry.name), nesting + 1);
      return inner ? archive::Next::more : archive::Next::stop;
    });
    if (!done) return fail(unreadable(label, archive::describe(done.error())));
    return inner;
  }

  /// A document that is one value, or one value per line.
  void text(std::string_view bytes, const std::string& label) {
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    const std::size_t line_end = bytes.find('\n');
    const std::string_view first = bytes.substr(0, line_end);
    const bool lines = line_end != std::string_view::npos && trim(first).ends_with('}') &&
                       json::parse_json(trim(first), {.max_bytes = kMaxRecordBytes}).has_value();
    if (!lines) return document(bytes, label);
    std::size_t number = 0;
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      const std::string_view line = trim(bytes.substr(0, end));
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
      ++number;
      if (!line.empty()) one(line, label + ":" + std::to_string(number));
    }
  }

  void one(std::string_view text, const std::string& where) {
    const auto value = json::parse_json(text, {.max_bytes = kMaxRecordBytes});
    if (!value) return out_.rejected({where, "", json::describe(value.error())});
    spread(text, *value, where);
  }

  void document(std::string_view text, const std::string& where) {
    const auto value =
        json::parse_json(text, {.max_bytes = kMaxDocumentBytes, .max_nodes = kMaxDocumentBytes});
    if (!value) return out_.rejected({where, "", json::describe(value.error())});
    spread(text, *value, where);
  }

  /// A list of records, a page of NVD's API, or one record.
  void spread(std::string_view text, const json::Value& value, const std::string& where) {
    const json::Value* list = value.is_array() ? &value : value.find("vulnerabilities");
    if (list == nullptr || !list->is_array()) return out_.record({text, value, where});
    std::size_t number = 0;
    for (const json::Value& item : *list->as_array()) {
      const json::Value* cve = item.find("cve");
      const json::Value& record = cve != nullptr ? *cve : item;
      out_.record({json::write_json(record), record, where + "#" + std::to_string(++number)});
    }
  }

  const FeedReader& out_;
};

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}

}  // namespace

Result<Done, Error> read_feed_bytes(std::string_view bytes, const std::string& label,
                                    const FeedReader& reader) {
  return Reader(reader).bytes(bytes, label, 0);
}

Result<Done, Error> read_feed(const std::string& path, const FeedReader& reader) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return fail(unreadable(path, os::describe(os::from_errno(errno, path))));
  }
  if (S_ISDIR(info.st_mode)) {
    const auto dir = os::Dir::open(path);
    if (!dir) return fail(unreadable(path, os::describe(dir.error())));
    return Reader(reader).folder(*dir, base_name(path), 0);
  }
  const os::Fd fd(os::open_path(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return fail(unreadable(path, os::describe(os::from_errno(errno, path))));
  const auto content = os::read_from(fd, 0, kMaxFileBytes, path);
  if (!content) return fail(unreadable(path, os::describe(content.error())));
  return Reader(reader).bytes(*content, base_name(path), 0);
}

}  // namespace cg::vulnindex
