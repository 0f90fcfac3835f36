#include "trust/audit/guard.h"

#include <fcntl.h>

#include <algorithm>

#include "base/base/text.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/hash/blake3.h"

namespace cg::audit {

namespace {

constexpr std::size_t kSlot = 256;
constexpr std::string_view kTitle = "codegenie last seen v1";

std::string file_of(const std::string& name) { return "log-" + name; }

std::string file_of_home(const std::string& home) {
  return "home-" + to_hex(hash::blake3(as_bytes(home))).substr(0, 32);
}

/// First line of a small file, nothing if there is no such file.
Result<std::optional<std::string>, Problem> read_line(const std::optional<os::Dir>& dir,
                                                      const std::string& file) {
  if (!dir) return std::optional<std::string>();
  const auto bytes = dir->read(file, kMaxSmallFile);
  if (!bytes && bytes.error().kind == os::Error::Kind::not_found)
    return std::optional<std::string>();
  if (!bytes) return fail(reading(bytes.error()));
  if (!bytes->ends_with('\n')) {
    return fail(broken(ErrorCode::audit_guard, "last-seen guard is damaged", dir->path_of(file)));
  }
  return std::optional(bytes->substr(0, bytes->size() - 1));
}

/// The slots of a guard file, whole ones only, and which of the two is newer.
struct Slots {
  std::optional<Seen> newest;
  std::size_t newest_slot = 1;
};

Slots parse_slots(std::string_view bytes) {
  Slots out;
  for (std::size_t slot = 0; slot < 2; ++slot) {
    const auto seen = parse_seen(bytes.substr(std::min(bytes.size(), slot * kSlot), kSlot));
    if (!seen) continue;
    const bool newer =
        !out.newest || seen->entries > out.newest->entries ||
        (seen->entries == out.newest->entries && seen->checkpoint > out.newest->checkpoint);
    if (newer) out = {seen, slot};
  }
  return out;
}

Problem damaged(const std::string& path) {
  return broken(ErrorCode::audit_guard, "last-seen guard is damaged", path);
}

}  // namespace

std::string write_seen(const Seen& seen) {
  std::string text = std::string(kTitle) + "\n" + seen.name + "\n" + std::to_string(seen.entries) +
                     "\n" + to_hex(seen.head) + "\n" + std::to_string(seen.checkpoint) + "\n";
  text += to_hex(hash::blake3(as_bytes(text))).substr(0, 32) + "\n";
  CG_ASSERT(text.size() < kSlot);
  text.resize(kSlot - 1, ' ');
  return text + "\n";
}

std::optional<Seen> parse_seen(std::string_view slot) {
  const std::vector<std::string_view> lines = split(slot, '\n');
  if (lines.size() != 8 || lines[0] != kTitle) return std::nullopt;
  const auto entries = parse_u64(lines[2]);
  const auto head = hash::parse_digest(lines[3]);
  const auto checkpoint = parse_u64(lines[4]);
  if (!entries || !head || !checkpoint || lines[1].size() > 64) return std::nullopt;
  Seen seen{std::string(lines[1]), *entries, *head, *checkpoint};
  if (write_seen(seen) != slot) return std::nullopt;
  return seen;
}

Result<GuardReader, Problem> GuardReader::open(const std::string& dir) {
  auto opened = os::Dir::open(dir);
  if (opened) return GuardReader(*std::move(opened));
  if (opened.error().kind == os::Error::Kind::not_found) return GuardReader(std::nullopt);
  return fail(reading(opened.error()));
}

Result<std::optional<Seen>, Problem> GuardReader::seen(const std::string& name) const {
  if (!dir_) return std::optional<Seen>();
  const auto bytes = dir_->read(file_of(name), kMaxSmallFile);
  if (!bytes && bytes.error().kind == os::Error::Kind::not_found) return std::optional<Seen>();
  if (!bytes) return fail(reading(bytes.error()));
  // Empty: made by a process that died before its first append.
  if (bytes->empty()) return std::optional<Seen>();
  const std::optional<Seen> seen = parse_slots(*bytes).newest;
  if (!seen || seen->name != name) return fail(damaged(dir_->path_of(file_of(name))));
  return seen;
}

Result<std::optional<std::string>, Problem> GuardReader::log_at(const std::string& home) const {
  return read_line(dir_, file_of_home(home));
}

Result<std::optional<std::string>, Problem> GuardReader::home_of(const std::string& log) const {
  return read_line(dir_, file_of(log) + ".home");
}

Result<Guard, Problem> Guard::open(const std::string& dir, const std::string& name) {
  auto folder = os::Dir::make(dir);
  if (!folder) return fail(writing(folder.error()));
  auto fd = folder->open_file(file_of(name), O_RDWR | O_CREAT);
  if (!fd) return fail(writing(fd.error()));
  const std::string path = folder->path_of(file_of(name));
  const auto bytes = os::read_from(*fd, 0, kMaxSmallFile, path);
  if (!bytes) return fail(reading(bytes.error()));
  const Slots slots = parse_slots(*bytes);
  if (!bytes->empty() && (!slots.newest || slots.newest->name != name)) return fail(damaged(path));
  Guard guard(*std::move(folder), file_of(name), *std::move(fd));
  guard.seen_ = slots.newest;
  guard.next_slot_ = 1 - slots.newest_slot;
  return guard;
}

Result<Done, Problem> Guard::note(const Seen& seen) {
  const auto written = os::write_at(fd_, write_seen(seen), next_slot_ * kSlot, dir_.path_of(file_));
  if (!written) return fail(writing(written.error()));
  seen_ = seen;
  next_slot_ = 1 - next_slot_;
  return Done{};
}

Result<Done, Problem> Guard::sync() const {
  const auto synced = os::sync_data(fd_, dir_.path_of(file_));
  if (!synced) return fail(writing(synced.error()));
  return Done{};
}

Result<Done, Problem> Guard::remove() const {
  const auto removed = dir_.remove(file_);
  if (!removed) return fail(writing(removed.error()));
  return Done{};
}

Result<Done, Problem> claim_home(const std::string& guard_dir, const std::string& log,
                                 const std::string& home) {
  const auto dir = os::Dir::make(guard_dir);
  if (!dir) return fail(writing(dir.error()));
  for (const auto& [file, text] : {std::pair(file_of(log) + ".home", home + "\n"),
                                   std::pair(file_of_home(home), log + "\n")}) {
    const auto written = dir->write_atomic(file, text);
    if (!written) return fail(writing(written.error()));
  }
  return Done{};
}

}  // namespace cg::audit
