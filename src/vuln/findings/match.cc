#include "vuln/findings/match.h"

#include <algorithm>
#include <tuple>

#include "npm/semver/version.h"
#include "vuln/advisory/version_key.h"

namespace cg::findings {

namespace {

std::string range_text(const advisory::Interval& interval) {
  using End = advisory::IntervalEnd;
  const std::string from = interval.from.text();
  std::string out = from == "0.0.0-0" ? "" : ">=" + from;
  if (interval.to) {
    if (!out.empty()) out += ' ';
    out += (interval.end == End::last_affected ? "<=" : "<") + interval.to->text();
  }
  return out.empty() ? "every version" : out;
}

Hit hit_of(npm::NodeId node, const advisory::RuleView& view, const advisory::Match& match,
           std::string_view version) {
  Hit hit{node, std::string(view.advisory()), view.level(), view.malware(), "", {}};
  if (match.interval) {
    hit.affected = range_text(view.decode().intervals[*match.interval]);
  } else {
    hit.affected = "=" + std::string(version);
  }
  if (match.fixed_in) hit.fixed_in.push_back(match.fixed_in->text());
  return hit;
}

/// Several records of a group may speak of the same package: one finding, all fixes.
void take(std::vector<Hit>& hits, std::size_t first, Hit hit) {
  const auto same = std::find_if(hits.begin() + static_cast<std::ptrdiff_t>(first), hits.end(),
                                 [&](const Hit& other) { return other.advisory == hit.advisory; });
  if (same == hits.end()) {
    hits.push_back(std::move(hit));
    return;
  }
  same->malware = same->malware || hit.malware;
  for (std::string& fix : hit.fixed_in) {
    if (std::find(same->fixed_in.begin(), same->fixed_in.end(), fix) == same->fixed_in.end()) {
      same->fixed_in.push_back(std::move(fix));
    }
  }
}

}  // namespace

bool is_published(const npm::Node& node) {
  switch (node.source) {
    case npm::Source::registry:
    case npm::Source::tarball:
    case npm::Source::git:
      return true;
    case npm::Source::root:
    case npm::Source::workspace:
    case npm::Source::directory:
    case npm::Source::link:
      break;
  }
  return false;
}

std::vector<Hit> match_version(const std::string& package, const std::string& version,
                               const RuleSet& rules) {
  std::vector<Hit> out;
  const auto of_package = rules.find(package);
  const auto parsed = semver::Version::parse(version, {.loose = true});
  if (of_package == rules.end() || !parsed) return out;
  const advisory::VersionKey key(*parsed);
  for (const advisory::RuleView& rule : of_package->second) {
    if (const auto match = rule.evaluate(key))
      take(out, 0, hit_of(npm::kNoNode, rule, *match, version));
  }
  return out;
}

Matches match_graph(const npm::Graph& graph, const RuleSet& rules) {
  Matches out;
  if (rules.empty()) return out;
  for (npm::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const npm::Node& node = graph.node(id);
    if (!is_published(node) || node.version.empty()) continue;
    const auto of_package = rules.find(node.name);
    if (of_package == rules.end()) continue;
    const auto version = semver::Version::parse(node.version, {.loose = true});
    if (!version) {
      out.unreadable.push_back(id);
      continue;
    }
    const advisory::VersionKey key(*version);
    const std::size_t first = out.hits.size();
    for (const advisory::RuleView& rule : of_package->second) {
      if (const auto match = rule.evaluate(key)) {
        take(out.hits, first, hit_of(id, rule, *match, node.version));
      }
    }
  }
  std::sort(out.hits.begin(), out.hits.end(), [](const Hit& a, const Hit& b) {
    return std::tie(a.node, a.advisory) < std::tie(b.node, b.advisory);
  });
  return out;
}

}  // namespace cg::findings
