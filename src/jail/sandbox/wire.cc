#include "jail/sandbox/wire.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/wire/message.h"
#include "base/wire/reader.h"
#include "base/wire/writer.h"

namespace cg::sandbox {

namespace {

constexpr std::size_t kMaxPath = 4'096;
constexpr std::size_t kMaxText = 128U << 10U;  // one argument, as the kernel has it
constexpr std::size_t kMaxItems = 4'096;
constexpr std::size_t kMaxLine = 1'024;
constexpr std::size_t kMaxFilter = 4'096 * 8;

/// The most that the fields of each kind can be, in the order of Message.
constexpr std::array<std::size_t, std::variant_size_v<Message>> kMaxFields{
    2U << 20U, 4U << 20U, 256U << 10U, 8U << 10U, 8U << 10U, 112U << 20U};

using wire::Is;
using Writer = wire::Writer<std::uint64_t, std::uint64_t, std::uint64_t>;
using Reader = wire::Reader<std::uint64_t, std::uint64_t, std::uint64_t>;

constexpr std::uint64_t kMaxMs = 30ULL * 24 * 3'600'000;

// One list of fields per message, for both.

void texts(auto& f, auto& items, std::size_t max_text, std::size_t max_items = kMaxItems) {
  f.list(items, max_items, [&](auto& item) { f.text(item, max_text); });
}

template <class F>
void span(F& f, Is<std::chrono::milliseconds> auto& m) {
  std::int64_t count = std::max<std::int64_t>(m.count(), 0);
  f.wide(count, kMaxMs);
  if constexpr (F::kReads) m = std::chrono::milliseconds(count);
}

template <class F>
void fields(F& f, Is<std::map<std::string, std::string>> auto& m) {
  std::size_t count = m.size();
  f.count(count, kMaxItems);
  if constexpr (F::kReads) {
    for (std::size_t i = 0; i < count && f.good(); ++i) {
      std::string path;
      f.text(path, kMaxPath);
      f.require(m.empty() || m.rbegin()->first < path);
      f.text(m[std::move(path)], kMaxCollected);
    }
  } else {
    for (const auto& [path, bytes] : m) {
      f.text(path, kMaxPath);
      f.text(bytes, kMaxCollected);
    }
  }
}

void fields(auto& f, Is<Furnish> auto& m) {
  f.text(m.scene.tree, kMaxPath);
  f.text(m.scene.shelf, kMaxPath);
  texts(f, m.scene.readable, kMaxPath);
  texts(f, m.scene.devices, kMaxPath);
  f.number(m.scene.scratch_bytes);
  fields(f, m.scene.links);
  f.text(m.scene.branch, kMaxLine);
  f.text(m.programs, kMaxPath);
  f.text(m.filter, kMaxFilter);
  f.flag(m.bare);
}

/// What goes to execve ends at its first zero byte, so there must be none.
bool has_zero(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string& t) { return t.find('\0') != std::string::npos; });
}

void fields(auto& f, Is<Step> auto& m) {
  f.text(m.name, kMaxLine);
  texts(f, m.argv, kMaxText);
  texts(f, m.env, kMaxText);
  f.text(m.folder, kMaxPath);
  span(f, m.limits.wall);
  f.number(m.limits.memory);
  f.wide(m.limits.processes, ~0U);
  f.number(m.limits.file_bytes);
  f.number(m.limits.output);
  f.choice(m.shelf, Shelf::open);
  f.choice(m.telling, Telling::all);
  texts(f, m.collect, kMaxPath);
  f.number(m.max_collected);
  f.choice(m.tree, Tree::own);
  f.choice(m.keep, Keep::packages);
  fields(f, m.planted);
  texts(f, m.packages, kMaxPath);
  texts(f, m.seen, kMaxPath, 16);
  f.require(!m.argv.empty() && m.argv.front().starts_with('/') && m.folder.starts_with('/') &&
            !has_zero(m.argv) && !has_zero(m.env) && !has_zero({m.folder}));
}

