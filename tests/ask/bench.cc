#include "ask/bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "base/base/text.h"

namespace cg::test {

namespace fs = std::filesystem;

namespace {

const std::string& folder() {
  static const std::string path = std::string(CG_SOURCE_DIR) + "/tests/ask";
  return path;
}

std::string random_key() {
  std::random_device random;
  std::string out = "sk-ant-api03-";
  for (int i = 0; i < 80; ++i)
    out += "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"[random() % 56];
  return out;
}

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "0123456789abcdef"[byte >> 4U];
    out += "0123456789abcdef"[byte & 15U];
  }
  return out;
}

/// Of whole groups of three bytes, so that it is found wherever the text is encoded from there.
std::string base64(std::string bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  bytes.resize(bytes.size() / 3 * 3);
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | static_cast<unsigned char>(bytes[i + k]);
    for (int shift = 18; shift >= 0; shift -= 6)
      out += kDigits[group >> static_cast<unsigned>(shift) & 63U];
  }
  return out;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

std::string texts_of(const json::Value& content) {
  if (const std::string* text = content.as_string()) return *text;
  std::string out;
  const auto* blocks = content.as_array();
  if (blocks == nullptr) return out;
  for (const json::Value& block : *blocks) out += text_of(block, "text");
  return out;
}

constexpr std::string_view kOpen = "<UNTRUSTED_INPUT id=";
constexpr std::size_t kNonce = 32;

void take_apart(std::string_view body, Prompt& out) {
  for (;;) {
    const std::size_t at = body.find(kOpen);
    out.ours += body.substr(0, at);
    if (at == body.npos) return;
    const std::string nonce(body.substr(at + kOpen.size(), kNonce));
    const std::string close = "\n</UNTRUSTED_INPUT id=" + nonce + ">";
    const std::size_t content = at + kOpen.size() + kNonce + 2;  // behind ">\n"
    const std::size_t end = body.find(close, content - 1);
    if (end == body.npos) throw std::runtime_error("a fence is not closed");
    out.nonces.push_back(nonce);
    out.fenced.emplace_back(body.substr(content, std::max(end, content) - content));
    body.remove_prefix(end + close.size());
  }
}

/// Which members of an event a tape tells.
const std::map<std::string, std::vector<std::string>>& told_members() {
  static const std::map<std::string, std::vector<std::string>> members = {
      {"provenance_classified", {"advisory", "kind"}},
      {"recipe_answered", {"recipe", "applies"}},
      {"recipe_missed", {"advisory", "package"}},
      {"fence_created", {"kind"}},
      {"canary_collision", {"kind", "pattern"}},
      {"leaf_invoked", {"attempt", "call"}},
      {"leaf_returned", {"outcome"}},
      {"leaf_failed", {"kind"}},
      {"leaf_key_loaded", {"source"}},
      {"budget_exceeded", {"cap"}},
      {"budget_reconciled", {"known"}},
      {"plan_proposal_accepted", {"attempt", "kind"}},
      {"plan_proposal_rejected", {"attempt", "reason", "where", "violations"}},
      {"sandbox_opened", {"side"}},
      {"step_ran", {"side", "step", "ending"}},
      {"step_kept", {"step"}},
      {"step_recalled", {"side", "step", "ending"}},
      {"signal_judged", {"signal", "passed"}},
      {"attempt_ended", {"attempt", "failing"}},
      {"remediation_refused", {"exit"}},
  };
  return members;
}

std::string word_of(const json::Value& body, const std::string& member) {
  const json::Value* value = body.find(member);
  if (value == nullptr) return "";
  if (const auto number = value->as_int()) return std::to_string(*number);
  return text_of(body, member);
}

}  // namespace

bool Prompt::only_fenced(const std::string& text) const {
  const auto holds = [&](const std::string& one) { return one.find(text) != one.npos; };
  return !holds(ours) && !holds(system) && std::any_of(fenced.begin(), fenced.end(), holds);
}

std::unique_ptr<AskBench> AskBench::open(const std::string& project, Shown shown) {
  if (!prepare(project, folder(), CG_ASK_PREPARED)) return nullptr;
  return std::unique_ptr<AskBench>(new AskBench(project, shown));
}

