#include "remediate/bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace cg::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSource = CG_SOURCE_DIR;

bool is_ours(const std::string& name) {
  for (const char* part : {".git/objects/", ".git/refs/heads/codegenie", ".git/refs/codegenie"}) {
    if (name.find(part) != name.npos) return true;
  }
  return false;
}

}  // namespace

Bench::Bench(Suite suite) {
  fs::create_directories(path("home"));
  EXPECT_EQ(codegenie({"init"}).exit, 0);
  const std::string feed = std::string(kSource) + "/examples/advisories/shop.jsonl";
  const Ran refreshed = codegenie({"vuln-index", "refresh", "--from", feed});
  EXPECT_EQ(refreshed.exit, 0) << refreshed.err;
  fs::copy(std::string(kSource) + "/examples/shop", path("shop"), fs::copy_options::recursive);
  if (suite == Suite::none) {
    std::string manifest = read(path("shop/package.json"));
    const std::string script = "\"test\": \"node --test\"";
    const std::size_t at = manifest.find(script);
    EXPECT_NE(at, std::string::npos);
    write("shop/package.json", manifest.erase(at, script.size()));
  }
  make_repository("shop");
}

void Bench::write(const std::string& name, const std::string& bytes) const {
  fs::create_directories(fs::path(path(name)).parent_path());
  test::write(path(name), bytes);
}

std::vector<std::string> Bench::environment() const {
  // Without a configuration of npm, so that no registry of the machine is ever asked.
  return {"HOME=" + path("home"),
          "NPM_CONFIG_GLOBALCONFIG=/dev/null",
          "CI",
          "CODEGENIE_HOME",
          "XDG_STATE_HOME",
          "XDG_CONFIG_HOME",
          "CODEGENIE_GUARD_DIR",
          "npm_config_registry",
          "NPM_CONFIG_REGISTRY"};
}

Ran Bench::codegenie(const std::vector<std::string>& words,
                     const std::vector<std::string>& env) const {
  std::vector<std::string> argv = {"env", "-C", path(""), CG_BINARY};
  argv.insert(argv.end(), words.begin(), words.end());
  std::vector<std::string> all = environment();
  all.insert(all.end(), env.begin(), env.end());
  return run(argv, all);
}

std::string Bench::registry() {
  if (url_.empty()) {
    registry_ =
        std::make_unique<RegistryProcess>(std::string(kSource) + "/examples/registry/serve.mjs");
    url_ = registry_->url();
  }
  return url_;
}

Ran Bench::remediate(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"remediate", "--registry", registry()};
  all.insert(all.end(), words.begin(), words.end());
  return codegenie(all);
}

json::Value Bench::outcome(const std::vector<std::string>& words) {
  std::vector<std::string> all = words;
  all.insert(all.end(), {"--format", "json"});
  const Ran ran = remediate(all);
  auto parsed = json::parse_json(ran.out, {.max_bytes = ran.out.size()});
  EXPECT_TRUE(parsed.has_value()) << "exit " << ran.exit << "\n" << ran.out << ran.err;
  return parsed ? *std::move(parsed) : json::Value(json::Value::Object{});
}

Ran Bench::try_git(const std::vector<std::string>& words, const std::string& folder) const {
  std::vector<std::string> argv = {"git", "-C", path(folder)};
  argv.insert(argv.end(), words.begin(), words.end());
  return run(argv,
             {"HOME=" + path("nohome"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=operator",
              "GIT_AUTHOR_EMAIL=operator@example.org", "GIT_COMMITTER_NAME=operator",
              "GIT_COMMITTER_EMAIL=operator@example.org", "GIT_AUTHOR_DATE=2026-06-01T00:00:00Z",
              "GIT_COMMITTER_DATE=2026-06-01T00:00:00Z", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"});
}

std::string Bench::git(const std::vector<std::string>& words, const std::string& folder) const {
  const Ran ran = try_git(words, folder);
  EXPECT_EQ(ran.exit, 0) << words[0] << ": " << ran.err;
  return ran.out.ends_with('\n') ? ran.out.substr(0, ran.out.size() - 1) : ran.out;
}

void Bench::make_repository(const std::string& folder) const {
  git({"init", "-q", "-b", "main"}, folder);
  commit("the shop as it is", folder);
}

void Bench::commit(const std::string& message, const std::string& folder) const {
  git({"add", "-A"}, folder);
  git({"commit", "-q", "-m", message}, folder);
}

Files Bench::branches(const std::string& folder, const std::string& prefix) const {
  Files out;
  const std::string text =
      git({"for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", prefix}, folder);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    out[line.substr(0, line.find(' '))] = line.substr(line.find(' ') + 1);
    at = end + 1;
  }
  return out;
}

Files Bench::everything(const std::string& folder) const {
  Files out;
  for (const auto& entry : fs::recursive_directory_iterator(path(folder))) {
    const std::string name = fs::relative(entry.path(), path(folder));
    out[name] = entry.is_regular_file() ? read(entry.path()) : "";
  }
  return out;
}

Files Bench::untouchable(const std::string& folder) const {
  Files out;
  for (auto& [name, bytes] : everything(folder)) {
    if (!is_ours(name)) out.emplace(name, bytes);
  }
  return out;
}

std::string Bench::fsck(const std::string& folder) const {
  const Ran ran = try_git({"fsck", "--strict", "--full", "--no-dangling"}, folder);
  return ran.exit == 0 ? "" : ran.out + ran.err + "failed";
}

std::string text_of(const json::Value& object, const std::string& key) {
  const json::Value* value = object.find(key);
  const std::string* text = value == nullptr ? nullptr : value->as_string();
  return text == nullptr ? "" : *text;
}

std::vector<json::Value> list_of(const json::Value& object, const std::string& key) {
  const json::Value* value = object.find(key);
  if (value == nullptr || value->as_array() == nullptr) return {};
  return *value->as_array();
}

std::vector<std::string> verdicts(const json::Value& outcome, const std::string& package) {
  std::set<std::string> out;
  for (const json::Value& copy : list_of(outcome, "copies")) {
    if (text_of(copy, "package") != package) continue;
    const std::string blocker = text_of(copy, "blocker");
    out.insert(text_of(copy, "verdict") + (blocker.empty() ? "" : " " + blocker));
  }
  return {out.begin(), out.end()};
}

}  // namespace cg::test