void fields(auto& f, Is<InForce> auto& m) {
  f.choice(m.isolation, Isolation::microvm);
  f.list(m.layers, 64, [&](auto& layer) {
    f.text(layer.name, kMaxLine);
    f.flag(layer.held);
    f.flag(layer.mandatory);
    f.text(layer.detail, kMaxLine);
  });
}

void fields(auto& f, Is<Error> auto& m) {
  f.choice(m.kind, Error::Kind::scene);
  f.text(m.what, kMaxPath);
}

void fields(auto& f, Is<Told> auto& m) { f.text(m.bytes, kMaxTold); }

void fields(auto& f, Is<Exited> auto& m) { f.wide(m.code, 255); }
void fields(auto& f, Is<Signalled> auto& m) { f.wide(m.signal, 128); }
void fields(auto& f, Is<Capped> auto& m) { f.choice(m.cap, Cap::memory); }

template <class F>
void fields(F& f, Is<Ending> auto& m) {
  std::size_t which = m.index();
  f.wide(which, std::variant_size_v<Ending> - 1);
  if constexpr (F::kReads) m = *wire::blank<Ending>(which);
  std::visit([&](auto& ending) { fields(f, ending); }, m);
}

void fields(auto& f, Is<Output> auto& m) {
  f.text(m.kept, kMaxKept + kMaxLine);
  f.number(m.bytes);
  std::uint64_t size = m.digest.size();
  f.number(size);
  f.require(size == m.digest.size());
  f.exactly(m.digest);
}

void fields(auto& f, Is<Trace> auto& m) {
  // Sorted and without repetition, as Trace says.
  const auto in_order = [&](const auto& list) {
    f.require(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end());
  };
  f.list(m.started, kMaxTraced, [&](auto& start) {
    f.text(start.by, kMaxTracedText);
    f.text(start.file, kMaxTracedText);
    f.text(start.as, kMaxTracedText);
  });
  in_order(m.started);
  for (auto* list : {&m.shell, &m.commands, &m.connections}) {
    texts(f, *list, kMaxTracedText, kMaxTraced);
    in_order(*list);
  }
  f.flag(m.kept);
  f.flag(m.cut);
}

void fields(auto& f, Is<Ran> auto& m) {
  fields(f, m.ending);
  fields(f, m.out);
  fields(f, m.err);
  fields(f, m.trace);
  fields(f, m.collected);
  texts(f, m.altered, kMaxPath, kMaxAltered);
  f.text(m.own_tree, 16);
  f.text(m.no_git, kMaxLine);
  span(f, m.wall);
  span(f, m.cpu);
  f.number(m.peak_memory);
}

}  // namespace

std::optional<Header> read_header(std::string_view five) {
  if (five.size() != kFrameHeader) return std::nullopt;
  const std::uint64_t length = wire::big_endian(five.substr(0, 4));
  const std::size_t kind = static_cast<unsigned char>(five[4]);
  if (kind >= kMaxFields.size() || length == 0 || length - 1 > kMaxFields[kind]) {
    return std::nullopt;
  }
  return Header{kind, length - 1};
}

std::optional<Message> read_fields(std::size_t kind, std::string_view bytes) {
  auto message = wire::blank<Message>(kind);
  if (!message) return std::nullopt;
  Reader reader(bytes);
  std::visit([&](auto& m) { fields(reader, m); }, *message);
  if (!reader.is_done()) return std::nullopt;
  return message;
}

std::optional<std::string> write_frame(const Message& message) {
  Writer writer;
  writer.number(static_cast<std::uint8_t>(message.index()));
  std::visit([&](const auto& m) { fields(writer, m); }, message);
  const auto bytes = writer.take();
  if (!bytes || bytes->size() - 1 > kMaxFields[message.index()]) return std::nullopt;
  return wire::with_length<std::uint32_t>(*bytes);
}

}  // namespace cg::sandbox
