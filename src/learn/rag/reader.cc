#include "learn/rag/reader.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include "base/base/text.h"
#include "base/wire/floats.h"
#include "learn/rag/bundle.h"
#include "learn/rag/index.h"
#include "trust/audit/anchor.h"
#include "trust/audit/problems.h"
#include "trust/hash/blake3.h"

namespace cg::rag {

namespace {

constexpr std::array<std::string_view, 6> kStatus = {"verified", "orphan",      "edited",
                                                     "foreign",  "stale_model", "quarantined"};

/// Of files that are longer than what the log says of them, all together.
constexpr std::size_t kMaxStrange = 64U << 20U;

using Names = std::set<std::string, std::less<>>;

Result<Names, Problem> names_of(const os::Dir& rag) {
  Names out;
  const auto names = rag.list(kRecords, kMaxRecords);
  if (!names && names.error().kind == os::Error::Kind::not_found) return out;
  if (!names) return fail(audit::reading(names.error()));
  for (const std::string& name : *names) {
    if (!os::is_leftover(name)) out.insert(name);
  }
  return out;
}

/// Files of records/, one at a time. A record's own is as long as the log says; who can write the
/// folder can fill it, but not us.
class FileReader {
 public:
  explicit FileReader(const os::Dir& rag) : rag_(rag) {}

  /// `wanted` is how long it should be; 0: nobody knows it. A file that cannot be read is as one
  /// that holds nothing, and so is one for which no room is left: neither is what the log says.
  std::string read(const std::string& name, std::size_t wanted) {
    const std::string path = std::string(kRecords) + "/" + name;
    auto bytes = rag_.read(path, wanted);
    if (bytes) return *std::move(bytes);
    if (bytes.error().kind != os::Error::Kind::too_big) return "";
    bytes = rag_.read(path, std::min(left_, kMaxRecordFile));
    if (!bytes) return "";
    left_ -= bytes->size();
    return *std::move(bytes);
  }

 private:
  const os::Dir& rag_;
  std::size_t left_ = kMaxStrange;
};

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
  out.id = file.ends_with(".json") ? file.substr(0, file.size() - 5) : "file:" + file;
  out.file = file;
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
    out.vectors = wire::floats_of_bytes(found->second);
  } else if (logged != entry.vectors.end()) {
    out.lost = logged->second;
  } else if (!entry.vectors.empty()) {
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
  Names files;
  std::optional<FileReader> reader;
  if (rag) {
    CG_TRY_ASSIGN(files, names_of(*rag));
    reader.emplace(*rag);
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
    Record one{.id = entry.id,
               .example = entry.example,
               .status = Provenance::verified,
               .seq = entry.seq,
               .origin = entry.origin};
    const auto file = files.find(record_name(entry.id));
    const bool has_file = file != files.end();
    const std::string wanted = write_record(entry.file(log.log));
    const std::string bytes = has_file ? reader->read(*file, wanted.size()) : std::string();
    if (has_file) one.digest = hash::blake3(as_bytes(bytes));
    if (!entry.quarantined.empty()) {
      one.status = Provenance::quarantined;
      one.why = printable(entry.quarantined);
    } else if (has_file && bytes != wanted) {
      judge_deviating(log, entry, bytes, one);
    } else if (std::string why = origins.why_not(entry); !why.empty()) {
      one.status = Provenance::foreign;
      one.why = std::move(why);
    } else {
      judge_vectors(entry, model, index.vectors, one);
    }
    if (has_file) files.erase(file);
    out.records_.push_back(std::move(one));
  }
  for (const std::string& name : files) {
    out.records_.push_back(judge_unknown(log, name, reader->read(name, 0)));
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

hash::Digest digest_of(std::span<const float> vectors) {
  return hash::blake3(as_bytes(wire::bytes_of_floats(vectors)));
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
