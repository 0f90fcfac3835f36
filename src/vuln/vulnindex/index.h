// Index: the advisories as a scan reads them. One SQLite file, written once, never
// changed: a refresh writes a new one and puts it in its place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/store/database.h"
#include "vuln/advisory/brief.h"
#include "vuln/vulnindex/draft.h"
#include "vuln/vulnindex/error.h"
#include "vuln/vulnindex/filter.h"

namespace cg::vulnindex {

inline constexpr std::int64_t kSchema = 1;

/// What the index says of itself.
struct Summary {
  std::string digest;  // blake3:…, of all records
  Time built{};
  Time newest{};                 // the last modification of any record
  std::uint64_t advisories = 0;  // groups
  std::uint64_t malware = 0;     // of them
  std::uint64_t packages = 0;
  std::map<std::string, std::uint64_t> sources;  // records of each
  std::uint64_t rejected = 0;
  friend bool operator==(const Summary&, const Summary&) = default;
};

/// The rules of one package. The bytes are the row's, on the heap so that the views
/// survive a move.
struct Rules {
  std::unique_ptr<std::string> bytes;
  std::vector<std::string_view> rules;  // advisory::RuleView::parse() takes them
};

class Index {
 public:
  [[nodiscard]] static Result<Index, Error> open(const std::string& path);

  [[nodiscard]] const Summary& summary() const { return summary_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// False if certainly no advisory names the package.
  [[nodiscard]] bool may_have(std::string_view package) const { return filter_.may_have(package); }
  /// Nothing if no advisory names the package. A row that fails its checksum is corrupt.
  [[nodiscard]] Result<std::optional<Rules>, Error> rules(std::string_view package);
  [[nodiscard]] Result<std::optional<advisory::Brief>, Error> brief(const std::string& group);
  /// The groups that an id or alias names, in any case of letters.
  [[nodiscard]] Result<std::vector<std::string>, Error> groups_of(std::string_view id);
  /// The records of a group, as published.
  [[nodiscard]] Result<std::vector<Record>, Error> records(const std::string& group);
  /// Groups whose id, alias or summary, or whose package, contains `text`; at most `max`.
  [[nodiscard]] Result<std::vector<advisory::Brief>, Error> search(std::string_view text,
                                                                   std::size_t max);
  /// The packages that a group has rules for.
  [[nodiscard]] Result<std::vector<std::string>, Error> packages_of(const std::string& group);
  [[nodiscard]] Result<std::vector<Rejected>, Error> rejected();
  /// Every record, in order.
  [[nodiscard]] Result<Draft, Error> draft();

  /// Reads everything: SQLite's own check, every checksum, the digest over all records,
  /// and that the tables are those that follow from the records.
  [[nodiscard]] Result<Done, Error> verify();

 private:
  Index(store::Database database, std::string path);
  [[nodiscard]] Result<Done, Error> load();
  [[nodiscard]] Error corrupt(std::string what) const;

  store::Database database_;
  std::string path_;
  Summary summary_;
  NameFilter filter_;
  std::optional<store::Statement> rules_;
  std::optional<store::Statement> brief_;
};

/// Writes an index of these records to `path`, where no file may be, and makes it durable.
[[nodiscard]] Result<Summary, Error> write_index(const std::string& path, const Draft& draft,
                                                 const std::vector<Rejected>& rejected, Time now);

/// The part of write_index() after the records have been understood.
[[nodiscard]] Result<Summary, Error> write_tables_to(const std::string& path, const Draft& draft,
                                                     const Tables& tables,
                                                     const std::vector<Rejected>& rejected,
                                                     Time now);

}  // namespace cg::vulnindex
