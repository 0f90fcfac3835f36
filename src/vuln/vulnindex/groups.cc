#include "vuln/vulnindex/groups.h"

namespace cg::vulnindex {

namespace {

bool is_ghsa(const std::string& id) { return id.starts_with("GHSA-"); }

/// The first id with this beginning; empty if there is none.
std::string first_with(const std::set<std::string>& ids, const std::string& beginning) {
  const auto at = ids.lower_bound(beginning);
  return at != ids.end() && at->starts_with(beginning) ? *at : std::string();
}

}  // namespace

void Groups::add(const std::string& id, const std::vector<std::string>& aliases) {
  auto& ids = records_[id];
  ids.insert(id);
  ids.insert(aliases.begin(), aliases.end());
  if (!is_ghsa(id)) return;
  for (const std::string& alias : aliases) {
    const auto [at, fresh] = named_by_.try_emplace(alias, id);
    if (!fresh && id < at->second) at->second = id;
  }
}

std::string Groups::choose(const std::string& id, const std::set<std::string>& ids) const {
  if (is_ghsa(id)) return id;
  if (std::string ghsa = first_with(ids, "GHSA-"); !ghsa.empty()) return ghsa;
  for (const std::string& name : ids) {
    const auto at = named_by_.find(name);
    if (at != named_by_.end()) return at->second;
  }
  const std::string cve = first_with(ids, "CVE-");
  return cve.empty() ? id : cve;
}

void Groups::settle() {
  for (const auto& [id, ids] : records_) {
    const std::string leader = choose(id, ids);
    leader_[id] = leader;
    members_[leader].insert(ids.begin(), ids.end());
  }
}

}  // namespace cg::vulnindex