AskBench::AskBench(const std::string& project, Shown shown)
    : project_(project), key_(random_key()), world_(CG_ASK_PREPARED "/mirror", shown) {
  write("feed.jsonl", read(std::string(CG_SOURCE_DIR) + "/examples/advisories/shop.jsonl") +
                          read(folder() + "/advisories.jsonl"));
  const Ran refreshed = codegenie({"vuln-index", "refresh", "--from", path("feed.jsonl")});
  EXPECT_EQ(refreshed.exit, 0) << refreshed.err;
  take(project);
  set_policy("max_tier: recipe",
             "max_tier: llm\n  name: " + std::string(kModel) + "\n  prices:\n    " + kModel +
                 R"(: {input: "3.00", output: "15.00", cache_write: "3.75", cache_read: "0.30"})");
  write("credentials/codegenie-anthropic", key_);
  write("server.pem", world_.server_pem());
  const Ran pinned = codegenie({"key", "pin", "--from-pem", path("server.pem")});
  EXPECT_EQ(pinned.exit, 0) << pinned.out << pinned.err;
}

void AskBench::take(const std::string& project) {
  ASSERT_TRUE(prepare(project, folder(), CG_ASK_PREPARED)) << kNoPackages;
  fs::copy(std::string(CG_ASK_PREPARED) + "/projects/" + project, path(project),
           fs::copy_options::recursive);
  make_repository(project);
  project_ = project;
}

std::string AskBench::key_store() const { return "CREDENTIALS_DIRECTORY=" + path("credentials"); }

Ran AskBench::inside(const std::vector<std::string>& words,
                     const std::vector<std::string>& env) const {
  std::vector<std::string> argv = {"env", "-C", path(""), CG_BINARY};
  argv.insert(argv.end(), words.begin(), words.end());
  std::vector<std::string> all = environment();
  all.insert(all.end(), {"ALLOW_CI_ENV_KEY", "CODEGENIE_ANTHROPIC_KEY_CI", "CREDENTIALS_DIRECTORY",
                         "DBUS_SESSION_BUS_ADDRESS"});
  all.insert(all.end(), env.begin(), env.end());
  return run(world_.inside(argv), all);
}

