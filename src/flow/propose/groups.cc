#include "flow/propose/groups.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "trust/hash/blake3.h"

namespace cg::propose {

namespace {

/// Sets of fixes that grow together.
class Sets {
 public:
  explicit Sets(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), 0U); }
  std::size_t find(std::size_t i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> above_;
};

/// Of fixes that the case plans.
Group planned_group(const report::Case& c, const std::vector<std::size_t>& fixes) {
  std::set<std::string> copies;
  for (const report::Copy& copy : c.copies) {
    if (std::find(fixes.begin(), fixes.end(), copy.fix) == fixes.end()) continue;
    copies.insert(copy_key(copy.lockfile, copy.location, copy.advisory));
  }
  std::string id = group_id(copies);
  return {std::move(id), fixes, std::move(copies), std::nullopt};
}

}  // namespace

std::vector<Group> planned_groups(const report::Case& c) {
  std::vector<Group> out;
  for (const report::Branch& branch : c.branches) out.push_back(planned_group(c, branch.fixes));
  return out;
}

std::vector<std::vector<std::size_t>> group_fixes(const std::vector<report::Fix>& fixes,
                                                  job::Grouping grouping) {
  Sets sets(fixes.size());
  std::map<std::string, std::size_t> first;
  const auto link = [&](const std::string& key, std::size_t i) {
    const auto [at, is_new] = first.emplace(key, i);
    if (!is_new) sets.join(at->second, i);
  };
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    if (grouping == job::Grouping::one) link("", i);
    link("package " + fixes[i].package, i);
    for (const std::string& touched : fixes[i].touched) link(fixes[i].lockfile + " " + touched, i);
  }
  if (grouping == job::Grouping::safe) {
    std::set<std::size_t> beyond;  // sets with a fix that leaves its dependents' ranges
    for (std::size_t i = 0; i < fixes.size(); ++i) {
      if (fixes[i].strategy != plan::Strategy::relock) beyond.insert(sets.find(i));
    }
    std::optional<std::size_t> inside;
    for (std::size_t i = 0; i < fixes.size(); ++i) {
      if (beyond.contains(sets.find(i))) continue;
      if (inside) sets.join(*inside, i);
      inside = i;
    }
  }
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < fixes.size(); ++i) groups[sets.find(i)].push_back(i + 1);
  std::vector<std::vector<std::size_t>> out;
  for (auto& [root, members] : groups) out.push_back(std::move(members));
  return out;
}

std::vector<Group> parts_of(const report::Case& c, const Group& group) {
  std::vector<report::Fix> fixes;
  for (const std::size_t number : group.fixes) {
    fixes.push_back(c.fixes[number - 1]);
    std::erase(fixes.back().touched, plan::kTouchesRules);
  }
  std::vector<Group> out;
  for (std::vector<std::size_t>& part : group_fixes(fixes, job::Grouping::each)) {
    for (std::size_t& number : part) number = group.fixes[number - 1];
    out.push_back(planned_group(c, part));
  }
  return out;
}

Group joined(const std::vector<Group>& parts, const std::vector<std::size_t>& named) {
  Group out;
  for (const std::size_t i : named) {
    out.fixes.insert(out.fixes.end(), parts[i].fixes.begin(), parts[i].fixes.end());
    out.copies.insert(parts[i].copies.begin(), parts[i].copies.end());
  }
  std::sort(out.fixes.begin(), out.fixes.end());
  out.id = group_id(out.copies);
  return out;
}

std::pair<Group, Group> split(const report::Case& c, const Group& group,
                              const std::set<std::string>& lockfiles) {
  std::vector<std::size_t> in;
  std::vector<std::size_t> out;
  for (const std::size_t number : group.fixes) {
    (lockfiles.contains(c.fixes[number - 1].lockfile) ? in : out).push_back(number);
  }
  return {planned_group(c, in), planned_group(c, out)};
}

std::string group_id(const std::set<std::string>& copies) {
  hash::Blake3 digest("codegenie 2026 group of copies v1");
  for (const std::string& copy : copies) digest.update(as_bytes(copy + "\n"));
  return to_hex(digest.finish());
}

std::string copy_key(const std::string& lockfile, const std::string& location,
                     const std::string& advisory) {
  return lockfile + "\n" + location + "\n" + advisory;
}

Wanted wanted_of(const scan::Scanned& scanned, const std::set<std::string>& copies) {
  Wanted out(scanned.hits.size());
  for (std::size_t i = 0; i < scanned.hits.size(); ++i) {
    const repository::LoadedLock& lock = scanned.loaded.locks[i];
    for (const findings::Hit& hit : scanned.hits[i]) {
      const std::string location(lock.graph.node(hit.node).location);
      if (copies.contains(copy_key(lock.path, location, hit.advisory))) out[i].push_back(hit);
    }
  }
  return out;
}

}  // namespace cg::propose
