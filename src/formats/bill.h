// Bill: the components of a CycloneDX document, and the names that point at them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"
#include "scan/finding.h"

namespace cg::formats {

/// The copies of a scan, one component each: all of Scan::components, then those that
/// only findings name.
class Bill {
 public:
  static constexpr std::string_view kRepository = "repository";  // the ref of the whole

  explicit Bill(const scan::Scan& scan);

  [[nodiscard]] const codec::Value::Array& components() const { return components_; }
  /// Of the copies whose dependencies the scan knows; an empty list says there are none.
  [[nodiscard]] codec::Value::Array dependencies() const;
  /// The bom-ref of a finding's copy.
  [[nodiscard]] const std::string& ref(const scan::Finding& finding) const;
  /// `wish`, or `wish` with a number if that is taken; never the same twice.
  [[nodiscard]] std::string fresh_ref(std::string wish);

 private:
  void add(const scan::Component& component);
  void add_copies(const std::vector<scan::Finding>& findings);
  [[nodiscard]] static std::string key(std::string_view lockfile, std::string_view location,
                                       std::string_view package, std::string_view version);

  codec::Value::Array components_;
  std::vector<std::string> refs_;                     // of components_
  std::vector<std::vector<std::size_t>> depends_on_;  // of Scan::components only
  std::map<std::string, std::size_t, std::less<>> by_copy_;
  std::set<std::string, std::less<>> taken_;
};

}  // namespace cg::formats
