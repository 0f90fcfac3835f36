// Which findings are shown, in which order, and which of them fail a run.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/json/value.h"
#include "vuln/findings/finding.h"

namespace cg::findings {

enum class Order { risk, severity, depth };
[[nodiscard]] std::optional<Order> parse_order(std::string_view word);

/// Critical first. Ties are broken by everything else a finding has, so the order does
/// not depend on how the findings came.
///   risk      malware, severity, direct before transitive, production before development
///   severity  level, then score
///   depth     the shortest chain first
void sort(std::vector<Finding>& findings, Order order);

struct Selection {
  std::vector<std::string> advisories;  // ids or aliases; empty: all
  std::string package;
  bool production_only = false;
  bool fixable_only = false;
};
/// Keeps what is selected, in both lists.
void select(Scan& scan, const Selection& selection);

/// What a finding is called in a baseline: lines and paths through the tree may change.
[[nodiscard]] std::string identity(const Finding& finding);

/// The findings of an earlier `codegenie scan --format json`.
[[nodiscard]] Result<std::set<std::string>, std::string> read_baseline(std::string_view json);
/// Drops what the baseline has. Returns how many.
std::size_t drop_known(Scan& scan, const std::set<std::string>& baseline);

/// low, moderate, high or critical; nothing for none.
[[nodiscard]] bool is_at_least(const Finding& finding, advisory::Level level);

}  // namespace cg::findings
