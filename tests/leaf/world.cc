#include "leaf/world.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iostream>

#include "model/leaf/pins.h"

namespace cg::leaf::test {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kFarDay = 40'000;

bool write_once(const char* path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  return out.good();
}

/// As root of its own: alone, or in a user namespace.
bool own_namespaces() {
  if (geteuid() == 0 && unshare(CLONE_NEWNET | CLONE_NEWNS) == 0) return true;
  const uid_t uid = geteuid();
  const gid_t gid = getegid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) != 0) return false;
  static_cast<void>(write_once("/proc/self/setgroups", "deny"));
  return write_once("/proc/self/uid_map", "0 " + std::to_string(uid) + " 1") &&
         write_once("/proc/self/gid_map", "0 " + std::to_string(gid) + " 1");
}

bool interface(const char* name, const char* address, unsigned long request) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq ifr{};
  std::strncpy(ifr.ifr_name, name, IFNAMSIZ - 1);
  if (request == SIOCSIFADDR) {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    inet_pton(AF_INET, address, &in.sin_addr);
    std::memcpy(&ifr.ifr_addr, &in, sizeof in);
  } else {
    ifr.ifr_flags = IFF_UP | IFF_RUNNING;
  }
  const bool done = ioctl(fd, request, &ifr) == 0;
  close(fd);
  return done;
}

int count(const std::string& text, const std::string& what) {
  int out = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++out;
  }
  return out;
}

void run_or_die(const std::vector<std::string>& argv) {
  const cg::test::Ran ran = cg::test::run(argv);
  if (ran.exit == 0) return;
  std::cerr << argv[0] << " " << argv[1] << ": " << ran.err;
  std::abort();
}

/// Everything that openssl is asked for, in one shell: starting it costs more than its work.
constexpr const char* kMakeCertificates = R"(
set -e
cd "$1"
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key" 2>/dev/null; }
root() {
  key "$1"
  openssl req -x509 -new -key "$1.key" -sha256 -days 3650 -subj "/CN=$1" -out "$1.pem" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
}
# issue NAME BY EXTENSIONS FROM TO
issue() {
  key "$1"
  openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
  printf '%s\n' "$3" > "$1.ext"
  printf '[ca]\ndefault_ca=d\n[d]\ndatabase=db\nnew_certs_dir=.\nserial=serial\nrand_serial=yes\n\
default_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n' > ca.conf
  : > db
  openssl ca -batch -notext -config ca.conf -cert "$2.pem" -keyfile "$2.key" -in "$1.csr" \
    -out "$1.pem" -extfile "$1.ext" -startdate "$4" -enddate "$5" 2>/dev/null
}
old=20200101000000Z
far=20990101000000Z
ca='basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign'
host='subjectAltName=DNS:api.anthropic.com'
root root
root stranger
issue intermediate root "$ca" $old $far
issue server intermediate "$host" $old $far
issue expired intermediate "$host" $old 20200201000000Z
issue other_host intermediate 'subjectAltName=DNS:api.example.com' $old $far
issue untrusted stranger "$host" $old $far
for name in server expired other_host untrusted; do
  mkdir -p "id/$name"
  cp "$name.key" "id/$name/key.pem"
done
for name in server expired other_host; do cat $name.pem intermediate.pem > id/$name/chain.pem; done
cat untrusted.pem stranger.pem > id/untrusted/chain.pem
)";

}  // namespace

Question question() {
  static const std::string system(5000, 's');
  return {"claude-test-1", system, "task \"quoted\" <UNTRUSTED_INPUT>\n\u00e9", 4096};
}

std::string plan_json() {
  return R"({"kind":"dep_bump","manifest_path":"package.json","package":"left-pad",)"
         R"("target_version":"2.0.0","rationale":"newest"})";
}

Server::Server(const std::string& mode, const std::string& folder, const std::string& address) {
  std::array<int, 2> ends{};
  std::array<int, 2> life{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0 || pipe2(life.data(), O_CLOEXEC) != 0) return;
  out_ = ends[0];
  in_ = life[1];
  std::vector<std::string> words = {"node", CG_LEAF_SERVER, mode, address, "443", folder};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, life[0], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  if (posix_spawnp(&pid_, "node", &actions, nullptr, argv.data(), environ) != 0) pid_ = -1;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  close(life[0]);
  std::array<char, 4096> buffer{};
  while (pid_ > 0 && log_.find("listening") == std::string::npos) {
    const ssize_t n = read(out_, buffer.data(), buffer.size());
    if (n <= 0) return;
    log_.append(buffer.data(), static_cast<std::size_t>(n));
  }
  listens_ = pid_ > 0;
}

