#include "floor.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

#include "perf.h"
#include "trust/audit/layout.h"
#include "trust/hash/blake3.h"
#include "trust/hash/merkle.h"
#include "trust/record/entry.h"
#include "trust/record/frame.h"

namespace cg::perf {

namespace {

namespace fs = std::filesystem;

/// Decompresses into one buffer that is kept, as is the context.
class Unpacker {
 public:
  /// The lines of a sealed file, header and all.
  std::string_view sealed(std::string_view file) {
    const std::string_view frame = file.substr(record::kSegmentHeaderBytes);
    return unpack(frame, ZSTD_getFrameContentSize(frame.data(), frame.size()));
  }
  /// The lines of an open file. Stored frames are larger than what they hold.
  std::string_view open(std::string_view file) { return unpack(file, file.size()); }

 private:
  std::string_view unpack(std::string_view frames, std::size_t capacity) {
    if (buffer_.size() < capacity) buffer_.resize(capacity);
    const std::size_t size = ZSTD_decompressDCtx(context_.get(), buffer_.data(), buffer_.size(),
                                                 frames.data(), frames.size());
    if (ZSTD_isError(size) != 0) give_up("zstd does not read what we sealed");
    return {buffer_.data(), size};
  }

  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_{ZSTD_createDCtx(),
                                                                   ZSTD_freeDCtx};
  std::vector<char> buffer_;
};

/// The tree of RFC 6962 with no more than its right edge: two equal subtrees become
/// one as soon as both are there.
class RightEdge {
 public:
  void push(hash::Digest hash) {
    for (std::uint64_t n = size_++; (n & 1U) != 0; n >>= 1U) {
      hash = hash::node_hash(edge_.back(), hash);
      edge_.pop_back();
    }
    edge_.push_back(hash);
  }
  [[nodiscard]] hash::Digest root() const {
    if (edge_.empty()) return hash::tree_root({});
    hash::Digest root = edge_.back();
    for (std::size_t i = edge_.size() - 1; i-- > 0;) root = hash::node_hash(edge_[i], root);
    return root;
  }

 private:
  std::uint64_t size_ = 0;
  std::vector<hash::Digest> edge_;
};

template <class OnLine>
void each_line(std::string_view lines, OnLine&& on_line) {
  const char* at = lines.data();
  const char* const end = at + lines.size();
  while (at < end) {
    const auto* stop =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (stop == nullptr) give_up("a line does not end");
    on_line(std::string_view(at, static_cast<std::size_t>(stop - at)));
    at = stop + 1;
  }
}

using OnLines = std::function<void(std::string_view)>;

std::string read(const os::Dir& events, const std::string& path) {
  return must(events.read(path, record::kMaxSegmentFile));
}

/// Reads every file and unpacks those with lines.
void each_file(const os::Dir& events, const LogFiles& files, const OnLines& spanning,
               const OnLines& workflow) {
  Unpacker unpacker;
  for (const std::string& path : files.sealed) spanning(unpacker.sealed(read(events, path)));
  spanning(unpacker.open(read(events, files.open)));
  for (const std::string& path : files.workflows) workflow(unpacker.sealed(read(events, path)));
  for (const std::string& path : files.plain) static_cast<void>(read(events, path));
}

}  // namespace

LogFiles files_of(const os::Dir& events) {
  LogFiles files;
  files.open = audit::kSpanningDir + "/" + audit::kAppendFile;
  for (const auto& file : fs::recursive_directory_iterator(events.path())) {
    if (!file.is_regular_file()) continue;
    const std::string path = fs::relative(file.path(), events.path());
    if (path == files.open) continue;
    if (path.starts_with(audit::kSpanningDir)) {
      files.sealed.push_back(path);
    } else if (path.starts_with(audit::kWorkflowDir)) {
      files.workflows.push_back(path);
    } else {
      files.plain.push_back(path);
    }
  }
  for (auto* list : {&files.sealed, &files.workflows, &files.plain}) {
    std::sort(list->begin(), list->end());
  }
  return files;
}

Hashed hash_lines(const os::Dir& events, const LogFiles& files) {
  const record::Chain chain;
  Hashed out{record::kGenesis, {}, 0};
  RightEdge tree;
  const auto spanning = [&](std::string_view lines) {
    each_line(lines, [&](std::string_view line) {
      out.head = chain.next(out.head, line);
      tree.push(hash::leaf_hash(as_bytes(line)));
      ++out.entries;
    });
  };
  const auto workflow = [&](std::string_view lines) {
    hash::Digest head = record::kGenesis;
    each_line(lines, [&](std::string_view line) { head = chain.next(head, line); });
  };
  each_file(events, files, spanning, workflow);
  out.root = tree.root();
  return out;
}

hash::Digest hash_in_bulk(const os::Dir& events, const LogFiles& files) {
  hash::Blake3 hasher;
  const auto all = [&](std::string_view lines) { hasher.update(as_bytes(lines)); };
  each_file(events, files, all, all);
  return hasher.finish();
}

std::string sealed_lines(const os::Dir& events, const LogFiles& files) {
  Unpacker unpacker;
  std::string out;
  for (const std::string& path : files.sealed) out += unpacker.sealed(read(events, path));
  return out;
}

}  // namespace cg::perf