std::vector<std::string> AskBench::command(const std::vector<std::string>& words) const {
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  std::vector<std::string> all = {"remediate",       project_,   "--registry",
                                  world_.registry(), "--format", "json"};
  if (!has("--cve")) all.emplace_back("--all");
  if (!has("--max-tier")) all.insert(all.end(), {"--max-tier", "llm"});
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Proven AskBench::ask(const std::vector<std::string>& words,
                     const std::vector<std::string>& env) const {
  std::vector<std::string> all = {key_store()};
  all.insert(all.end(), env.begin(), env.end());
  Proven out{inside(command(words), all), json::Value::Object{}};
  auto parsed = json::parse_json(out.ran.out, {.max_bytes = out.ran.out.size() + 1});
  if (parsed) out.outcome = *std::move(parsed);
  keep_prompts();
  return out;
}

void AskBench::keep_prompts() const {
  const char* folder = std::getenv("CG_ASK_KEEP");
  if (folder == nullptr) return;
  for (std::size_t i = 0; i < world_.requests().size(); ++i) {
    const Prompt asked = prompt(i);
    test::write(std::string(folder) + "/" + project_ + "-" + std::to_string(i) + ".txt",
                asked.body);
  }
}

void AskBench::answers(const std::vector<std::string>& names) const {
  std::vector<json::Value> all;
  for (const std::string& name : names) all.push_back(say(answer_text(name)));
  world_.answer(all);
}

void AskBench::set_policy(const std::string& line, const std::string& by) const {
  const std::string file = home() + "/policy/policy.yaml";
  std::string text = read(file);
  const std::size_t at = text.find("\n  " + line + "\n");
  ASSERT_NE(at, text.npos) << line << " is not in\n" << text;
  test::write(file, text.replace(at + 3, line.size(), by));
}

std::string AskBench::last_workflow() const {
  const Ran listed = codegenie({"workflow", "list", "--format", "json"});
  const auto parsed = json::parse_json(listed.out);
  if (!parsed) return {};
  for (const json::Value& workflow : list_of(*parsed, "workflows")) {  // newest first
    const std::string task = text_of(workflow, "task");
    if (task == "remediate" || task == "rag learn") return text_of(workflow, "workflow");
  }
  return {};
}

std::vector<json::Value> AskBench::entries() const {
  std::vector<json::Value> out;
  const std::string workflow = last_workflow();
  if (workflow.empty()) return out;
  const Ran log = codegenie({"workflow", "log", workflow, "--format", "jsonl"});
  EXPECT_EQ(log.exit, 0) << log.err;
  for (const std::string_view line : split(log.out, '\n')) {
    auto entry = json::parse_json(line);
    if (entry && entry->find("body") != nullptr) out.push_back(*std::move(entry));
  }
  return out;
}

std::vector<json::Value> AskBench::events(const std::string& kind) const {
  std::vector<json::Value> out;
  for (const json::Value& entry : entries()) {
    if (text_of(entry, "kind") == kind) out.push_back(*entry.find("body"));
  }
  return out;
}

std::string AskBench::tape() const {
  std::string out;
  for (const json::Value& entry : entries()) {
    const std::string kind = text_of(entry, "kind");
    out += kind;
    const auto told = told_members().find(kind);
    for (const std::string& member :
         told == told_members().end() ? std::vector<std::string>{} : told->second) {
      const std::string word = word_of(*entry.find("body"), member);
      out += " " + (word.empty() ? "-" : word);
    }
    out += "\n";
  }
  return out;
}

std::string AskBench::same_events() const {
  const std::string workflow = last_workflow();
  std::string out;
  for (const json::Value& entry : entries()) {
    const std::string kind = text_of(entry, "kind");
    const json::Value& told = *entry.find("body");
    std::string body = json::write_json(told);
    // How long a test took stands in what it printed, and is no decision of ours.
    if (kind == "step_kept") body = text_of(told, "step");
    if (kind == "step_ran" || kind == "step_recalled") {
      body = text_of(told, "side") + " " + text_of(told, "step") + " " + text_of(told, "ending");
    }
    if (kind == "packages_stocked") body = text_of(told, "lockfile");
    if (kind == "evidence_written") replace_all(body, text_of(told, "digest"), "DIGEST");
    replace_all(body, workflow, "WORKFLOW");
    out += kind + " " + body + "\n";
  }
  return out;
}

Prompt AskBench::prompt(std::size_t number) const {
  Prompt out;
  const auto requests = world_.requests();
  EXPECT_LT(number, requests.size());
  if (number >= requests.size()) return out;
  const auto body = json::parse_json(text_of(requests[number], "body"));
  EXPECT_TRUE(body.has_value());
  if (!body) return out;
  out.system = texts_of(member_of(*body, "system"));
  std::string text;
  for (const json::Value& message : list_of(*body, "messages")) {
    // A server of one's own is told what we say as a message too.
    std::string& said = text_of(message, "role") == "system" ? out.system : text;
    said += texts_of(member_of(message, "content"));
  }
  out.body = text;
  take_apart(text, out);
  out.body = std::move(text);
  return out;
}

std::string AskBench::changed_files() const {
  const Files made = branches();
  EXPECT_EQ(made.size(), 1U);
  if (made.size() != 1) return {};
  return git({"diff", "--name-only", "main", made.begin()->first}, project_);
}

void AskBench::expect_sound() const {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"audit", "verify"}, {"verify", "latest"}}) {
    const Ran ran = codegenie(words);
    EXPECT_EQ(ran.exit, 0) << words[0] << ": " << ran.out << ran.err;
  }
}

void AskBench::expect_no_key(const std::vector<Ran>& said) const {
  const std::vector<std::string> spellings = {
      key_,         key_.substr(13),        hex(key_),
      base64(key_), base64(key_.substr(1)), base64(key_.substr(2))};
  const auto expect_none = [&](const std::string& text, const std::string& where) {
    for (const std::string& one : spellings) EXPECT_EQ(text.find(one), text.npos) << where;
  };
  fs::remove_all(path("credentials"));
  for (const auto& [name, bytes] : everything("")) expect_none(bytes, name);
  for (const Ran& ran : said) expect_none(ran.out + ran.err, "what a command said");
  for (const json::Value& entry : entries()) expect_none(json::write_json(entry), "the log");
  expect_none(codegenie({"audit", "log", "--format", "jsonl"}).out, "the log");
}

std::string answer_text(const std::string& name) {
  std::string text = read(folder() + "/answers/" + name + ".json");
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

void expect_tape(const std::string& name, const std::string& tape) {
  const std::string file = folder() + "/tapes/" + name + ".txt";
  const char* accept = std::getenv("CG_ACCEPT");
  if (accept != nullptr && *accept == '1') {
    fs::create_directories(folder() + "/tapes");
    test::write(file, tape);
    ADD_FAILURE() << file << " was rewritten";
    return;
  }
  ASSERT_TRUE(fs::exists(file)) << file << " is missing; CG_ACCEPT=1 writes it. It would be\n"
                                << tape;
  EXPECT_EQ(tape, read(file));
}

}  // namespace cg::test
