#include "learn/rag/ledger.h"

#include <type_traits>

#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/audit/walk.h"
#include "trust/hash/blake3.h"
#include "trust/hash/merkle.h"

namespace cg::rag {

namespace {

constexpr std::uint64_t kMaxParts = example::kMaxBytes / record::kMaxPart * 2;

/// What two examples have in common that teach the same.
std::string lesson_of(example::Example example) {
  example.gates.clear();
  example.isolation.clear();
  example.author = example::Author::model;
  example.model.clear();
  example.prompt = {};
  example.license.clear();
  example.workflow.clear();
  example.failure.clear();
  return example::id_of(example);
}

Problem not_signed(const os::Dir& home, std::string what) {
  return audit::broken(ErrorCode::audit_checkpoint, std::move(what),
                       home.path_of(audit::kEvents + "/" + audit::kTilesDir));
}

}  // namespace

RecordFile Entry::file(const std::string& log) const { return {text, head, log, origin, seq}; }

const Entry* Ledger::find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &entries_[found->second];
}

Entry* Ledger::find_mutable(std::string_view id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &entries_[found->second];
}

const Entry* Ledger::same_as(const example::Example& example) const {
  const auto found = by_lesson_.find(lesson_of(example));
  return found == by_lesson_.end() ? nullptr : &entries_[found->second];
}

const Workflow* Ledger::workflow(std::string_view id) const {
  const auto found = workflows_.find(id);
  return found == workflows_.end() ? nullptr : &found->second;
}

Manifest Ledger::manifest() const {
  Manifest out{log, counted_, {}};
  for (const Entry& entry : entries_) {
    const std::string bytes = write_record(entry.file(log));
    out.rows.push_back({entry.id, hash::blake3(as_bytes(bytes)), !entry.quarantined.empty()});
  }
  return out;
}

/// Parts follow each other in one append. Who died in the middle of it left some of them; the next
/// write begins with a first part again.
template <class E>
void Ledger::take_part(const E& event, std::uint64_t seq, const hash::Digest& before) {
  if (event.part == 1) {
    open_.reset();
    if (event.parts == 0 || event.parts > kMaxParts) return;
    Open open;
    open.entry.id = event.record;
    open.entry.seq = seq;
    open.entry.lines = event.parts;
    open.entry.head = before;
    if constexpr (std::is_same_v<E, record::SolvedExampleImported>) {
      open.entry.origin = Origin{event.anchor, event.bundle, event.log, event.seq, event.signer};
    }
    open.digest = event.digest;
    open.parts = event.parts;
    open_ = std::move(open);
  }
  if (!open_ || open_->entry.id != event.record || open_->next != event.part ||
      open_->parts != event.parts || open_->entry.seq + event.part - 1 != seq) {
    open_.reset();
    return;
  }
  open_->entry.text += event.text;
  if (open_->next++ == open_->parts) close(seq);
}

void Ledger::close(std::uint64_t seq) {
  Open open = *std::move(open_);
  open_.reset();
  Entry& entry = open.entry;
  auto example = example::parse(entry.text);
  if (!example || hash::blake3(as_bytes(entry.text)) != open.digest ||
      example::id_of(*example) != entry.id || by_id_.contains(entry.id)) {
    return;
  }
  entry.example = *std::move(example);
  counted_ = seq + 1;
  by_id_.emplace(entry.id, entries_.size());
  by_lesson_.emplace(lesson_of(entry.example), entries_.size());
  entries_.push_back(std::move(entry));
}

void Ledger::apply(const record::Event& event, std::uint64_t seq, const hash::Digest& before) {
  if (const auto* e = event.as<record::SolvedExampleWritten>()) return take_part(*e, seq, before);
  if (const auto* e = event.as<record::SolvedExampleImported>()) return take_part(*e, seq, before);
  if (const auto* e = event.as<record::WorkflowStarted>()) workflows_[e->workflow] = {};
  if (const auto* e = event.as<record::WorkflowEnded>()) {
    workflows_[e->workflow] = {true, e->count, e->head};
  }
  if (const auto* e = event.as<record::RagQuarantined>()) {
    Entry* entry = find_mutable(e->record);
    if (entry == nullptr) return;  // of a file that the log never vouched for
    entry->quarantined = e->reason.empty() ? "no reason was given" : e->reason;
    counted_ = seq + 1;
  }
  if (const auto* e = event.as<record::RagReleased>()) {
    used_.insert(e->statement);
    Entry* entry = find_mutable(e->record);
    if (entry == nullptr) return;
    entry->quarantined.clear();
    counted_ = seq + 1;
  }
  if (const auto* e = event.as<record::RagEmbedded>()) {
    Entry* entry = find_mutable(e->record);
    if (entry != nullptr) entry->vectors[e->model] = e->digest;
  }
}

Result<Ledger, Problem> read_ledger(const os::Dir& home, Lines lines) {
  const auto events = home.open_dir(audit::kEvents);
  if (!events) return fail(audit::reading(events.error()));
  const auto lock = os::Lock::hold(events->fd(), os::Lock::Mode::shared, events->path());
  if (!lock) return fail(audit::reading(lock.error()));
  Ledger out;
  const std::string path = audit::kTilesDir + "/" + audit::kCheckpointFile;
  auto checkpoint = events->read(path, audit::kMaxSmallFile);
  if (!checkpoint) return fail(audit::reading(checkpoint.error()));
  out.checkpoint = *std::move(checkpoint);
  const std::size_t note_end = out.checkpoint.find("\n\n");
  const auto claimed = record::parse_tree_head(out.checkpoint.substr(0, note_end + 1));
  if (!claimed) return fail(not_signed(home, "the checkpoint cannot be read"));

  hash::Digest before{};
  hash::Digest signed_chain{};
  audit::Walker walker(
      "", std::string(record::kSpanning), record::Home::spanning, [&](const audit::Held& held) {
        if (held.entry.seq >= claimed->size) return;
        if (const auto* created = held.event.as<record::LogCreated>()) {
          if (held.entry.seq == 0) out.key = sign::NoteKey::parse(created->key);
        }
        out.leaves.push_back(hash::leaf_hash(as_bytes(held.line)));
        if (lines == Lines::keep && held.event.as<record::SolvedExampleWritten>() != nullptr) {
          out.lines.emplace_back(held.line);
          out.line_numbers.push_back(held.entry.seq);
        }
        out.apply(held.event, held.entry.seq, before);
        before = held.head;
        signed_chain = held.head;
      });
  CG_TRY(audit::walk_spanning(*events, walker));
  out.log = walker.log();
  if (!out.key) return fail(not_signed(home, "the first entry does not name the key of the log"));
  const auto head = record::open_checkpoint(out.checkpoint, *out.key);
  if (!head) return fail(not_signed(home, "checkpoint " + record::describe(head.error())));
  out.signed_head = *head;
  if (head->size != out.leaves.size()) {
    return fail(audit::broken(ErrorCode::audit_truncated, "entries are missing from the end",
                              events->path()));
  }
  if (head->log != out.log || head->root != hash::tree_root(out.leaves) ||
      head->head != signed_chain) {
    return fail(not_signed(home, "the checkpoint was made of other entries"));
  }
  return out;
}

}  // namespace cg::rag