void Server::stop() {
  if (pid_ > 0) {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  std::array<char, 4096> buffer{};
  for (ssize_t n = 1; out_ >= 0 && n > 0;) {
    n = read(out_, buffer.data(), buffer.size());
    if (n > 0) log_.append(buffer.data(), static_cast<std::size_t>(n));
  }
  for (int* end : {&in_, &out_}) {
    if (*end >= 0) close(*end);
    *end = -1;
  }
}

Server::~Server() { stop(); }

/// What is there, and what comes within `limit_ms` of the last.
void Server::read_log(int limit_ms) {
  pollfd polled{out_, POLLIN, 0};
  std::array<char, 4096> buffer{};
  while (poll(&polled, 1, limit_ms) == 1) {
    const ssize_t n = read(out_, buffer.data(), buffer.size());
    if (n <= 0) break;
    log_.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

bool Server::waits_for(const std::string& text) {
  for (int i = 0; i < 100 && log_.find(text) == std::string::npos; ++i) read_log(100);
  return log_.find(text) != std::string::npos;
}

Seen Server::seen() {
  // What it was sent is on its way through node: one turn of its loop after the client's end.
  read_log(200);
  stop();
  return {count(log_, R"("what":"tcp")"), count(log_, R"("what":"secure")"),
          count(log_, R"("what":"stream")"), log_};
}

std::unique_ptr<World> World::make() {
  std::unique_ptr<World> world(new World);
  if (!world->separate()) return nullptr;
  world->make_certificates();
  world->mount_trust();
  world->set_hosts(std::string(kAddress) + " api.anthropic.com");
  return world;
}

bool World::separate() const {
  if (!own_namespaces()) return false;
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  return interface("lo", "", SIOCSIFFLAGS) && interface("lo:1", kAddress, SIOCSIFADDR);
}

void World::make_certificates() const {
  run_or_die({"bash", "-c", kMakeCertificates, "bash", scratch_.path()});
  for (const char* name : {"server", "expired", "other_host", "untrusted"}) {
    cg::test::write(scratch_.path() / "id" / name / "plan.json", plan_json());
  }
  std::filesystem::create_directory(scratch_.path() / "credentials");
  cg::test::write(scratch_.path() / "credentials" / "codegenie-anthropic", kKey);
}

void World::mount_trust() const {
  std::filesystem::create_directory(scratch_.path() / "trust");
  std::filesystem::copy_file(scratch_.path() / "root.pem",
                             scratch_.path() / "trust" / "ca-certificates.crt");
  const std::string trust = scratch_ / "trust";
  if (mount(trust.c_str(), "/etc/ssl/certs", nullptr, MS_BIND, nullptr) != 0) std::abort();
  cg::test::write(scratch_.path() / "hosts", "");
  const std::string hosts = scratch_ / "hosts";
  if (mount(hosts.c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr) != 0) std::abort();
}

void World::set_hosts(const std::string& lines) const {
  std::ofstream out(scratch_ / "hosts", std::ios::trunc);  // the same file: it is mounted
  out << lines << "\n";
}

std::string World::identity(const std::string& name) const {
  return scratch_.path() / "id" / (name == "good" ? "server" : name);
}

net::Pin World::pin(const std::string& name) const {
  const auto keys = spki_of_pem(cg::test::read(scratch_.path() / (name + ".pem")));
  if (!keys) std::abort();
  return {keys->front().spki, kFarDay};
}

Settings World::settings(const std::vector<net::Pin>& pins) const {
  Settings out;
  out.adapter = net::Adapter::anthropic;
  out.pins = pins;
  out.key_store = KeyStore::systemd;
  out.key_env = {"CREDENTIALS_DIRECTORY=" + (scratch_ / "credentials")};
  out.limit = std::chrono::milliseconds(20'000);
  return out;
}

Programs World::programs_for_all() const {
  const auto all = fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec |
                   fs::perms::group_read | fs::perms::others_read;
  const fs::path bin = scratch_.path() / "bin";
  fs::create_directory(bin);
  for (const char* program : {CG_BROKER, CG_KEY, CG_LEAF}) {
    fs::copy_file(program, bin / fs::path(program).filename());
    fs::permissions(bin / fs::path(program).filename(), all);
  }
  for (const char* name : {"", "bin", "credentials", "credentials/codegenie-anthropic", "hosts",
                           "trust", "trust/ca-certificates.crt"}) {
    fs::permissions(scratch_.path() / name, all);
  }
  return {bin / "codegenie-broker", bin / "codegenie-key", bin / "codegenie-leaf"};
}

Programs World::programs() { return {CG_BROKER, CG_KEY, CG_LEAF}; }

}  // namespace cg::leaf::test
