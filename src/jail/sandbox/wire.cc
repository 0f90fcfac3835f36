#include "jail/sandbox/wire.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/base/match.h"

namespace cg::sandbox {

namespace {

constexpr std::size_t kMaxPath = 4'096;
constexpr std::size_t kMaxText = 128U << 10U;  // one argument, as the kernel has it
constexpr std::size_t kMaxItems = 4'096;
constexpr std::size_t kMaxLine = 1'024;
constexpr std::size_t kMaxFilter = 4'096 * 8;

/// The most that the fields of each kind can be, in the order of Message.
constexpr std::array<std::size_t, std::variant_size_v<Message>> kMaxFields{
    1U << 20U, 4U << 20U, 256U << 10U, 8U << 10U, 8U << 10U, 112U << 20U};

class Writer {
 public:
  void number(std::uint64_t value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      out_ += static_cast<char>(static_cast<unsigned char>(value >> static_cast<unsigned>(shift)));
    }
  }
  void text(std::string_view text, std::size_t max) {
    good_ = good_ && text.size() <= max;
    number(text.size());
    out_ += text;
  }
  template <class Items, class Write>
  void list(const Items& items, std::size_t max, const Write& write) {
    good_ = good_ && items.size() <= max;
    number(items.size());
    for (const auto& item : items) write(item);
  }
  void texts(const std::vector<std::string>& items, std::size_t max_text) {
    list(items, kMaxItems, [&](const std::string& item) { text(item, max_text); });
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] const std::string& bytes() const { return out_; }

 private:
  std::string out_;
  bool good_ = true;
};

/// After the first thing that is wrong every answer is empty and good() false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  std::uint64_t number(std::uint64_t max) {
    if (!good_ || left_.size() < 8) return bad<std::uint64_t>();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) value = value << 8U | static_cast<unsigned char>(left_[i]);
    left_.remove_prefix(8);
    return value <= max ? value : bad<std::uint64_t>();
  }
  std::string text(std::size_t max) {
    const std::size_t size = number(max);
    if (!good_ || size > left_.size()) return bad<std::string>();
    std::string out(left_.substr(0, size));
    left_.remove_prefix(size);
    return out;
  }
  template <class Read>
  void list(std::size_t max, const Read& read) {
    const std::size_t count = number(max);
    for (std::size_t i = 0; i < count && good_; ++i) read();
  }
  std::vector<std::string> texts(std::size_t max_text) {
    std::vector<std::string> out;
    list(kMaxItems, [&] { out.push_back(text(max_text)); });
    return out;
  }
  bool flag() { return number(1) == 1; }
  template <class Enum>
  Enum choice(Enum last) {
    return static_cast<Enum>(number(static_cast<std::uint64_t>(last)));
  }
  void refuse() { good_ = false; }
  [[nodiscard]] bool finished() const { return good_ && left_.empty(); }

 private:
  template <class T>
  T bad() {
    good_ = false;
    return T{};
  }
  std::string_view left_;
  bool good_ = true;
};

constexpr std::uint64_t kAny = ~0ULL;
constexpr std::uint64_t kMaxMs = 30ULL * 24 * 3'600'000;

void write(Writer& w, const Furnish& f) {
  w.text(f.scene.tree, kMaxPath);
  w.text(f.scene.shelf, kMaxPath);
  w.texts(f.scene.readable, kMaxPath);
  w.number(f.scene.scratch_bytes);
  w.text(f.programs, kMaxPath);
  w.text(f.filter, kMaxFilter);
  w.number(f.bare ? 1 : 0);
}

Message read_furnish(Reader& r) {
  Furnish f;
  f.scene.tree = r.text(kMaxPath);
  f.scene.shelf = r.text(kMaxPath);
  f.scene.readable = r.texts(kMaxPath);
  f.scene.scratch_bytes = r.number(kAny);
  f.programs = r.text(kMaxPath);
  f.filter = r.text(kMaxFilter);
  f.bare = r.flag();
  return f;
}

