#include "fix/plan/words.h"

#include <algorithm>

namespace cg::plan {

std::string_view name(Strategy strategy) {
  switch (strategy) {
    case Strategy::relock:
      return "relock";
    case Strategy::direct_bump:
      return "direct_bump";
    case Strategy::parent_bump:
      return "parent_bump";
    case Strategy::override_rule:
      return "override";
    case Strategy::callsite_rewrite:
      break;
  }
  return "callsite_rewrite";
}

std::string_view name(Fate fate) {
  switch (fate) {
    case Fate::fixed:
      return "fixed";
    case Fate::blocked:
      return "blocked";
    case Fate::no_fix:
      return "no_fix";
    case Fate::handed_on:
      break;
  }
  return "handed_on";
}

std::string_view name(Blocker blocker) {
  switch (blocker) {
    case Blocker::none:
      return "none";
    case Blocker::range:
      return "range";
    case Blocker::override_rule:
      return "override";
    case Blocker::bundled:
      return "bundled";
    case Blocker::shrinkwrap:
      return "shrinkwrap";
    case Blocker::peer:
      return "peer";
    case Blocker::engine:
      return "engine";
    case Blocker::policy:
      return "policy";
    case Blocker::source:
      return "source";
    case Blocker::no_version:
      return "no_version";
    case Blocker::major:
      return "major";
    case Blocker::malware:
      return "malware";
    case Blocker::unsupported:
      return "unsupported";
    case Blocker::registry:
      return "registry";
    case Blocker::ignored:
      return "ignored";
    case Blocker::gates:
      return "gates";
    case Blocker::unproven:
      break;
  }
  return "unproven";
}

namespace {

std::string refusal(Blocker blocker, const Offers& offers, std::size_t at) {
  const std::string target = offers.packument().name() + " " + offers.packument().version(at).str();
  if (blocker == Blocker::engine) return target + " " + offers.other_node(at);
  if (blocker == Blocker::policy) return "policy does not allow " + target + " yet";
  return target + " carries other packages inside its own";
}

}  // namespace

std::vector<std::size_t> choose_safe(Offers& offers, const semver::Version& version,
                                     bool had_script, const Options& options, Attempt& attempt) {
  const registry::Packument& packument = offers.packument();
  std::vector<std::size_t> out = offers.safe_above(version);
  const std::size_t best = out.empty() ? 0 : out.front();
  Blocker first = Blocker::none;
  std::erase_if(out, [&](std::size_t at) {
    const Blocker why = offers.refused(at, had_script);
    if (first == Blocker::none) first = why;
    return why != Blocker::none;
  });
  if (first == Blocker::engine && !out.empty() && out.front() != best) {
    attempt.passed_over = refusal(first, offers, best);
  }
  const Target* target = options.target_for(packument.name());
  const bool one = target != nullptr && !target->version.empty();
  if (one)
    std::erase_if(out, [&](auto i) { return packument.version(i).str() != target->version; });
  if (!out.empty()) return out;
  attempt.blocker = Blocker::no_version;
  if (one) {
    attempt.reason = packument.name() + " " + target->version;
    attempt.reason += " is no safe version that may be chosen";
  } else if (first != Blocker::none) {
    attempt.blocker = first;
    attempt.reason = refusal(first, offers, best);
  } else {
    attempt.fate = Fate::no_fix;
  }
  return out;
}

Copy copy_of(const Input& input, const findings::Hit& hit, const Attempt& attempt) {
  const npm::Node& node = input.graph.node(hit.node);
  Copy out;
  out.advisory = hit.advisory;
  out.package = node.name;
  out.location = node.location;
  out.from = node.version;
  out.level = hit.level;
  out.considered = attempt.considered;
  return out;
}

void leave(const findings::Hit& hit, const Attempt& attempt, Copy& out) {
  if (hit.malware) {
    out.fate = Fate::handed_on;
    out.blocker = Blocker::malware;
    out.reason = "malware: no version of it is to be trusted, it has to be removed";
    return;
  }
  out.fate = attempt.fate;
  out.blocker = attempt.blocker;
  out.reason = attempt.reason;
}

void say_passes(int passes, Copy& out) {
  if (out.fate == Fate::fixed || out.blocker == Blocker::malware) return;
  out.reason += "; planning ended after " + std::to_string(passes) +
                " passes, the last of which still moved something: another run may fix more";
}

void say_bounds(const std::set<std::string>& bounds, Attempt& attempt) {
  if (!attempt.passed_over.empty()) attempt.reason += "; " + attempt.passed_over;
  for (const std::string& bound : bounds) attempt.reason += "; " + bound;
}

edit::ManifestEdit& manifest_edit(const Input& input, const std::string& importer, Plan& plan) {
  std::string path(input.manifests.empty() ? "" : input.manifests.front().folder());
  for (const std::string& part : {importer, std::string("package.json")}) {
    if (!part.empty()) path += (path.empty() ? "" : "/") + part;
  }
  const auto known =
      std::find_if(plan.manifests.begin(), plan.manifests.end(),
                   [&](const edit::ManifestEdit& edit) { return edit.path == path; });
  if (known != plan.manifests.end()) return *known;
  return plan.manifests.emplace_back(edit::ManifestEdit{path, {}, {}});
}

}  // namespace cg::plan
