// What a fix is thought of from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fetch/catalog/catalog.h"
#include "fix/plan/options.h"
#include "fix/plugin/load.h"
#include "flow/job/checkout.h"
#include "flow/scan/rule_book.h"
#include "flow/scan/scan.h"
#include "flow/workspace/policy.h"

namespace cg::propose {

/// The repository at the commit that fixes start from, read and matched.
struct Base {
  job::Checkout checkout;
  workspace::Policy policy;
  std::unique_ptr<vulnindex::Index> index;
  scan::Request asked;  // an edited tree is scanned in the same way
  scan::Scanned scanned;
};

/// That, what is published and known about packages, and what is allowed.
struct Situation {
  Base base;
  plugin::Plugins plugins;
  std::unique_ptr<catalog::Catalog> catalog;
  scan::RuleBook book;  // of base.index
  plan::Prefer prefer;
  Time now;
  /// The day that notes count from: that of the base commit, so that the same base gives
  /// the same files whenever it is fixed.
  Time dated;
  std::string registry;  // that new entries of a lock name

  [[nodiscard]] const repository::LoadedLock& lock(std::size_t number) const {
    return base.scanned.loaded.locks[number];
  }
  /// Of the kind of lockfile that the repository has.
  [[nodiscard]] const plugin::Plugin& plugin() const {
    const auto& locks = base.scanned.loaded.locks;
    return plugins.plugin_for(locks.empty() ? npm::LockKind::package_lock
                                            : locks.front().graph.kind());
  }
};

/// Where earlier attempts and a model narrow the choice.
struct Leeway {
  std::vector<plan::Tried> tried = {};     // brought by earlier attempts, not to be chosen again
  std::vector<plan::Target> targets = {};  // chosen by a model; recipes stand back for those
};

}  // namespace cg::propose
