#include "fetch/gitrepo/wire.h"

#include <utility>

#include "base/wire/message.h"
#include "base/wire/reader.h"
#include "base/wire/writer.h"

namespace cg::gitrepo {

namespace {

using wire::Is;
using Writer = wire::Writer<std::uint32_t>;
using Reader = wire::Reader<std::uint32_t>;

// One list of fields per struct, for both.

template <class F>
void id(F& f, Is<ObjectId> auto& m) {
  auto bytes = m.bytes();
  f.exactly(bytes);
  if constexpr (F::kReads) m = ObjectId(bytes);
}
void texts(auto& f, auto& items) {
  f.list(items, kMaxItems, [&](auto& item) { f.text(item, kMaxPath); });
}
void fields(auto& f, Is<Filter> auto& m) {
  texts(f, m.names);
  texts(f, m.globs);
  texts(f, m.without);
  texts(f, m.watched);
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
  if constexpr (F::kReads) {
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
  id(f, m.commit);
  fields(f, m.filter);
  f.text(m.folder, kMaxPath);
  f.number(m.limits.max_files);
  f.number(m.limits.max_bytes);
  f.number(m.limits.max_file_bytes);
  f.choice(m.links, Links::told);
  f.choice(m.submodules, Submodules::exported);
}
void fields(auto& f, Is<PrepareOrder> auto& m) {
  f.text(m.repo, kMaxPath);
  id(f, m.base);
  f.list(m.changes, kMaxItems, [&](auto& item) { fields(f, item); });
  f.text(m.message, kMaxCommitBytes);
  fields(f, m.author);
  fields(f, m.committer);
  f.number(m.time);
  f.number(m.offset_minutes);
}
void fields(auto& f, Is<WriteOrder> auto& m) {
  f.text(m.repo, kMaxPath);
  f.text(m.text, kMaxCommitBytes);
  f.list(m.objects, kMaxItems, [&](auto& item) { fields(f, item); });
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
  id(f, m.head);
  id(f, m.base);
  id(f, m.tree);
  f.number(m.committed);
  f.flag(m.conventional);
  texts(f, m.submodules);
  f.list(m.dirty, kMaxItems, [&](auto& item) { fields(f, item); });
}
void fields(auto& f, Is<ExportedFile> auto& m) {
  f.text(m.path, kMaxPath);
  id(f, m.blob);
  f.number(m.size);
  f.flag(m.executable);
}
void fields(auto& f, Is<Skipped> auto& m) {
  f.choice(m.why, Skipped::Why::left_out);
  f.text(m.path, kMaxPath);
}
void fields(auto& f, Is<TreeLink> auto& m) {
  f.text(m.path, kMaxPath);
  f.text(m.target, kMaxPath);
}
void fields(auto& f, Is<Exported> auto& m) {
  f.list(m.files, kMaxItems, [&](auto& item) { fields(f, item); });
  f.list(m.skipped, kMaxItems, [&](auto& item) { fields(f, item); });
  f.list(m.links, kMaxItems, [&](auto& item) { fields(f, item); });
}
void fields(auto& f, Is<LineCount> auto& m) {
  f.text(m.path, kMaxPath);
  f.number(m.added);
  f.number(m.removed);
}
void fields(auto& f, Is<Prepared> auto& m) {
  f.text(m.text, kMaxCommitBytes);
  id(f, m.commit);
  id(f, m.tree);
  f.list(m.objects, kMaxItems, [&](auto& item) { fields(f, item); });
  f.text(m.diff, kMaxDiffBytes);
  f.list(m.counts, kMaxItems, [&](auto& item) { fields(f, item); });
}
void fields(auto& f, Is<Written> auto& m) {
  f.choice(m.outcome, Written::Outcome::replaced);
  id(f, m.commit);
  id(f, m.before);
  f.text(m.kept_as, kMaxPath);
}
void fields(auto& f, Is<Shown> auto& m) {
  id(f, m.commit);
  id(f, m.tree);
  f.list(m.parents, kMaxItems, [&](auto& item) { id(f, item); });
  f.text(m.text, kMaxCommitBytes);
  f.text(m.signature, kMaxCommitBytes);
  f.text(m.message, kMaxCommitBytes);
  f.text(m.diff, kMaxDiffBytes);
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
  std::optional<V> message = wire::blank<V>(std::size_t{kind} - 1);
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

std::optional<std::string> finish(Writer& writer) {
  const auto bytes = writer.take();
  if (!bytes || bytes->size() > kMaxMessage) return std::nullopt;
  return wire::with_length<std::uint32_t>(*bytes);
}

}  // namespace

std::optional<std::size_t> parse_length(std::string_view four) {
  if (four.size() != kLengthBytes) return std::nullopt;
  const std::uint64_t length = wire::big_endian(four);
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
  return finish(writer);
}

std::optional<std::string> write_answer(const Answer& answer) {
  Writer writer;
  writer.text(answer.isolation, kMaxLine);
  body(writer, answer.outcome);
  return finish(writer);
}

}  // namespace cg::gitrepo
