#include "learn/rag/reader.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "base/base/text.h"
#include "learn/rag/bundle.h"
#include "learn/rag/index.h"
#include "trust/audit/anchor.h"
#include "trust/audit/problems.h"
#include "trust/hash/blake3.h"

namespace cg::rag {

namespace {

constexpr std::array<std::string_view, 6> kStatus = {"verified", "orphan",      "edited",
                                                     "foreign",  "stale_model", "quarantined"};

using Files = std::map<std::string, std::string, std::less<>>;  // by name

/// A file that cannot be read is as one that holds nothing: it will not be what the log says.
Result<Files, Problem> read_files(const os::Dir& rag) {
  Files out;
  const auto names = rag.list(kRecords, kMaxRecords);
  if (!names && names.error().kind == os::Error::Kind::not_found) return out;
  if (!names) return fail(audit::reading(names.error()));
  for (const std::string& name : *names) {
    if (os::is_leftover(name)) continue;
    auto bytes = rag.read(std::string(kRecords) + "/" + name, kMaxRecordFile);
    out.emplace(name, bytes ? *std::move(bytes) : std::string());
  }
  return out;
}

std::string abbreviated_head(const hash::Digest& head) { return to_hex(head).substr(0, 8); }

/// Of a record that the log has, by a file that is not what follows from the log.
void judge_deviating(const Ledger& ledger, const Entry& entry, const std::string& bytes,
                     Record& out) {
  const auto claims = parse_record(bytes);
  out.status = Provenance::edited;
  if (!claims) {
    out.why = "its file cannot be read: " + claims.error();
  } else if (claims->log != ledger.log) {
    out.status = Provenance::foreign;
    out.why = "its file is of log " + printable(cut(claims->log, 64));
  } else if (claims->head != entry.head || claims->seq != entry.seq) {
    out.status = Provenance::orphan;
    out.why = "claims head " + abbreviated_head(claims->head) +
              "… which the chain does not have where it was written";
  } else {
    out.why = "its file is not what was written";
  }
}

/// Of a file under a name that the log does not have.
Record judge_unknown(const Ledger& ledger, const std::string& file, const std::string& bytes) {
  Record out;
  out.id = file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
  out.digest = hash::blake3(as_bytes(bytes));
  const auto claims = parse_record(bytes);
  if (!claims) {
    out.why = "the log has no such record, and its file cannot be read: " + claims.error();
    return out;
  }
  if (auto example = example::parse(claims->example)) out.example = *std::move(example);
  if (claims->log != ledger.log) {
    out.status = Provenance::foreign;
    out.why = "it is of log " + printable(cut(claims->log, 64)) + " and was not imported";
    return out;
  }
  out.why = "claims head " + abbreviated_head(claims->head) + "… which is not in the chain";
  return out;
}

/// Vectors are worth nothing without their digest in the log.
void judge_vectors(const Entry& entry, const std::string& model, VectorBytes& kept, Record& out) {
  if (model.empty()) return;
  const auto logged = entry.vectors.find(model);
  const auto found = kept.find(entry.id);
  if (found != kept.end()) {
    const hash::Digest is = hash::blake3(as_bytes(found->second));
    if (logged == entry.vectors.end() || logged->second != is) {
      out.status = Provenance::edited;
      out.why = "the log does not have these vectors of " + printable(cut(model, 64));
      return;
    }
    out.vectors = floats_of(found->second);
  } else if (logged == entry.vectors.end() && !entry.vectors.empty()) {
    out.status = Provenance::stale_model;
    out.why = "its vectors are of " + printable(cut(entry.vectors.begin()->first, 64));
  }
}

}  // namespace

std::string_view name(Provenance status) { return kStatus.at(static_cast<std::size_t>(status)); }

std::string compare_manifest(const os::Dir& rag, const Ledger& ledger) {
  const auto bytes = rag.read(kManifestFile, kMaxManifest);
  if (!bytes) return bytes.error().kind == os::Error::Kind::not_found ? "missing" : "unreadable";
  const auto manifest = parse_manifest(*bytes);
  if (!manifest) return "unreadable";
  if (manifest->log != ledger.log) return "of another log";
  if (manifest->entries < ledger.counted()) return "behind";
  if (manifest->entries > ledger.counted()) return "ahead";
  return *manifest == ledger.manifest() ? "as the log says" : "another";
}

Result<Reader, Problem> Reader::open(const os::Dir& home, const std::string& model) {
  const auto rag = home.open_dir(kRag);
  if (!rag) return read(home, model);
  const auto lock = os::Lock::hold(rag->fd(), os::Lock::Mode::shared, rag->path());
  if (!lock) return fail(audit::reading(lock.error()));
  return read(home, model);
}

Result<Reader, Problem> Reader::read(const os::Dir& home, const std::string& model) {
  const auto rag = home.open_dir(kRag);
  if (!rag && rag.error().kind != os::Error::Kind::not_found) {
    return fail(audit::reading(rag.error()));
  }
  Files files;
  if (rag) {
    CG_TRY_ASSIGN(files, read_files(*rag));
  }
  CG_TRY_ASSIGN(Ledger ledger, read_ledger(home));
  CG_TRY_ASSIGN(const sign::AllowedSigners signers, audit::read_allowed_signers(home));
  Reader out(std::move(ledger));
  const Ledger& log = out.ledger_;
  IndexState index;
  if (rag) {
    index = read_index(*rag, log, model);
    out.manifest_fault_ = compare_manifest(*rag, log);
  } else if (!log.entries().empty()) {
    out.manifest_fault_ = "missing";
  }
  if (out.manifest_fault_ == "as the log says") out.manifest_fault_.clear();
  // A store that never had a record has neither.
  if (log.entries().empty() && out.manifest_fault_ == "missing") out.manifest_fault_.clear();
  if (log.entries().empty() && index.problem == "missing") index.problem.clear();
  if (!out.manifest_fault_.empty())
    out.faults_.push_back("manifest.yaml is " + out.manifest_fault_);
  if (!index.problem.empty()) out.faults_.push_back("index.sqlite is " + index.problem);

  OriginJudge origins(rag ? &*rag : nullptr, signers);
  for (const Entry& entry : log.entries()) {
    Record one{entry.id, entry.example, Provenance::verified, "", {}, entry.seq, entry.origin, {}};
    const auto file = files.find(record_name(entry.id));
    if (file != files.end()) one.digest = hash::blake3(as_bytes(file->second));
    if (!entry.quarantined.empty()) {
      one.status = Provenance::quarantined;
      one.why = printable(entry.quarantined);
    } else if (file != files.end() && file->second != write_record(entry.file(log.log))) {
      judge_deviating(log, entry, file->second, one);
    } else if (std::string why = origins.why_not(entry); !why.empty()) {
      one.status = Provenance::foreign;
      one.why = std::move(why);
    } else {
      judge_vectors(entry, model, index.vectors, one);
    }
    if (file != files.end()) files.erase(file);
    out.records_.push_back(std::move(one));
  }
  for (const auto& [name, bytes] : files) {
    out.records_.push_back(judge_unknown(log, name, bytes));
  }
  return out;
}

std::vector<const Record*> Reader::all(const example::Partition& partition) const {
  std::vector<const Record*> out;
  for (const Record& record : records_) {
    const bool blank = record.example.partition == example::Partition{};
    if (blank || record.example.partition == partition) out.push_back(&record);
  }
  return out;
}

const Record* Reader::find(std::string_view id) const {
  for (const Record& record : records_) {
    if (record.id == id) return &record;
  }
  return nullptr;
}

record::Events excluded(const std::vector<const Record*>& records, const std::string& advisory,
                        std::uint64_t attempt) {
  record::Events out;
  for (const Record* record : records) {
    if (record->may_count()) continue;
    out.emplace_back(record::RagRecordChainOrphan{advisory, attempt, record->why, record->id,
                                                  std::string(name(record->status))});
  }
  return out;
}

record::RagQuery query_event(std::vector<Seen> seen, const std::string& advisory,
                             std::uint64_t attempt, const std::string& model) {
  std::stable_sort(seen.begin(), seen.end(),
                   [](const Seen& a, const Seen& b) { return a.similarity > b.similarity; });
  record::RagQuery out;
  out.advisory = advisory;
  out.attempt = attempt;
  out.compared = seen.size();
  out.model = model;
  for (const Seen& one : seen) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.3f", one.similarity);
    const std::string line =
        printable(cut(one.id, 64)) + " " + number.data() + " " + std::string(name(one.status));
    if (out.left_out > 0 || out.similarity.size() + line.size() + 1 > record::kMaxPart) {
      ++out.left_out;
      continue;
    }
    if (!out.similarity.empty()) out.similarity += '\n';
    out.similarity += line;
  }
  return out;
}

}  // namespace cg::rag
