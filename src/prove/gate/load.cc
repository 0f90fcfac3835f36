#include "prove/gate/load.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/semver/caret.h"
#include "npm/semver/range.h"

namespace cg::gate {

namespace {

using npm::Graph;
using npm::kNoNode;
using npm::Node;
using npm::NodeId;

constexpr std::string_view kPlace = "node_modules/";

std::optional<semver::Version> version_at(const Graph& graph, NodeId id) {
  if (id == kNoNode) return std::nullopt;
  auto version = semver::Version::parse(graph.node(id).version, {.loose = true});
  return version ? std::optional(*std::move(version)) : std::nullopt;
}

/// Finds what a package after the fix was before: at its place, else by its name and version, else
/// by its name.
class Counterparts {
 public:
  explicit Counterparts(const Graph& before) : before_(before) {
    for (NodeId id = 0; id < before.nodes().size(); ++id) {
      const Node& node = before.node(id);
      if (npm::is_importer(node.source)) continue;
      releases_.try_emplace(std::pair(node.name, node.version), id);
      names_.try_emplace(node.name, id);
    }
  }

  [[nodiscard]] NodeId of(const Node& node) const {
    const NodeId there = before_.at(node.location);
    if (there != kNoNode && before_.node(there).name == node.name) return there;
    const auto release = releases_.find(std::pair(node.name, node.version));
    if (release != releases_.end()) return release->second;
    const auto named = names_.find(node.name);
    return named == names_.end() ? kNoNode : named->second;
  }

  [[nodiscard]] NodeId dependency(NodeId dependent, std::string_view name) const {
    if (dependent == kNoNode) return kNoNode;
    for (const npm::Edge& edge : before_.edges_of(dependent)) {
      if (edge.name == name) return edge.to;
    }
    return kNoNode;
  }

 private:
  const Graph& before_;
  std::map<std::pair<std::string_view, std::string_view>, NodeId> releases_;
  std::map<std::string_view, NodeId> names_;
};

bool is_forced(const npm::Edge& edge, const semver::Version& version) {
  // What is no range says nothing: a tag, an alias, an address.
  const auto range = semver::Range::parse(edge.range, {.loose = true});
  return range && !range->test(version);
}

/// A folder that an installer fills from a registry.
bool has_place(const Node& node) {
  const std::size_t at = node.location.rfind(kPlace);
  return at != std::string_view::npos && at + kPlace.size() < node.location.size() &&
         (at == 0 || node.location[at - 1] == '/') && node.source != npm::Source::link &&
         node.location.find("..") == std::string_view::npos && !npm::is_importer(node.source);
}

std::string quoted(std::string_view text) { return json::write_json(json::Value(text)); }

/// Runs before anything else of its process. In a function, as what is declared at the top would be
/// seen by the package.
constexpr std::string_view kChild = R"js((() => {
  const fs = require('fs');
  const write = fs.writeSync;
  const end = process.exit.bind(process);
  const [way, name] = process.argv.slice(1);
  const token = fs.readFileSync(0, 'utf8');
  const say = (text, code) => { write(3, text); end(code); };
  const failed = (error) => {
    let text = 'failed';
    try { text = String((error && error.message) || error); } catch { /* hostile */ }
    say(text, 1);
  };
  if (way === 'import') return void import(name).then(() => say(token, 0), failed);
  try { require(name); } catch (error) { return failed(error); }
  say(token, 0);
})())js";

