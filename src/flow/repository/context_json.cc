// RepoContext as JSON. The order of members is that of doc/schema/context.json.
#include "base/base/text.h"
#include "flow/repository/context.h"

namespace cg::repository {

namespace {

using json::Value;

/// Text of the repository: paths may be any bytes, JSON strings may not.
Value text(std::string_view any) {
  return is_utf8(any) ? Value(std::string(any)) : Value(printable(any));
}

Value count(std::size_t number) { return static_cast<std::int64_t>(number); }

Value digest(std::string_view algorithm, const hash::Digest& value) {
  return std::string(algorithm) + ":" + to_hex(value);
}

Value texts(const std::vector<std::string>& all) {
  Value::Array out;
  for (const std::string& each : all) out.push_back(text(each));
  return out;
}

template <class T, class ToValue>
Value list(const std::vector<T>& all, const ToValue& to_value) {
  Value::Array out;
  for (const T& each : all) out.push_back(to_value(each));
  return out;
}

Value of_manifest(const ManifestFact& fact) {
  Value::Object engines;
  for (const auto& [name, range] : fact.engines) engines.emplace_back(name, text(range));
  return Value::Object{{"path", text(fact.path)},
                       {"name", text(fact.name)},
                       {"version", text(fact.version)},
                       {"dependencies", count(fact.dependencies)},
                       {"engines", std::move(engines)}};
}

Value of_manager(const PackageManager& manager) {
  return Value::Object{{"folder", text(manager.folder)},
                       {"name", text(manager.name)},
                       {"version", text(manager.version)},
                       {"source", manager.source}};
}

Value of_lock(const LockFact& lock) {
  return Value::Object{{"path", text(lock.path)},
                       {"kind", npm::name(lock.kind)},
                       {"version", lock.lock_version},
                       {"authoritative", lock.authoritative},
                       {"sha256", digest("sha256", lock.sha256)},
                       {"graph", digest("blake3", lock.graph)},
                       {"packages", count(lock.packages)},
                       {"importers", count(lock.importers)}};
}

Value of_script(const Script& script) {
  return Value::Object{
      {"manifest", text(script.manifest)}, {"name", text(script.name)},
      {"purpose", name(script.purpose)},   {"command", text(script.command)},
      {"tools", texts(script.tools)},      {"no_test_specified", script.no_test_specified}};
}

Value of_stage(const Dockerfile& file, const Stage& stage) {
  const ImageName parts = split_image(stage.base || stage.scratch ? "" : stage.image);
  Value base;
  if (stage.base) base = count(*stage.base);
  return Value::Object{{"line", count(stage.line)},      {"image", stage.image},
                       {"written", stage.written},       {"name", stage.name},
                       {"platform", stage.platform},     {"base_stage", std::move(base)},
                       {"scratch", stage.scratch},       {"resolved", stage.resolved},
                       {"repository", parts.repository}, {"tag", parts.tag},
                       {"digest", parts.digest},         {"origin", file.origin(stage).image}};
}

Value of_dockerfile(const DockerFact& fact) {
  const auto stage = [&](const Stage& each) { return of_stage(fact.file, each); };
  const auto copy = [](const CopySource& each) -> Value {
    return Value::Object{{"line", count(each.line)}, {"image", each.image}};
  };
  return Value::Object{{"path", text(fact.path)},
                       {"stages", list(fact.file.stages, stage)},
                       {"copies", list(fact.file.copies, copy)}};
}

Value of_git(const GitHead& git) {
  return Value::Object{{"state", name(git.state)},
                       {"ref", text(git.ref)},
                       {"commit", git.commit},
                       {"what", text(git.what)}};
}

Value of_language(const LanguageShare& share) {
  return Value::Object{
      {"language", share.language}, {"files", count(share.files)}, {"bytes", count(share.bytes)}};
}

Value of_node_version(const NodeVersionFact& fact) {
  return Value::Object{{"path", text(fact.path)}, {"version", fact.version}};
}

Value of_disagreement(const Disagreement& each) {
  return Value::Object{{"kind", name(each.kind)},
                       {"lockfile", text(each.lockfile)},
                       {"manifest", text(each.manifest)},
                       {"name", text(each.name)},
                       {"manifest_spec", text(each.manifest_spec)},
                       {"lock_spec", text(each.lock_spec)},
                       {"line", count(each.line)},
                       {"asked_by", text(each.asked_by)}};
}

Value of_error(const FileError& error) {
  return Value::Object{{"kind", name(error.kind)},
                       {"path", text(error.path)},
                       {"line", count(error.at.line)},
                       {"column", count(error.at.column)},
                       {"what", text(error.what)}};
}

Value of_note(const Note& note) {
  return Value::Object{{"path", text(note.path)}, {"what", text(note.what)}};
}

}  // namespace

json::Value to_json(const RepoContext& context) {
  return Value::Object{{"schema", "codegenie/context/v1"},
                       {"manifests", list(context.manifests, of_manifest)},
                       {"package_managers", list(context.managers, of_manager)},
                       {"locks", list(context.locks, of_lock)},
                       {"scripts", list(context.scripts, of_script)},
                       {"tsconfigs", texts(context.tsconfigs)},
                       {"npmrcs", texts(context.npmrcs)},
                       {"dockerfiles", list(context.dockerfiles, of_dockerfile)},
                       {"node_versions", list(context.node_versions, of_node_version)},
                       {"languages", list(context.languages, of_language)},
                       {"git", of_git(context.git)},
                       {"disagreements", list(context.disagreements, of_disagreement)},
                       {"errors", list(context.errors, of_error)},
                       {"notes", list(context.notes, of_note)},
                       {"entries", count(context.entries)},
                       {"complete", context.complete}};
}

}  // namespace cg::repository
