#include "jail/inside/jail_main.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <filesystem>

#include "jail/inside/furnish.h"
#include "jail/inside/server.h"
#include "jail/sandbox/link.h"
#include "jail/seal/program.h"

namespace cg::inside {

namespace {

using sandbox::Error;
using sandbox::Layer;
using seal::kEndDone;
using seal::kEndUnexpected;
using seal::kEndUnsealed;

std::vector<Layer> cell_layers(const SelfReport& report) {
  const std::string landlock = "abi " + std::to_string(report.landlock);
  return {{"pid namespace", report.own_processes, true, "one per step"},
          {"no_new_privs", report.no_new_privileges, true, ""},
          {"no capabilities", report.no_capabilities, true, ""},
          {"seccomp", report.filter, true, ""},
          {"landlock", report.landlock > 0, false,
           report.landlock > 0 ? landlock : "this kernel has none that can be used"},
          {"trace", report.watched, false, report.watched ? "" : "the kernel gave no listener"}};
}

Result<sandbox::InForce, Error> all_in_force(std::vector<Layer> layers, bool bare) {
  for (const Layer& layer : layers) {
    if (!bare && layer.mandatory && !layer.held) {
      return fail(Error{Error::Kind::setup, layer.name + ": not in force"});
    }
  }
  return sandbox::InForce{bare ? sandbox::Isolation::none : sandbox::Isolation::namespaces,
                          std::move(layers)};
}

int run_furnished(Furnished furnished, sandbox::Link& link) {
  const bool bare = !furnished.bare_folder.empty();
  Server server(std::move(furnished.site), link);
  const auto report = server.prepare();
  if (!report) {
    static_cast<void>(link.send(report.error()));
    return kEndUnsealed;
  }
  std::vector<Layer> layers = std::move(furnished.layers);
  const auto more = cell_layers(*report);
  layers.insert(layers.end(), more.begin(), more.end());
  const auto in_force = all_in_force(std::move(layers), bare);
  if (!in_force) {
    static_cast<void>(link.send(in_force.error()));
    return kEndUnsealed;
  }
  if (!link.send(*in_force)) return kEndDone;
  return server.serve() ? kEndDone : kEndUnexpected;
}

void remove_bare(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace

int jail_main() {
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  close_range(3, ~0U, 0);
  sandbox::Link link{os::Fd(STDIN_FILENO)};
  const auto message = link.receive();
  if (!message) return message.error() == sandbox::LinkError::closed ? kEndDone : kEndUnexpected;
  const auto* order = std::get_if<sandbox::Furnish>(&*message);
  if (order == nullptr) return kEndUnexpected;
  auto furnished = order->bare ? furnish_bare(*order) : furnish(*order);
  if (!furnished) {
    static_cast<void>(link.send(furnished.error()));
    return kEndUnsealed;
  }
  if (order->bare) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const std::string bare_folder = furnished->bare_folder;
  const int code = run_furnished(*std::move(furnished), link);
  remove_bare(bare_folder);
  return code;
}

}  // namespace cg::inside
