// Draft: the records an index is made of, before it is one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trust/hash/digest.h"
#include "vuln/advisory/advisory.h"
#include "vuln/advisory/brief.h"
#include "vuln/advisory/nvd.h"
#include "vuln/vulnindex/feed.h"

namespace cg::vulnindex {

/// Who publishes a set of records. A refresh replaces one source and keeps the others.
inline constexpr std::string_view kSources[] = {"osv", "ghsa", "nvd"};
[[nodiscard]] bool is_source(std::string_view name);

/// A record as published, under the source it came from.
struct Record {
  std::string source;
  std::string id;
  std::string text;  // JSON
  friend bool operator==(const Record&, const Record&) = default;
};

/// What reading a feed gave, in numbers.
struct Tally {
  std::uint64_t kept = 0;
  std::uint64_t withdrawn = 0;
  std::uint64_t other_ecosystem = 0;  // of them the names alone are kept
  std::uint64_t superseded = 0;       // an older or equal record of the same id
  std::vector<Rejected> rejected;
};

/// Collects records by (source, id); of two the one modified last counts. Of a record of another
/// ecosystem what it is called and is about stays, so that who asks for it is told so.
class Draft {
 public:
  /// Takes a record in. `source` names the feed.
  void add(std::string_view source, const RawRecord& record, Tally& tally);
  void reject(Rejected rejected, Tally& tally) { tally.rejected.push_back(std::move(rejected)); }

  struct Kept {
    std::string text;
    Time modified;
  };
  using Key = std::pair<std::string, std::string>;  // source, id
  /// A record of another draft, unchanged.
  void carry_over(const Key& key, const Kept& kept) { records_.insert_or_assign(key, kept); }
  [[nodiscard]] const std::map<Key, Kept>& records() const { return records_; }
  [[nodiscard]] std::uint64_t count(std::string_view source) const;

 private:
  /// True if there was none of this id.
  bool keep(std::string_view source, std::string id, std::string_view text, Time modified,
            Tally& tally);
  std::map<Key, Kept> records_;
};

/// BLAKE3 over all records in their order: the same records give the same digest,
/// whatever file they lie in.
[[nodiscard]] hash::Digest digest_of(const Draft& draft);

/// What the tables of an index hold, worked out from the records.
struct Tables {
  /// Any id in lower case, id of its group. One that no npm record bears, and one of another
  /// ecosystem does, is in a group of that record alone, which has no brief.
  std::set<std::pair<std::string, std::string>> groups;
  std::map<std::string, advisory::Brief> briefs;  // by group
  std::map<std::string, std::string> packages;    // name -> sealed rules
  std::uint64_t malware = 0;                      // groups that are malware
};
[[nodiscard]] Tables tables_of(const Draft& draft);

/// Rules of one package, one after the other, behind a checksum that also covers the
/// name: a row that was altered or swapped is noticed when it is read.
[[nodiscard]] std::string seal_rules(std::string_view package,
                                     const std::vector<std::string>& rules);
/// The rules inside; nothing if the checksum does not match.
[[nodiscard]] std::optional<std::vector<std::string_view>> open_rules(std::string_view package,
                                                                      std::string_view sealed);

}  // namespace cg::vulnindex
