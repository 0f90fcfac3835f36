// Groups: records that speak of the same weakness.
//
// A GHSA record leads a group of its own, even where two of them name the same CVE:
// the database keeps them apart. Any other record belongs to the GHSA it names, or
// that names one of its ids; failing that, to the CVE it names; failing that, it
// leads its own.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cg::vulnindex {

class Groups {
 public:
  void add(const std::string& id, const std::vector<std::string>& aliases);
  /// Call once, after the last add().
  void settle();

  /// `id` must be that of a record.
  [[nodiscard]] const std::string& leader(const std::string& id) const { return leader_.at(id); }
  /// Every id in the group, aliases too.
  [[nodiscard]] const std::set<std::string>& members(const std::string& leader) const {
    return members_.at(leader);
  }

 private:
  [[nodiscard]] std::string choose(const std::string& id, const std::set<std::string>& ids) const;

  std::map<std::string, std::set<std::string>> records_;  // id -> id and aliases
  std::map<std::string, std::string> named_by_;           // alias -> first GHSA record
  std::map<std::string, std::string> leader_;
  std::map<std::string, std::set<std::string>> members_;
};

}  // namespace cg::vulnindex
