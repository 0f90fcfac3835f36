#include "prove/bench.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "base/base/text.h"

namespace cg::test {

namespace fs = std::filesystem;

namespace {

constexpr int kCannotBeHad = 3;  // as prepare.mjs says it

const std::string& folder() {
  static const std::string path = std::string(CG_SOURCE_DIR) + "/tests/prove";
  return path;
}

}  // namespace

bool prepare(const std::string& project, const std::string& from, const std::string& to) {
  fs::create_directories(to);
  const int lock = open(to.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  flock(lock, LOCK_EX);  // tests run at the same time
  const Ran ran = run({"node", folder() + "/prepare.mjs", to, project, from});
  close(lock);
  if (ran.exit == kCannotBeHad) {
    std::fprintf(stderr, "the packages of %s cannot be had here:\n%s\n", project.c_str(),
                 ran.err.c_str());
    return false;
  }
  if (ran.exit != 0) throw std::runtime_error(project + " cannot be prepared: " + ran.err);
  return true;
}

json::Value Proven::gate(const std::string& signal) const {
  for (const json::Value& one : list_of(outcome, "gates")) {
    if (text_of(one, "signal") == signal) return one;
  }
  return json::Value::Object{};
}

std::string Proven::state(const std::string& signal) const {
  return text_of(gate(signal), "state");
}

std::string Proven::reasons(const std::string& signal) const {
  std::string out;
  for (const json::Value& reason : list_of(gate(signal), "reasons")) {
    out += *reason.as_string() + "\n";
  }
  return out;
}

std::vector<std::string> Proven::refusing() const {
  std::vector<std::string> out;
  for (const json::Value& one : list_of(outcome, "gates")) {
    const std::string state = text_of(one, "state");
    if (state == "failed" || state == "missing") out.push_back(text_of(one, "signal"));
  }
  return out;
}

std::unique_ptr<ProveBench> ProveBench::open(const std::string& project) {
  if (!prepare(project, folder(), CG_PREPARED)) return nullptr;
  return std::unique_ptr<ProveBench>(new ProveBench(project));
}

ProveBench::ProveBench(const std::string& project)
    : project_(project),
      registry_(folder() + "/registry.mjs", {"--mirror", std::string(CG_PREPARED) + "/mirror"}) {
  write("feed.jsonl", read(std::string(CG_SOURCE_DIR) + "/examples/advisories/shop.jsonl") +
                          read(folder() + "/advisories.jsonl"));
  const Ran refreshed = codegenie({"vuln-index", "refresh", "--from", path("feed.jsonl")});
  EXPECT_EQ(refreshed.exit, 0) << refreshed.err;
  fs::copy(std::string(CG_PREPARED) + "/projects/" + project, path(project),
           fs::copy_options::recursive);
  make_repository(project);
}

std::vector<std::string> ProveBench::settings() const {
  const char* path = std::getenv("PATH");
  return {"PATH=" + std::string(path == nullptr ? "" : path)};
}

std::vector<std::string> ProveBench::command(const std::vector<std::string>& words) const {
  std::vector<std::string> all = {"remediate", project_, "--all", "--registry", registry()};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Ran ProveBench::run(const std::vector<std::string>& words,
                    const std::vector<std::string>& env) const {
  std::vector<std::string> all = settings();
  all.insert(all.end(), env.begin(), env.end());
  return codegenie(command(words), all);
}

Proven ProveBench::prove(const std::vector<std::string>& words,
                         const std::vector<std::string>& env) const {
  std::vector<std::string> all = words;
  all.insert(all.end(), {"--format", "json"});
  Proven out{run(all, env), json::Value::Object{}};
  auto parsed = json::parse_json(out.ran.out, {.max_bytes = out.ran.out.size() + 1});
  if (parsed) out.outcome = *std::move(parsed);
  return out;
}

std::string ProveBench::last_workflow() const {
  const Ran listed = codegenie({"workflow", "list", "--format", "json"});
  const auto parsed = json::parse_json(listed.out);
  if (!parsed) return {};
  for (const json::Value& workflow : list_of(*parsed, "workflows")) {  // newest first
    if (text_of(workflow, "task") == "remediate") return text_of(workflow, "workflow");
  }
  return {};
}

std::vector<json::Value> ProveBench::events(const std::string& kind) const {
  const std::string workflow = last_workflow();
  if (workflow.empty()) return {};
  const Ran log = codegenie({"workflow", "log", workflow, "--event", kind, "--format", "jsonl"});
  EXPECT_EQ(log.exit, 0) << log.err;
  std::vector<json::Value> out;
  for (const std::string_view line : split(log.out, '\n')) {
    const auto entry = json::parse_json(line);
    if (entry && entry->find("body") != nullptr) out.push_back(*entry->find("body"));
  }
  return out;
}

std::int64_t number_of(const json::Value& object, const std::string& key) {
  const json::Value* value = object.find(key);
  return value == nullptr ? -1 : value->as_int().value_or(-1);
}

json::Value member_of(const json::Value& object, const std::string& key) {
  const json::Value* value = object.find(key);
  return value == nullptr ? json::Value(json::Value::Object{}) : *value;
}

}  // namespace cg::test
