#include "fix/plan/plan.h"

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

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::fixed:
      return "fixed";
    case Verdict::blocked:
      return "blocked";
    case Verdict::no_fix:
      return "no_fix";
    case Verdict::handed_on:
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
      break;
  }
  return "gates";
}

}  // namespace cg::plan
