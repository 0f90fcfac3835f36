// Policy: everything that a jail is, as one immutable value.
//
// It is made before anything is in force, can be printed, has a digest, and its filter can
// be asked in user space what it would say to a call (seal::Filter::evaluate). What a
// kernel then really gave is told by InForce, never by this.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"
#include "jail/sandbox/chamber.h"
#include "jail/sandbox/places.h"
#include "jail/seal/error.h"
#include "jail/seal/filter.h"
#include "trust/hash/digest.h"

namespace cg::sandbox {

/// What a step may ask of the kernel. Broad, since it holds node, npm, yarn, pnpm, tsc and
/// test runners; what it leaves out is refused with EPERM, socket families with
/// EAFNOSUPPORT, clone3 with ENOSYS (its flags cannot be seen), and another architecture's
/// calls end the process.
[[nodiscard]] std::vector<seal::Rule> payload_rules();

/// The same built. Calls that are reported are for the trace (jail/inside/trace.h).
[[nodiscard]] Result<seal::Filter, seal::Error> payload_filter();

class Policy {
 public:
  class Builder;

  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const std::vector<Place>& root() const { return root_; }
  [[nodiscard]] const seal::Filter& filter() const { return filter_; }
  [[nodiscard]] const seal::Reach& reach() const { return reach_; }
  /// The filter's program as the kernel takes it.
  [[nodiscard]] std::string filter_bytes() const;

  /// In words, for `sandbox policy --print`.
  [[nodiscard]] std::string print() const;
  /// SHA-256 of print() and of the filter's program.
  [[nodiscard]] hash::Digest digest() const;

 private:
  Policy(Scene scene, Limits limits, seal::Filter filter);

  Scene scene_;
  Limits limits_;
  std::vector<Place> root_;
  seal::Filter filter_;
  seal::Reach reach_;
};

class Policy::Builder {
 public:
  Builder& scene(Scene scene);
  /// For print(): those of the steps that it is meant for.
  Builder& limits(const Limits& limits);
  [[nodiscard]] Result<Policy, seal::Error> build() const;

 private:
  Scene scene_;
  Limits limits_;
};

}  // namespace cg::sandbox
