#include <algorithm>
#include <optional>
#include <set>

#include "base/base/text.h"
#include "npm/lockfile/elsewhere.h"
#include "prove/preflight/parts.h"

namespace cg::preflight {

namespace {

using lockfile::Elsewhere;

/// Yarn berry may have brought its packages along in the repository, archives of its own making.
Severity severity_of(const npm::Graph& graph, const npm::Node& node) {
  const bool certain = graph.kind() != npm::LockKind::yarn_berry && !node.flags.optional;
  return certain ? Severity::blocks : Severity::may_fail;
}

/// `hosts` are those of policy and those that are missing in it: a line is to take the place of
/// the one that is there.
std::string policy_line(const std::set<std::string>& hosts) {
  std::string list;
  for (const std::string& host : hosts) {
    const bool plain = host.find_first_of(":[") == std::string::npos;
    list += (list.empty() ? "" : ", ") + (plain ? host : "\"" + host + "\"");
  }
  return "let them be fetched, put under gates: in policy/policy.yaml of the workspace:  "
         "fetch_urls: [" +
         list + "]";
}

std::string from(const npm::Node& node) { return "comes from " + shown(node.resolved); }

bool is_allowed(const Facts& facts, const Elsewhere& found) {
  return std::binary_search(facts.fetch_urls.begin(), facts.fetch_urls.end(), found.host);
}

/// Nothing for what is in the repository.
std::optional<Obstacle> obstacle_of(const Facts& facts, const npm::Node& node,
                                    const Elsewhere& found, const std::string& line) {
  Obstacle out;
  out.kind = Kind::address;
  out.severity = severity_of(facts.graph, node);
  out.where = label(node);
  const std::string published = "depend on a published version";
  switch (found.kind) {
    case Elsewhere::Kind::local:
      return std::nullopt;
    case Elsewhere::Kind::archive:
      if (is_allowed(facts, found)) {
        out.severity = Severity::note;
        out.what = from(node) + ", and is fetched from there, as policy lets it";
        return out;
      }
      out.what = from(node) + ", and policy does not let it be fetched from there";
      out.next = line;
      return out;
    case Elsewhere::Kind::unpinned:
      out.what = from(node) + ", and the lock does not say which bytes are meant";
      out.next = published + ", or on an https address whose integrity the lock has";
      return out;
    case Elsewhere::Kind::plain:
      out.what = from(node) + ", which is not an https address that can be asked for";
      out.next = published + ", or on an https address whose integrity the lock has";
      return out;
    case Elsewhere::Kind::git:
      out.what = from(node) + ", a git repository, and the sandbox has no network";
      out.next =
          published + ", or on an https archive of that commit, whose integrity the lock has";
      return out;
    case Elsewhere::Kind::outside:
      break;
  }
  // A link that leads nowhere installs; an archive that is not there does not.
  if (node.source != npm::Source::tarball) out.severity = Severity::may_fail;
  out.what = (node.resolved.empty() ? "is " + shown(node.location) : from(node)) +
             ", which is not in the repository";
  out.next = "keep it in the repository, or " + published;
  return out;
}

}  // namespace

void look_at_addresses(const Facts& facts, std::vector<Obstacle>& out) {
  const std::size_t slash = facts.lockfile.rfind('/');
  const std::string folder =
      slash == std::string::npos ? std::string() : facts.lockfile.substr(0, slash);
  std::set<std::string> hosts(facts.fetch_urls.begin(), facts.fetch_urls.end());
  for (npm::NodeId id = 0; id < facts.graph.nodes().size(); ++id) {
    const auto found = lockfile::elsewhere(facts.graph, id, folder);
    if (found && found->kind == Elsewhere::Kind::archive) hosts.insert(found->host);
  }
  const std::string line = policy_line(hosts);
  std::set<std::string> told;
  for (npm::NodeId id = 0; id < facts.graph.nodes().size(); ++id) {
    const auto found = lockfile::elsewhere(facts.graph, id, folder);
    if (!found) continue;
    const npm::Node& node = facts.graph.node(id);
    auto obstacle = obstacle_of(facts, node, *found, line);
    if (obstacle && told.insert(obstacle->where + " " + obstacle->what).second) {
      out.push_back(*std::move(obstacle));
    }
  }
}

}  // namespace cg::preflight
