// Bill: the components of a CycloneDX document, and the names that point at them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.h"
#include "vuln/findings/finding.h"

namespace cg::formats {

/// The copies of a scan, one component each: all of Scan::components, then those that
/// only findings name.
class Bill {
 public:
  static constexpr std::string_view kRepository = "repository";  // the ref of the whole

  explicit Bill(const findings::Scan& scan);

  [[nodiscard]] const json::Value::Array& components() const { return components_; }
  /// Of the copies whose dependencies the scan knows; an empty list says there are none.
  [[nodiscard]] json::Value::Array dependencies() const;
  /// The bom-ref of a finding's copy.
  [[nodiscard]] const std::string& ref(const findings::Finding& finding) const;
  /// `wish`, or `wish` with a number if that is taken; never the same twice.
  [[nodiscard]] std::string fresh_ref(const std::string& wish);

 private:
  void add(const findings::Component& component);
  void add_copies(const std::vector<findings::Finding>& findings);
  [[nodiscard]] static std::string key(std::string_view lockfile, std::string_view location,
                                       std::string_view package, std::string_view version);

  json::Value::Array components_;
  std::vector<std::string> refs_;                     // of components_
  std::vector<std::vector<std::size_t>> depends_on_;  // of Scan::components only
  std::map<std::string, std::size_t, std::less<>> by_copy_;
  std::set<std::string, std::less<>> taken_;
};

}  // namespace cg::formats
