// What takes records out of use, and back, and makes anew what can be made.
#include <set>

#include "base/base/text.h"
#include "base/wire/floats.h"
#include "learn/rag/index.h"
#include "learn/rag/problems.h"
#include "learn/rag/session.h"
#include "learn/rag/writer.h"
#include "trust/audit/problems.h"
#include "trust/hash/blake3.h"

namespace cg::rag {

bool continues(const record::Event& event) {
  if (const auto* e = event.as<record::SolvedExampleWritten>()) return e->part > 1;
  if (const auto* e = event.as<record::SolvedExampleImported>()) return e->part > 1;
  return false;
}

/// The event first. A file that is not the log's is moved aside under a name with its digest; the
/// log's own is put into quarantine by settling.
Result<Done, Problem> Writer::exclude(Session& session, const Record* record, const Found& found) {
  const hash::Digest digest = record == nullptr ? hash::Digest{} : record->digest;
  CG_TRY(commit(session, {record::RagQuarantined{digest, found.pattern, found.why, found.record,
                                                 std::string(name(found.status))}}));
  if (session.ledger.find(found.record) != nullptr) return Done{};
  const std::string file = record == nullptr ? "" : record->file;
  if (file.empty() || !session.rag.stat(std::string(kRecords) + "/" + file)) return Done{};
  return set_aside(session.rag, kRecords, file);
}

Result<Done, Problem> Writer::quarantine(const std::string& id, const std::string& reason) {
  CG_TRY_ASSIGN(Session session, begin());
  CG_TRY_ASSIGN(const Reader reader, Reader::read(*home_, ""));
  const Record* record = reader.find(id);
  if (record == nullptr) return fail(no_such_record(id));
  if (record->status == Provenance::quarantined) return Done{};
  return exclude(session, record, {id, record->status, reason, ""});
}

Result<Done, Problem> Writer::release(const Release& release) {
  CG_TRY_ASSIGN(Session session, begin());
  const Entry* entry = session.ledger.find(release.record);
  if (entry == nullptr) {
    return fail(no_release("the log has no record " + printable(cut(release.record, 64)) +
                           ", so there is nothing to release"));
  }
  if (entry->quarantined.empty()) return fail(no_release("the record is not in quarantine"));
  if (session.ledger.used(release.statement)) {
    return fail(no_release("the statement was used already"));
  }
  CG_TRY(commit(session, {record::RagReleased{release.reason, release.record, release.signer,
                                              release.statement}}));
  return Done{};
}

Result<std::vector<Found>, Problem> Writer::verify() {
  CG_TRY_ASSIGN(Session session, begin());
  std::set<std::string> models = {""};
  for (const Entry& entry : session.ledger.entries()) {
    for (const auto& [model, digest] : entry.vectors) models.insert(model);
  }
  std::vector<Found> out;
  for (const std::string& model : models) {
    CG_TRY_ASSIGN(const Reader reader, Reader::read(*home_, model));
    for (const Record& record : reader.records()) {
      const bool fine = record.may_count() || record.status == Provenance::quarantined ||
                        record.status == Provenance::stale_model;
      if (fine) continue;
      Found found{record.id, record.status, record.why, ""};
      CG_TRY(exclude(session, &record, found));
      out.push_back(std::move(found));
    }
  }
  return out;
}

Result<std::vector<Found>, Problem> Writer::rescan(const std::vector<Phrase>& phrases) {
  CG_TRY_ASSIGN(Session session, begin());
  CG_TRY_ASSIGN(const Reader reader, Reader::read(*home_, ""));
  std::vector<Found> out;
  for (const Record& record : reader.records()) {
    if (record.status == Provenance::quarantined) continue;
    const std::vector<Match> matches = scan_example(record.example, phrases);
    if (matches.empty()) continue;
    Found found{record.id, record.status, matches.front().field + " gives orders",
                matches.front().pattern};
    CG_TRY(exclude(session, &record, found));
    out.push_back(std::move(found));
  }
  return out;
}

Result<Done, Problem> Writer::rebuild() {
  CG_TRY_ASSIGN(const Session session, begin());
  return remake_index(session.rag, session.ledger);
}

Result<Done, Problem> Writer::keep_vectors(const std::string& model, const Vectors& vectors) {
  CG_TRY_ASSIGN(Session session, begin());
  record::Events events;
  VectorBytes fresh;
  for (const auto& [id, vector] : vectors) {
    const Entry* entry = session.ledger.find(id);
    if (entry == nullptr || 4 * vector.size() > kMaxVectorBytes) continue;
    std::string bytes = wire::bytes_of_floats(vector);
    const hash::Digest digest = hash::blake3(as_bytes(bytes));
    const auto logged = entry->vectors.find(model);
    if (logged == entry->vectors.end() || logged->second != digest) {
      events.emplace_back(record::RagEmbedded{digest, model, id});
    }
    fresh.emplace(id, std::move(bytes));
  }
  CG_TRY(commit(session, events, model, fresh));
  return Done{};
}

Result<std::size_t, Problem> Writer::reembed(const std::string& model, const Embed& embed) {
  Vectors vectors;
  {
    CG_TRY_ASSIGN(const Session session, begin());
    for (const Entry& entry : session.ledger.entries()) {
      CG_TRY_ASSIGN(vectors[entry.id], embed(entry.example));
    }
  }
  const std::size_t count = vectors.size();
  CG_TRY(keep_vectors(model, vectors));
  return count;
}

}  // namespace cg::rag