constexpr std::string_view kParent = R"js(
const { spawnSync } = require('child_process');
const { randomBytes } = require('crypto');
const { join } = require('path');
const started = Date.now();
function attempt(cwd, name, way) {
  if (Date.now() - started > 200000) return 'was not tried, as others took too long';
  const token = randomBytes(16).toString('hex');
  const ran = spawnSync(process.execPath, ['-e', child, '--', way, name], { cwd, input: token,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'], timeout: 20000, killSignal: 'SIGKILL', maxBuffer: 65536 });
  const said = String((ran.output && ran.output[3]) || '');
  if (ran.status === 0 && said === token) return '';
  if (ran.error && ran.error.code === 'ETIMEDOUT') return 'took longer than 20 s';
  const line = said.split('\n')[0].replaceAll(token, '').slice(0, 300);
  return line || (ran.signal ? 'ended by ' + ran.signal : 'exit ' + ran.status + ' before it was loaded');
}
for (const [n, place] of places.entries()) {
  const at = place.lastIndexOf('node_modules/');
  const cwd = join(folder, place.slice(0, at));
  const name = place.slice(at + 13);
  const answer = { n, require: attempt(cwd, name, 'require'), import: attempt(cwd, name, 'import') };
  process.stdout.write(JSON.stringify(answer) + '\n');
}
)js";

std::optional<LoadAnswer> answer_in(std::string_view line, std::size_t number) {
  const auto value = json::parse_json(line);
  if (!value || !value->is_object()) return std::nullopt;
  const json::Value* n = value->find("n");
  const json::Value* require = value->find("require");
  const json::Value* import = value->find("import");
  if (n == nullptr || n->as_int() != static_cast<std::int64_t>(number)) return std::nullopt;
  if (require == nullptr || require->as_string() == nullptr) return std::nullopt;
  if (import == nullptr || import->as_string() == nullptr) return std::nullopt;
  return LoadAnswer{*require->as_string(), *import->as_string()};
}

}  // namespace

std::vector<Moved> moved_between(const Graph& before, const Graph& after) {
  const Counterparts counterparts(before);
  std::vector<Moved> out;
  for (const npm::Edge& edge : after.edges()) {
    const auto version = version_at(after, edge.to);
    if (!version) continue;
    Moved moved{std::string(edge.name), edge.from, kNoNode, edge.to, kNoNode};
    moved.was_dependent = counterparts.of(after.node(edge.from));
    moved.before = counterparts.dependency(moved.was_dependent, edge.name);
    const auto old = version_at(before, moved.before);
    if (old && *old == *version && before.node(moved.before).name == after.node(edge.to).name) {
      continue;
    }
    const bool breaking = old && semver::is_breaking(*old, *version);
    if (breaking || is_forced(edge, *version)) out.push_back(std::move(moved));
  }
  return out;
}

Loading targets_of(const std::vector<Moved>& moved, const Graph& before, const Graph& after) {
  Loading out;
  const bool placed =
      after.kind() == npm::LockKind::package_lock || after.kind() == npm::LockKind::npm_shrinkwrap;
  if (!placed && !moved.empty()) {
    out.unchecked.push_back("nothing was loaded: a lock of " + std::string(name(after.kind())) +
                            " does not say where packages lie");
    return out;
  }
  std::map<std::string, LoadTarget> found;
  const auto add = [&](NodeId was, NodeId is, LoadTarget::Role role) {
    if (was == kNoNode || !has_place(before.node(was)) || !has_place(after.node(is))) return;
    LoadTarget target{std::string(before.node(was).location), std::string(after.node(is).location),
                      role};
    const auto [at, is_new] = found.try_emplace(target.after, target);
    if (!is_new && role == LoadTarget::Role::dependent) at->second = target;
  };
  for (const Moved& one : moved) {
    add(one.was_dependent, one.dependent, LoadTarget::Role::dependent);
    add(one.before, one.dependency, LoadTarget::Role::moved);
  }
  for (auto& [place, target] : found) {
    if (out.targets.size() < kMaxTargets) out.targets.push_back(std::move(target));
  }
  if (found.size() > kMaxTargets) {
    out.unchecked.push_back(counted(found.size() - kMaxTargets, "package", "packages") +
                            " more than are loaded");
  }
  return out;
}

std::string load_script(std::string_view folder, const std::vector<std::string>& places) {
  json::Value::Array list;
  for (const std::string& place : places) list.emplace_back(place);
  return "'use strict';\nconst folder = " + quoted(folder) +
         ";\nconst places = " + json::write_json(json::Value(std::move(list))) +
         ";\nconst child = " + quoted(kChild) + ";" + std::string(kParent);
}

LoadRun read_loads(std::string_view output, std::size_t places) {
  LoadRun out;
  for (const std::string_view line : split(output, '\n')) {
    if (line.empty()) continue;
    auto answer = answer_in(line, out.answers.size());
    // Nobody else may write there, so who does wants to be read.
    if (!answer || out.answers.size() == places) {
      out.strange = true;
      return out;
    }
    out.answers.push_back(*std::move(answer));
  }
  return out;
}

}  // namespace cg::gate
