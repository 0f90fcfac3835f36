// codegenie-init: the first process of a microVM.
//
// Makes the machine ready, says so, is told the scene, and then serves steps with the same
// code as codegenie-jail (jail/inside/server.h) until the host is gone. Whatever goes wrong ends
// the machine, which the host sees.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "jail/inside/groups.h"
#include "jail/inside/server.h"
#include "jail/microvm/hello.h"
#include "jail/sandbox/link.h"
#include "jail/sandbox/places.h"
#include "machine.h"

namespace cg::init {

namespace {

using sandbox::Layer;

void say_hello(const os::Fd& line) {
  const std::string_view hello = microvm::kHello;
  static_cast<void>(!write(line.get(), hello.data(), hello.size()));
}

sandbox::InForce layers_of(const inside::SelfReport& report, const std::string& groups,
                           bool loopback) {
  sandbox::InForce out;
  out.layers = {{"own processes", report.own_processes, true, ""},
                {"no_new_privs", report.no_new_privileges, true, ""},
                {"no capabilities", report.no_capabilities, true, ""},
                {"seccomp", report.filter, true, ""},
                {"trace", report.watched, false, ""},
                {"landlock", report.landlock > 0, false, "abi " + std::to_string(report.landlock)},
                {"cgroup", groups.starts_with('v'), false, groups},
                {"loopback", loopback, false, ""}};
  return out;
}

void serve(sandbox::Link& link) {
  const auto first = link.receive();
  if (!first) return;
  const auto* furnish = std::get_if<sandbox::Furnish>(&*first);
  if (furnish == nullptr) return;
  limit_files(furnish->scene.scratch_bytes);
  const bool loopback = start_loopback();

  std::string groups_found;
  auto groups = inside::Groups::make(furnish->scene.scratch_bytes, groups_found);
  if (groups) groups_found = groups->version();
  inside::Site site;
  site.filter = furnish->filter;
  site.become = sandbox::kInsideId;
  site.hidden = {site.scratch};
  site.branch = furnish->scene.branch;
  if (groups) {
    site.groups = std::make_shared<const inside::Groups>(*std::move(groups));
    site.hidden.emplace_back("/sys/fs/cgroup");
  }
  if (!furnish->scene.shelf.empty()) {
    site.shelf_program = microvm::kShelfProgram;
    site.shelf_folder = furnish->scene.shelf;
  }
  inside::Server server(std::move(site), link);
  const auto report = server.prepare();
  if (!report) {
    static_cast<void>(link.send(report.error()).has_value());
    return;
  }
  if (!link.send(layers_of(*report, groups_found, loopback))) return;
  static_cast<void>(server.serve());
}

}  // namespace

}  // namespace cg::init

int main() {
  if (getpid() != 1) {
    std::fputs("codegenie-init: only the first process of a microVM; see `codegenie sandbox`\n",
               stderr);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  cg::os::Fd line = cg::init::open_line();
  if (line.is_open() && cg::init::make_ready()) {
    cg::init::say_hello(line);
    cg::sandbox::Link link(std::move(line));
    cg::init::serve(link);
  }
  cg::init::power_off();
}
