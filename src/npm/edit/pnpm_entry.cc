#include "npm/edit/pnpm_entry.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"

namespace cg::edit {

using lockfile::PnpmFormat;
using npm::EdgeKind;
using npm::NodeId;

namespace {

/// The order in which pnpm writes the fields of an entry.
constexpr std::array<std::string_view, 20> kOrder = {"resolution",
                                                     "id",
                                                     "name",
                                                     "version",
                                                     "engines",
                                                     "cpu",
                                                     "os",
                                                     "libc",
                                                     "deprecated",
                                                     "hasBin",
                                                     "prepare",
                                                     "requiresBuild",
                                                     "bundledDependencies",
                                                     "peerDependencies",
                                                     "peerDependenciesMeta",
                                                     "dependencies",
                                                     "optionalDependencies",
                                                     "transitivePeerDependencies",
                                                     "dev",
                                                     "optional"};

int order_of(std::string_view field) {
  return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), field) - kOrder.begin());
}

/// What the release decides; the rest is the lock's.
bool is_replaced(std::string_view field) {
  const int order = order_of(field);
  const bool known = order < static_cast<int>(kOrder.size());
  return known && order != order_of("transitivePeerDependencies") && order != order_of("dev") &&
         order != order_of("optional") && order != order_of("id");
}

std::string list(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) {
    if (!out.empty()) out += ", ";
    out += pnpm_scalar(item);
  }
  return "[" + out + "]";
}

std::string flow_map(const registry::Pairs& pairs) {
  std::string out;
  for (const auto& [key, value] : pairs) {
    if (!out.empty()) out += ", ";
    out += pnpm_scalar(key) + ": " + pnpm_scalar(value);
  }
  return "{" + out + "}";
}

}  // namespace

std::string PnpmNames::key(NodeId id) const {
  const npm::Node& node = tree_.node(id);
  const registry::Release* release = tree_.put(id);
  if (release == nullptr) return std::string(node.location);
  return std::string(node.location.substr(0, node.location.size() - node.version.size())) +
         release->version;
}

std::string PnpmNames::reference(std::string_view name, NodeId id) const {
  const std::string whole = key(id);
  std::string prefix;
  lockfile::dependency_key(format_, name, "", prefix);
  return whole.starts_with(prefix) ? whole.substr(prefix.size()) : whole;
}

NodeId PnpmNames::meant(std::string_view name, std::string_view reference) const {
  std::string location;
  lockfile::dependency_key(format_, name, reference, location);
  const NodeId found = tree_.index().at(location);
  return found != npm::kNoNode ? found : tree_.index().at(reference);
}

Result<std::string, EditError> PnpmEntry::package(std::size_t line) const {
  Fields fields;
  CG_TRY(resolution(line, fields));
  keep_fields(line, fields);
  facts(fields);
  peers(fields);
  if (names_.format() != PnpmFormat::v9) needs(fields);
  return text_of(std::move(fields));
}

Result<std::string, EditError> PnpmEntry::snapshot(std::size_t line) const {
  Fields fields;
  keep_fields(line, fields);
  needs(fields);
  return text_of(std::move(fields));
}

void PnpmEntry::keep_fields(std::size_t line, Fields& fields) const {
  for (const std::size_t i : text_.children(line)) {
    if (is_replaced(text_.line(i).key) || dropped_.count(i) > 0) continue;
    const npm::Span at = text_.whole(i);
    fields.emplace_back(order_of(text_.line(i).key),
                        text_.text().substr(at.begin, at.end - at.begin));
  }
}

Result<Done, EditError> PnpmEntry::resolution(std::size_t line, Fields& fields) const {
  const registry::Release& release = *tree_.put(id_);
  const std::size_t old = text_.child(line, "resolution");
  const std::string value = old == PnpmText::kNoLine ? "" : text_.value(old);
  const bool usual = value.starts_with("{integrity: ") && value.find(',') == std::string::npos;
  if (!usual || release.integrity.empty()) {
    return fail(EditError{EditError::Kind::unsupported,
                          printable("`" + std::string(tree_.node(id_).location) +
                                    "` is not resolved by its integrity alone")});
  }
  fields.emplace_back(order_of("resolution"),
                      "    resolution: {integrity: " + pnpm_scalar(release.integrity) + "}");
  return Done{};
}

void PnpmEntry::facts(Fields& fields) const {
  const registry::Release& release = *tree_.put(id_);
  const auto put = [&](std::string_view field, std::string_view value) {
    fields.emplace_back(order_of(field), "    " + std::string(field) + ": " + std::string(value));
  };
  registry::Pairs engines = release.engines;
  std::erase_if(engines, [](const auto& engine) { return engine.second == "*"; });
  if (!engines.empty()) put("engines", flow_map(engines));
  if (!release.cpu.empty()) put("cpu", list(release.cpu));
  if (!release.os.empty()) put("os", list(release.os));
  if (!release.libc.empty()) put("libc", list(release.libc));
  if (!release.deprecated.empty()) put("deprecated", pnpm_scalar(release.deprecated));
  if (!release.bin.empty()) put("hasBin", "true");
  if (release.install_script && names_.format() != PnpmFormat::v9) put("requiresBuild", "true");
}

void PnpmEntry::peers(Fields& fields) const {
  std::vector<registry::Need> needs = tree_.put(id_)->needs;
  std::sort(needs.begin(), needs.end(),
            [](const registry::Need& a, const registry::Need& b) { return a.name < b.name; });
  std::string ranges;
  std::string meta;
  for (const registry::Need& need : needs) {
    if (need.kind != EdgeKind::peer && need.kind != EdgeKind::peer_optional) continue;
    const std::string name = std::string(eol_) + "      " + pnpm_scalar(need.name) + ":";
    ranges += name + " " + pnpm_scalar(need.range);
    if (need.kind == EdgeKind::peer) continue;
    meta += name + std::string(eol_) + "        optional: true";
  }
  if (!ranges.empty())
    fields.emplace_back(order_of("peerDependencies"), "    peerDependencies:" + ranges);
  if (!meta.empty()) {
    fields.emplace_back(order_of("peerDependenciesMeta"), "    peerDependenciesMeta:" + meta);
  }
}

void PnpmEntry::needs(Fields& fields) const {
  for (const auto& [field, kind] :
       {std::pair<std::string_view, EdgeKind>{"dependencies", EdgeKind::prod},
        {"optionalDependencies", EdgeKind::optional}}) {
    std::string text = block(field, kind);
    if (!text.empty()) fields.emplace_back(order_of(field), std::move(text));
  }
}

std::string PnpmEntry::block(std::string_view field, EdgeKind kind) const {
  std::vector<FlatEdge> edges = tree_.edges_of(id_);
  std::sort(edges.begin(), edges.end(),
            [](const FlatEdge& a, const FlatEdge& b) { return a.name < b.name; });
  std::string out;
  for (const FlatEdge& edge : edges) {
    if (edge.kind != kind || edge.to == npm::kNoNode) continue;
    if (out.empty()) out = "    " + std::string(field) + ":";
    out += std::string(eol_) + "      " + pnpm_scalar(edge.name) + ": " +
           pnpm_scalar(names_.reference(edge.name, edge.to));
  }
  return out;
}

std::string PnpmEntry::text_of(Fields fields) const {
  std::stable_sort(fields.begin(), fields.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = "  " + pnpm_scalar(names_.key(id_)) + ":";
  if (fields.empty()) return out + " {}";
  for (const auto& [order, text] : fields) out += std::string(eol_) + text;
  return out;
}

}  // namespace cg::edit
