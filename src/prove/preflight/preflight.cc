#include "prove/preflight/preflight.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/base/text.h"
#include "prove/preflight/parts.h"

namespace cg::preflight {

namespace {

constexpr std::size_t kMaxBlocksTold = 3;

/// Of each kind and severity the first ones, and how many more there are.
std::vector<Obstacle> bounded(std::vector<Obstacle> all, const std::string& lockfile) {
  std::vector<Obstacle> out;
  std::map<std::pair<Severity, Kind>, std::size_t> seen;
  for (Obstacle& one : all) {
    if (++seen[{one.severity, one.kind}] <= kMaxOfAKind) out.push_back(std::move(one));
  }
  for (const auto& [which, count] : seen) {
    if (count <= kMaxOfAKind) continue;
    out.push_back({which.second, which.first, lockfile, "",
                   std::to_string(count - kMaxOfAKind) + " more like these", ""});
  }
  return out;
}

}  // namespace

std::vector<Obstacle> look(const Facts& facts) {
  std::vector<Obstacle> out;
  look_at_addresses(facts, out);
  look_at_manager(facts, out);
  look_at_node(facts, out);
  look_at_install_scripts(facts, out);
  look_at_own_scripts(facts, out);
  look_at_services(facts, out);
  for (Obstacle& one : out) one.lockfile = printable(facts.lockfile);
  std::stable_sort(out.begin(), out.end(), [](const Obstacle& a, const Obstacle& b) {
    return std::tie(a.severity, a.kind) < std::tie(b.severity, b.kind);
  });
  return bounded(std::move(out), printable(facts.lockfile));
}

std::string why_blocked(const std::vector<Obstacle>& all, std::string_view lockfile) {
  std::string told;
  std::size_t count = 0;
  std::string_view last;
  for (const Obstacle& one : all) {
    if (one.severity != Severity::blocks || one.lockfile != printable(lockfile)) continue;
    if (++count > kMaxBlocksTold) continue;
    if (!last.empty() && one.next != last) told += " (" + std::string(last) + ")";
    told += (told.empty() ? "" : "; ") + one.where + (one.where.empty() ? "" : " ") + one.what;
    last = one.next;
  }
  if (count == 0) return {};
  if (!last.empty()) told += " (" + std::string(last) + ")";
  if (count > kMaxBlocksTold) told += "; and " + std::to_string(count - kMaxBlocksTold) + " more";
  return "the packages cannot be installed: " + told;
}

std::string scripts_hint(const std::vector<Obstacle>& all, std::string_view lockfile) {
  constexpr std::size_t kMaxTold = 8;
  constexpr std::size_t kMaxCommand = 80;
  std::string told;
  std::string line;
  std::size_t count = 0;
  for (const Obstacle& one : all) {
    const bool is_off = one.kind == Kind::install_script && one.severity == Severity::may_fail;
    if (!is_off || one.lockfile != printable(lockfile) || one.next.empty()) continue;
    line = one.next;
    if (++count > kMaxTold) continue;
    told += (told.empty() ? "" : "; ") + one.where + " " + cut(one.what, kMaxCommand);
  }
  if (count == 0) return {};
  if (count > kMaxTold) told += "; and " + std::to_string(count - kMaxTold) + " more";
  return ". Install scripts were not run, and may be what is missing: " + told + ". To " + line;
}

}  // namespace cg::preflight
