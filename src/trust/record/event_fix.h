// Events of a remediation from the request to the plan; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct RemediationStarted {
  static constexpr std::string_view kKind = "remediation_started";
  static constexpr std::string_view kSays =
      "A repository is to be fixed; which one, at which commit, and what was asked for";
  static constexpr Home kHome = Home::workflow;
  std::string head;  // the commit; empty where there is none
  std::string repo;
  std::string request;  // the advisories asked for, or all
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("head", self.head, 64);
    f("repo", self.repo, 512);
    f("request", self.request, 512);
  }
  friend bool operator==(const RemediationStarted&, const RemediationStarted&) = default;
};

struct ContextGathered {
  static constexpr std::string_view kKind = "context_gathered";
  static constexpr std::string_view kSays =
      "What is installed was read; the digest over the graphs of all lockfiles";
  static constexpr Home kHome = Home::workflow;
  hash::Digest graph{};
  std::uint64_t locks = 0;
  std::uint64_t packages = 0;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("graph", self.graph, 64);
    f("locks", self.locks, 0);
    f("packages", self.packages, 0);
  }
  friend bool operator==(const ContextGathered&, const ContextGathered&) = default;
};

struct RegistryConsulted {
  static constexpr std::string_view kKind = "registry_consulted";
  static constexpr std::string_view kSays =
      "What is published was looked up; the digest over the answers that were used";
  static constexpr Home kHome = Home::workflow;
  hash::Digest digest{};
  std::uint64_t packages = 0;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("digest", self.digest, 64);
    f("packages", self.packages, 0);
  }
  friend bool operator==(const RegistryConsulted&, const RegistryConsulted&) = default;
};

struct ProvenanceClassified {
  static constexpr std::string_view kKind = "provenance_classified";
  static constexpr std::string_view kSays =
      "How copies that an advisory affects came to be installed";
  static constexpr Home kHome = Home::workflow;
  std::string advisory;
  std::uint64_t count = 0;
  std::string kind;      // one of the seven kinds
  std::string location;  // of the first; empty if there is none
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("advisory", self.advisory, 64);
    f("count", self.count, 0);
    f("kind", self.kind, 32);
    f("location", self.location, 512);
  }
  friend bool operator==(const ProvenanceClassified&, const ProvenanceClassified&) = default;
};

struct RecipeAnswered {
  static constexpr std::string_view kKind = "recipe_answered";
  static constexpr std::string_view kSays = "A recipe was asked about one installed copy";
  static constexpr Home kHome = Home::workflow;
  std::string applies;  // yes or no
  std::string location;
  std::string package;
  std::string reason;
  std::string recipe;  // npm-relock@1
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("applies", self.applies, 3);
    f("location", self.location, 512);
    f("package", self.package, 214);
    f("reason", self.reason, 512);
    f("recipe", self.recipe, 72);
  }
  friend bool operator==(const RecipeAnswered&, const RecipeAnswered&) = default;
};

struct PlanMade {
  static constexpr std::string_view kKind = "plan_made";
  static constexpr std::string_view kSays =
      "What is to be changed is settled; copies by verdict, and lock entries that change";
  static constexpr Home kHome = Home::workflow;
  std::uint64_t blocked = 0;
  hash::Digest digest{};
  std::uint64_t entries = 0;
  std::uint64_t fixed = 0;
  std::uint64_t handed_on = 0;
  std::uint64_t no_fix = 0;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("blocked", self.blocked, 0);
    f("digest", self.digest, 64);
    f("entries", self.entries, 0);
    f("fixed", self.fixed, 0);
    f("handed_on", self.handed_on, 0);
    f("no_fix", self.no_fix, 0);
  }
  friend bool operator==(const PlanMade&, const PlanMade&) = default;
};

struct OverrideAdded {
  static constexpr std::string_view kKind = "override_added";
  static constexpr std::string_view kSays =
      "A rule of the root manifest replaces what packages ask for, and why";
  static constexpr Home kHome = Home::workflow;
  std::string path;  // keys from the outside in, with > between them
  std::string reason;
  std::string value;
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("path", self.path, 512);
    f("reason", self.reason, 512);
    f("value", self.value, 256);
  }
  friend bool operator==(const OverrideAdded&, const OverrideAdded&) = default;
};

}  // namespace cg::record