void write(Writer& w, const Step& s) {
  w.text(s.name, kMaxLine);
  w.texts(s.argv, kMaxText);
  w.texts(s.env, kMaxText);
  w.text(s.folder, kMaxPath);
  w.number(static_cast<std::uint64_t>(std::max<std::int64_t>(s.limits.wall.count(), 0)));
  w.number(s.limits.memory);
  w.number(s.limits.processes);
  w.number(s.limits.file_bytes);
  w.number(s.limits.output);
  w.number(s.shelf == Shelf::open ? 1 : 0);
  w.number(s.telling == Telling::all ? 1 : 0);
  w.texts(s.collect, kMaxPath);
  w.number(s.max_collected);
}

/// What goes to execve ends at its first zero byte, so there must be none.
bool has_zero(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string& t) { return t.find('\0') != std::string::npos; });
}

Message read_step(Reader& r) {
  Step s;
  s.name = r.text(kMaxLine);
  s.argv = r.texts(kMaxText);
  s.env = r.texts(kMaxText);
  s.folder = r.text(kMaxPath);
  s.limits.wall = std::chrono::milliseconds(static_cast<std::int64_t>(r.number(kMaxMs)));
  s.limits.memory = r.number(kAny);
  s.limits.processes = static_cast<unsigned>(r.number(~0U));
  s.limits.file_bytes = r.number(kAny);
  s.limits.output = r.number(kAny);
  s.shelf = r.flag() ? Shelf::open : Shelf::closed;
  s.telling = r.flag() ? Telling::all : Telling::latest;
  s.collect = r.texts(kMaxPath);
  s.max_collected = r.number(kAny);
  if (s.argv.empty() || !s.argv.front().starts_with('/') || !s.folder.starts_with('/') ||
      has_zero(s.argv) || has_zero(s.env) || has_zero({s.folder})) {
    r.refuse();
  }
  return s;
}

void write(Writer& w, const InForce& f) {
  w.number(static_cast<std::uint64_t>(f.isolation));
  w.list(f.layers, 64, [&](const Layer& layer) {
    w.text(layer.name, kMaxLine);
    w.number(layer.held ? 1 : 0);
    w.number(layer.mandatory ? 1 : 0);
    w.text(layer.detail, kMaxLine);
  });
}

Message read_in_force(Reader& r) {
  InForce f;
  f.isolation = r.choice(Isolation::microvm);
  r.list(64, [&] {
    Layer layer;
    layer.name = r.text(kMaxLine);
    layer.held = r.flag();
    layer.mandatory = r.flag();
    layer.detail = r.text(kMaxLine);
    f.layers.push_back(std::move(layer));
  });
  return f;
}

void write(Writer& w, const Error& e) {
  w.number(static_cast<std::uint64_t>(e.kind));
  w.text(e.what, kMaxPath);
}

Message read_error(Reader& r) {
  const auto kind = r.choice(Error::Kind::scene);
  return Error{kind, r.text(kMaxPath)};
}

void write(Writer& w, const Told& t) { w.text(t.bytes, kMaxTold); }

Message read_told(Reader& r) { return Told{r.text(kMaxTold)}; }

void write(Writer& w, const Ending& ending) {
  w.number(ending.index());
  match(
      ending, [&](const Exited& e) { w.number(static_cast<std::uint64_t>(e.code)); },
      [&](const Signalled& s) { w.number(static_cast<std::uint64_t>(s.signal)); },
      [&](const Capped& c) { w.number(static_cast<std::uint64_t>(c.cap)); });
}

Ending read_ending(Reader& r) {
  switch (r.number(2)) {
    case 0:
      return Exited{static_cast<int>(r.number(255))};
    case 1:
      return Signalled{static_cast<int>(r.number(128))};
    default:
      return Capped{r.choice(Cap::memory)};
  }
}

void write(Writer& w, const Output& o) {
  w.text(o.kept, kMaxKept + kMaxLine);
  w.number(o.bytes);
  w.text(as_text(o.digest), o.digest.size());
}

