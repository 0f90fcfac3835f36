#include "learn/rag/settle.h"

#include <set>

#include "learn/rag/reader.h"
#include "trust/audit/problems.h"
#include "trust/hash/blake3.h"

namespace cg::rag {

namespace {

using Names = std::set<std::string, std::less<>>;

std::string in(const char* folder, const std::string& name) {
  return std::string(folder) + "/" + name;
}

Result<Done, Problem> done(Result<Done, os::Error> result) {
  if (!result) return fail(audit::writing(result.error()));
  return Done{};
}

/// The names of a folder, made if it is not there, without what a killed writer left.
Result<Names, Problem> names_in(const os::Dir& rag, const std::string& folder) {
  if (folder != ".") CG_TRY(done(rag.make_dir(folder)));
  const auto names = rag.list(folder, kMaxRecords);
  if (!names) return fail(audit::reading(names.error()));
  Names out;
  for (const std::string& name : *names) {
    if (os::is_leftover(name)) {
      CG_TRY(done(rag.remove(folder + "/" + name)));
    } else {
      out.insert(name);
    }
  }
  return out;
}

/// Puts the bytes that follow from the log into `folder`, and nowhere else.
class Placing {
 public:
  Placing(const os::Dir& rag, Settled& out) : rag_(rag), out_(out) {}

  Result<Done, Problem> place(const Entry& entry, const std::string& log, const Names& here_names,
                              const char* here, const Names& there_names, const char* there) {
    const std::string name = record_name(entry.id);
    const bool is_here = here_names.contains(name);
    const bool is_there = there_names.contains(name);
    if (is_here && !is_there) return Done{};
    const std::string bytes = write_record(entry.file(log));
    if (is_there) {
      ++out_.moved;
      const auto found = rag_.read(in(there, name), kMaxRecordFile);
      if (!is_here && found && *found == bytes) {
        return done(rag_.rename(in(there, name), in(here, name)));
      }
      CG_TRY(set_aside(rag_, there, name));
    }
    if (is_here) return Done{};
    ++out_.made;
    return done(rag_.write_atomic(in(here, name), bytes));
  }

 private:
  const os::Dir& rag_;
  Settled& out_;
};

}  // namespace

Result<Done, Problem> set_aside(const os::Dir& rag, const std::string& folder,
                                const std::string& name) {
  const std::string from = folder + "/" + name;
  const auto bytes = rag.read(from, kMaxManifest);
  const hash::Digest digest = hash::blake3(as_bytes(bytes ? *bytes : std::string()));
  const std::string stem = name.ends_with(".json") ? name.substr(0, name.size() - 5) : name;
  return done(
      rag.rename(from, in(kQuarantine, stem + "." + to_hex(digest).substr(0, 12) + ".json")));
}

Result<Settled, Problem> settle(const os::Dir& rag, const Ledger& ledger) {
  Settled out;
  CG_TRY_ASSIGN(const Names records, names_in(rag, kRecords));
  CG_TRY_ASSIGN(const Names aside, names_in(rag, kQuarantine));
  for (const std::string& other : {std::string(kOrigins), std::string(".")}) {
    CG_TRY_ASSIGN(const Names kept, names_in(rag, other));  // for what it removes
  }
  Placing placing(rag, out);
  for (const Entry& entry : ledger.entries()) {
    if (entry.quarantined.empty()) {
      CG_TRY(placing.place(entry, ledger.log, records, kRecords, aside, kQuarantine));
    } else {
      CG_TRY(placing.place(entry, ledger.log, aside, kQuarantine, records, kRecords));
    }
  }
  out.manifest = compare_manifest(rag, ledger);
  if (out.manifest != "as the log says") {
    CG_TRY(done(rag.write_atomic(kManifestFile, write_manifest(ledger.manifest()))));
  }
  return out;
}

}  // namespace cg::rag
