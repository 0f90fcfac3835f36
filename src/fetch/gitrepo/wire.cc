#include "fetch/gitrepo/wire.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace cg::gitrepo {

namespace {

class Writer {
 public:
  template <class T>
  void number(const T& value) {
    for (std::size_t i = sizeof(T); i-- > 0;) {
      out_ += static_cast<char>(
          static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
  }
  template <class T>
  void choice(const T& value, T) {
    number(static_cast<std::uint8_t>(value));
  }
  void flag(const bool& value) { number(static_cast<std::uint8_t>(value ? 1 : 0)); }
  void id(const ObjectId& value) { out_ += as_text(value.bytes()); }
  void text(const std::string& value, std::size_t cap) {
    if (value.size() > cap) good_ = false;
    number(static_cast<std::uint32_t>(value.size()));
    out_ += value;
  }
  template <class T, class Each>
  void list(const std::vector<T>& items, Each each) {
    if (items.size() > kMaxItems) good_ = false;
    number(static_cast<std::uint32_t>(items.size()));
    for (const T& item : items) each(item);
  }
  [[nodiscard]] std::optional<std::string> take() {
    if (!good_ || out_.size() > kMaxMessage) return std::nullopt;
    return std::move(out_);
  }

 private:
  std::string out_;
  bool good_ = true;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void number(T& value) {
    std::uint64_t read = 0;
    for (const char c : take(sizeof(T))) read = read << 8U | static_cast<unsigned char>(c);
    value = static_cast<T>(read);
  }
  template <class T>
  void choice(T& value, T last) {
    std::uint8_t read = 0;
    number(read);
    if (read > static_cast<std::uint8_t>(last)) good_ = false;
    if (good_) value = static_cast<T>(read);
  }
  void flag(bool& value) {
    std::uint8_t read = 0;
    number(read);
    if (read > 1) good_ = false;
    value = read == 1;
  }
  void id(ObjectId& value) {
    std::array<Byte, 20> bytes{};
    const std::string_view read = take(bytes.size());
    if (good_) std::copy(read.begin(), read.end(), bytes.begin());
    value = ObjectId(bytes);
  }
  void text(std::string& value, std::size_t cap) {
    std::uint32_t size = 0;
    number(size);
    if (size > cap) good_ = false;
    value = take(size);
  }
  template <class T, class Each>
  void list(std::vector<T>& items, Each each) {
    std::uint32_t count = 0;
    number(count);
    // No item is shorter than a byte, so a count that lies costs nothing.
    if (count > kMaxItems || count > rest_.size()) good_ = false;
    for (std::uint32_t i = 0; good_ && i < count; ++i) each(items.emplace_back());
  }
  [[nodiscard]] bool is_done() const { return good_ && rest_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (!good_ || size > rest_.size()) {
      good_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool good_ = true;
};

// One list of fields per struct, read by both of the above. M is the struct or the
// const of it.
template <class M, class Wanted>
concept Is = std::is_same_v<std::remove_const_t<M>, Wanted>;

void texts(auto& f, auto& items) {
  f.list(items, [&](auto& item) { f.text(item, kMaxPath); });
}
void fields(auto& f, Is<Filter> auto& m) {
  texts(f, m.names);
  texts(f, m.globs);
  texts(f, m.without);
}
void fields(auto& f, Is<Person> auto& m) {
  f.text(m.name, kMaxPersonBytes);
  f.text(m.email, kMaxPersonBytes);
}
void fields(auto& f, Is<NewObject> auto& m) {
  f.choice(m.kind, NewObject::Kind::tree);
  f.text(m.bytes, kMaxFileBytes);
}
template <class F>
void fields(F& f, Is<Change> auto& m) {
  f.text(m.path, kMaxPath);
  bool is_there = m.bytes.has_value();
  f.flag(is_there);
  if constexpr (std::is_same_v<F, Reader>) {
    if (is_there) m.bytes.emplace();
  }
  if (m.bytes) f.text(*m.bytes, kMaxFileBytes);
}

void fields(auto& f, Is<InspectOrder> auto& m) {
  f.text(m.repo, kMaxPath);
  f.text(m.base, kMaxLine);
  fields(f, m.interest);
}
void fields(auto& f, Is<ExportOrder> auto& m) {
  f.text(m.repo, kMaxPath);
  f.id(m.commit);
  fields(f, m.filter);
  f.text(m.folder, kMaxPath);
  f.number(m.limits.max_files);
  f.number(m.limits.max_bytes);
  f.number(m.limits.max_file_bytes);
}
void fields(auto& f, Is<PrepareOrder> auto& m) {
  f.text(m.repo, kMaxPath);
  f.id(m.base);
  f.list(m.changes, [&](auto& item) { fields(f, item); });
  f.text(m.message, kMaxCommitBytes);
  fields(f, m.author);
  fields(f, m.committer);
  f.number(m.time);
  f.number(m.offset_minutes);
}
void fields(auto& f, Is<WriteOrder> auto& m) {
  f.text(m.repo, kMaxPath);
  f.text(m.text, kMaxCommitBytes);
  f.list(m.objects, [&](auto& item) { fields(f, item); });
  f.text(m.signature, kMaxCommitBytes);
  f.text(m.branch, kMaxLine);
  f.text(m.prefix, kMaxLine);
}
void fields(auto& f, Is<ShowOrder> auto& m) {
  f.text(m.repo, kMaxPath);
  f.text(m.what, kMaxLine);
}

void fields(auto& f, Is<Error> auto& m) {
  f.choice(m.kind, kLastKind);
  f.text(m.what, kMaxLine);
}
void fields(auto& f, Is<DirtyFile> auto& m) {
  f.choice(m.how, DirtyFile::How::untracked);
  f.text(m.path, kMaxPath);
}
void fields(auto& f, Is<Inspection> auto& m) {
  f.text(m.work_tree, kMaxPath);
  f.text(m.git_dir, kMaxPath);
  f.text(m.common_dir, kMaxPath);
  f.text(m.prefix, kMaxPath);
  f.flag(m.bare);
  f.flag(m.shallow);
  f.flag(m.linked);
  f.text(m.head_ref, kMaxPath);
  f.id(m.head);
  f.id(m.base);
  f.id(m.tree);
  f.number(m.committed);
  f.flag(m.conventional);
  texts(f, m.submodules);
  f.list(m.dirty, [&](auto& item) { fields(f, item); });
}
void fields(auto& f, Is<ExportedFile> auto& m) {
  f.text(m.path, kMaxPath);
  f.id(m.blob);
  f.number(m.size);
  f.flag(m.executable);
}
void fields(auto& f, Is<Skipped> auto& m) {
  f.choice(m.why, Skipped::Why::odd_name);
  f.text(m.path, kMaxPath);
}
void fields(auto& f, Is<Exported> auto& m) {
  f.list(m.files, [&](auto& item) { fields(f, item); });
  f.list(m.skipped, [&](auto& item) { fields(f, item); });
}
void fields(auto& f, Is<Prepared> auto& m) {
  f.text(m.text, kMaxCommitBytes);
  f.id(m.commit);
  f.id(m.tree);
  f.list(m.objects, [&](auto& item) { fields(f, item); });
  f.text(m.diff, kMaxDiffBytes);
}
void fields(auto& f, Is<Written> auto& m) {
  f.choice(m.outcome, Written::Outcome::replaced);
  f.id(m.commit);
  f.id(m.before);
  f.text(m.kept_as, kMaxPath);
}
void fields(auto& f, Is<Shown> auto& m) {
  f.id(m.commit);
  f.id(m.tree);
  f.list(m.parents, [&](auto& item) { f.id(item); });
  f.text(m.text, kMaxCommitBytes);
  f.text(m.signature, kMaxCommitBytes);
  f.text(m.message, kMaxCommitBytes);
  f.text(m.diff, kMaxDiffBytes);
}

template <class V, std::size_t I = 0>
std::optional<V> blank(std::uint8_t kind) {
  if constexpr (I < std::variant_size_v<V>) {
    if (kind == I + 1) return V(std::in_place_index<I>);
    return blank<V, I + 1>(kind);
  } else {
    return std::nullopt;
  }
}

template <class V>
void body(Writer& writer, const V& message) {
  writer.number(static_cast<std::uint8_t>(message.index() + 1));
  std::visit([&](const auto& m) { fields(writer, m); }, message);
}

/// The body, as a variant and, of an answer, the text before it.
template <class V>
std::optional<V> read_body(Reader& reader) {
  std::uint8_t kind = 0;
  reader.number(kind);
  std::optional<V> message = blank<V>(kind);
  if (!message) return std::nullopt;
  std::visit([&](auto& m) { fields(reader, m); }, *message);
  if (!reader.is_done()) return std::nullopt;
  return message;
}

std::optional<std::string_view> without_length(std::string_view message) {
  const auto length = parse_length(message.substr(0, kLengthBytes));
  if (!length || message.size() - kLengthBytes != *length) return std::nullopt;
  return message.substr(kLengthBytes);
}

std::optional<std::string> with_length(Writer& writer) {
  const std::optional<std::string> bytes = writer.take();
  if (!bytes) return std::nullopt;
  Writer length;
  length.number(static_cast<std::uint32_t>(bytes->size()));
  return *length.take() + *bytes;
}

}  // namespace

std::optional<std::size_t> parse_length(std::string_view four) {
  if (four.size() != kLengthBytes) return std::nullopt;
  std::uint32_t length = 0;
  Reader(four).number(length);
  if (length > kMaxMessage) return std::nullopt;
  return length;
}

std::optional<Order> read_order(std::string_view message) {
  const auto bytes = without_length(message);
  if (!bytes) return std::nullopt;
  Reader reader(*bytes);
  return read_body<Order>(reader);
}

std::optional<Answer> read_answer(std::string_view message) {
  const auto bytes = without_length(message);
  if (!bytes) return std::nullopt;
  Reader reader(*bytes);
  Answer answer;
  reader.text(answer.isolation, kMaxLine);
  auto outcome = read_body<Outcome>(reader);
  if (!outcome) return std::nullopt;
  answer.outcome = *std::move(outcome);
  return answer;
}

std::optional<std::string> write_order(const Order& order) {
  Writer writer;
  body(writer, order);
  return with_length(writer);
}

std::optional<std::string> write_answer(const Answer& answer) {
  Writer writer;
  writer.text(answer.isolation, kMaxLine);
  body(writer, answer.outcome);
  return with_length(writer);
}

}  // namespace cg::gitrepo
