#include "jail/sandbox/places.h"

namespace cg::sandbox {

namespace {

using Kind = Place::Kind;

// Names of our own: nothing of the host's users is told.
constexpr std::string_view kPasswd =
    "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n"
    "sandbox:x:1000:1000:sandbox:/tmp:/bin/sh\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
constexpr std::string_view kGroup = "root:x:0:\nsandbox:x:1000:\nnogroup:x:65534:\n";
constexpr std::string_view kHosts = "127.0.0.1 localhost sandbox\n::1 localhost ip6-localhost\n";
constexpr std::string_view kNames =
    "passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n";

}  // namespace

std::vector<Place> places(const Scene& scene) {
  std::vector<Place> out{{Kind::bind, "/usr", ""}};
  for (const char* path : {"/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"}) {
    out.push_back({Kind::follow, path, ""});
  }
  out.push_back({Kind::bind, "/etc/alternatives", ""});
  out.push_back({Kind::copied, "/etc/ld.so.cache", ""});
  out.push_back({Kind::copied, "/etc/services", ""});
  out.push_back({Kind::copied, "/etc/protocols", ""});
  out.push_back({Kind::written, "/etc/passwd", std::string(kPasswd)});
  out.push_back({Kind::written, "/etc/group", std::string(kGroup)});
  out.push_back({Kind::written, "/etc/hosts", std::string(kHosts)});
  out.push_back({Kind::written, "/etc/nsswitch.conf", std::string(kNames)});
  out.push_back({Kind::written, "/etc/hostname", std::string(kHostName) + "\n"});
  for (const char* name : {"null", "zero", "full", "random", "urandom", "tty"}) {
    out.push_back({Kind::device, std::string("/dev/") + name, ""});
  }
  out.push_back({Kind::terminals, "/dev/pts", ""});
  out.push_back({Kind::link, "/dev/ptmx", "pts/ptmx"});
  out.push_back({Kind::link, "/dev/fd", "/proc/self/fd"});
  out.push_back({Kind::link, "/dev/stdin", "/proc/self/fd/0"});
  out.push_back({Kind::link, "/dev/stdout", "/proc/self/fd/1"});
  out.push_back({Kind::link, "/dev/stderr", "/proc/self/fd/2"});
  out.push_back({Kind::scratch, "/tree", "tree"});
  out.push_back({Kind::scratch, "/tmp", "tmp"});
  out.push_back({Kind::scratch, "/dev/shm", "shm"});
  for (const std::string& path : scene.readable) out.push_back({Kind::bind, path, "asked for"});
  for (const std::string& path : scene.devices) out.push_back({Kind::device, path, "asked for"});
  return out;
}

const Covered& covered_in_proc() {
  static const Covered covered{
      {"/proc/sys", "/proc/bus", "/proc/irq", "/proc/fs", "/proc/driver"},
      {"/proc/cmdline", "/proc/kcore", "/proc/keys", "/proc/key-users", "/proc/kmsg",
       "/proc/kallsyms", "/proc/sysrq-trigger", "/proc/timer_list"}};
  return covered;
}

seal::Reach payload_reach() {
  seal::Reach reach;
  reach.runnable = {"/"};
  reach.writable = {"/dev", "/proc"};
  reach.owned = {"/tree", "/tmp", "/dev/shm"};
  // /dev/tty is the terminal of who opens it, which is one of those in /dev/pts or none;
  // /dev/kvm is there where it was handed in (Scene::devices).
  reach.devices = {"/dev/pts", "/dev/tty", "/dev/kvm"};
  reach.limit_tcp = false;  // servers on loopback; the network namespace holds the rest
  return reach;
}

}  // namespace cg::sandbox
