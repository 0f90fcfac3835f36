#include "ask/world.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "base/base/text.h"

namespace cg::test {

namespace {

constexpr const char* kHost = "api.anthropic.com";

/// Who is not root is root inside.
std::vector<std::string> namespaces(const std::string& program) {
  std::vector<std::string> out = {program, "--net", "--mount"};
  if (geteuid() != 0) out.insert(out.end(), {"--user"});
  return out;
}

pid_t start_child(std::vector<std::string> words, int in, int out) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  dup2(in, 0);
  dup2(out, 1);
  execvp(argv[0], argv.data());
  _exit(127);
}

std::vector<json::Value> named(const std::vector<json::Value>& seen, const char* member) {
  std::vector<json::Value> out;
  for (const json::Value& one : seen) {
    if (const json::Value* found = one.find(member)) out.push_back(*found);
  }
  return out;
}

}  // namespace

World::World(const std::string& mirror, Shown shown) {
  const std::string name = std::string("DNS:") + kHost;
  pinned_ = authority_.issue(name);
  const Identity served = shown == Shown::pinned ? pinned_ : authority_.issue(name);
  write(folder_ / "server.pem", served.certificate);
  write(folder_ / "server.key", served.key);
  write(folder_ / "authorities.pem", authority_.pem());
  write(folder_ / "hosts", "127.0.0.1 localhost\n44.0.0.1 " + std::string(kHost) + "\n");
  write(folder_ / "seen.jsonl", "");
  answer({});
  start(mirror);
}

void World::start(const std::string& mirror) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("pipe failed");
  }
  std::vector<std::string> words = namespaces("unshare");
  if (geteuid() != 0) words.emplace_back("--map-root-user");
  words.insert(words.end(), {"sh", std::string(CG_SOURCE_DIR) + "/tests/ask/world.sh",
                             folder_.path().string(), "--mirror", mirror});
  child_ = start_child(words, in[0], out[1]);
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  const std::string line = read_line(out[0]);
  close(out[0]);
  const std::size_t space = line.find(' ');
  if (space == std::string::npos) throw std::runtime_error("the servers did not start");
  registry_port_ = line.substr(0, space);
  own_port_ = line.substr(space + 1);
}

World::~World() {
  close(input_);
  waitpid(child_, nullptr, 0);
}

void World::answer(const std::vector<json::Value>& answers) const {
  write(folder_ / "answers.json", json::write_json(json::Value(json::Value::Array(answers))));
}

std::vector<std::string> World::inside(std::vector<std::string> argv) const {
  std::vector<std::string> out = namespaces("nsenter");
  if (geteuid() != 0) out.emplace_back("--preserve-credentials");
  out.insert(out.end(), {"--target", std::to_string(child_), "--"});
  out.insert(out.end(), argv.begin(), argv.end());
  return out;
}

std::vector<json::Value> World::seen() const {
  std::vector<json::Value> out;
  const std::string text = read(folder_ / "seen.jsonl");
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    auto parsed = json::parse_json(line, {.max_bytes = line.size()});
    if (!parsed) throw std::runtime_error("the server wrote what is not JSON");
    out.push_back(*std::move(parsed));
  }
  return out;
}

std::size_t World::connections() const { return named(seen(), "connection").size(); }
std::vector<json::Value> World::requests() const { return named(seen(), "request"); }

json::Value say(const std::string& text) { return json::Value::Object{{"say", text}}; }

json::Value status(int number, const std::string& retry_after) {
  json::Value::Object headers;
  if (!retry_after.empty()) headers.emplace_back("retry-after", json::Value(retry_after));
  return json::Value::Object{
      {"status", json::Value(std::int64_t{number})},
      {"headers", json::Value(std::move(headers))},
      {"body", json::Value(R"({"type":"error","error":{"type":"test_error"}})")}};
}

}  // namespace cg::test