Output read_output(Reader& r) {
  Output o;
  o.kept = r.text(kMaxKept + kMaxLine);
  o.bytes = r.number(kAny);
  const std::string digest = r.text(o.digest.size());
  if (digest.size() != o.digest.size()) {
    r.refuse();
  } else {
    std::copy(digest.begin(), digest.end(), o.digest.begin());
  }
  return o;
}

void write(Writer& w, const Ran& ran) {
  write(w, ran.ending);
  write(w, ran.out);
  write(w, ran.err);
  for (const auto* list : {&ran.trace.executed, &ran.trace.connections}) {
    w.list(*list, kMaxTraced, [&](const std::string& t) { w.text(t, kMaxTracedText); });
  }
  w.number(ran.trace.kept ? 1 : 0);
  w.number(ran.trace.cut ? 1 : 0);
  w.list(ran.collected, kMaxItems, [&](const auto& file) {
    w.text(file.first, kMaxPath);
    w.text(file.second, kMaxCollected);
  });
  w.number(static_cast<std::uint64_t>(ran.wall.count()));
  w.number(static_cast<std::uint64_t>(ran.cpu.count()));
  w.number(ran.peak_memory);
}

/// Sorted and without repetition, as Trace says.
std::vector<std::string> read_traced(Reader& r) {
  std::vector<std::string> out;
  r.list(kMaxTraced, [&] {
    out.push_back(r.text(kMaxTracedText));
    if (out.size() > 1 && out[out.size() - 2] >= out.back()) r.refuse();
  });
  return out;
}

Message read_ran(Reader& r) {
  Ran ran;
  ran.ending = read_ending(r);
  ran.out = read_output(r);
  ran.err = read_output(r);
  ran.trace.executed = read_traced(r);
  ran.trace.connections = read_traced(r);
  ran.trace.kept = r.flag();
  ran.trace.cut = r.flag();
  r.list(kMaxItems, [&] {
    std::string path = r.text(kMaxPath);
    if (!ran.collected.empty() && std::prev(ran.collected.end())->first >= path) r.refuse();
    ran.collected.insert_or_assign(std::move(path), r.text(kMaxCollected));
  });
  ran.wall = std::chrono::milliseconds(static_cast<std::int64_t>(r.number(kMaxMs)));
  ran.cpu = std::chrono::milliseconds(static_cast<std::int64_t>(r.number(kMaxMs)));
  ran.peak_memory = r.number(kAny);
  return ran;
}

using ReadFields = Message (*)(Reader&);
constexpr std::array<ReadFields, std::variant_size_v<Message>> kReaders{
    read_furnish, read_step, read_in_force, read_error, read_told, read_ran};

}  // namespace

std::optional<Header> read_header(std::string_view five) {
  if (five.size() != kFrameHeader) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length = length << 8U | static_cast<unsigned char>(five[i]);
  const std::size_t kind = static_cast<unsigned char>(five[4]);
  if (kind >= kMaxFields.size() || length == 0 || length - 1 > kMaxFields[kind]) {
    return std::nullopt;
  }
  return Header{kind, length - 1};
}

std::optional<Message> read_fields(std::size_t kind, std::string_view fields) {
  if (kind >= kReaders.size()) return std::nullopt;
  Reader reader(fields);
  Message message = kReaders[kind](reader);
  if (!reader.finished()) return std::nullopt;
  return message;
}

std::optional<std::string> write_frame(const Message& message) {
  Writer writer;
  std::visit([&](const auto& m) { write(writer, m); }, message);
  const std::string& fields = writer.bytes();
  if (!writer.good() || fields.size() > kMaxFields[message.index()]) return std::nullopt;
  const std::size_t length = fields.size() + 1;
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += static_cast<char>(static_cast<unsigned char>(length >> static_cast<unsigned>(shift)));
  }
  out += static_cast<char>(static_cast<unsigned char>(message.index()));
  return out + fields;
}

}  // namespace cg::sandbox
