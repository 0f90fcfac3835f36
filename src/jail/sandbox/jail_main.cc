#include "jail/sandbox/jail_main.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <filesystem>

#include "jail/sandbox/furnish.h"
#include "jail/sandbox/link.h"
#include "jail/sandbox/server.h"
#include "jail/seal/program.h"

namespace cg::sandbox {

namespace {

using seal::kEndDone;
using seal::kEndUnexpected;
using seal::kEndUnsealed;

std::vector<Layer> cell_layers(const Facts& facts) {
  const std::string landlock = "abi " + std::to_string(facts.landlock);
  return {{"pid namespace", facts.own_processes, true, "one per step"},
          {"no_new_privs", facts.no_new_privileges, true, ""},
          {"no capabilities", facts.no_capabilities, true, ""},
          {"seccomp", facts.filter, true, ""},
          {"landlock", facts.landlock > 0, false,
           facts.landlock > 0 ? landlock : "this kernel has none that can be used"},
          {"trace", facts.watched, false, facts.watched ? "" : "the kernel gave no listener"}};
}

Result<InForce, Error> all_in_force(std::vector<Layer> layers, bool bare) {
  for (const Layer& layer : layers) {
    if (!bare && layer.mandatory && !layer.held) {
      return fail(Error{Error::Kind::setup, layer.name + ": not in force"});
    }
  }
  return InForce{bare ? Isolation::none : Isolation::namespaces, std::move(layers)};
}

int run_furnished(Furnished furnished, Link& link) {
  const bool bare = !furnished.bare_folder.empty();
  Server server(std::move(furnished.site), link);
  const auto facts = server.prepare();
  if (!facts) {
    static_cast<void>(link.send(facts.error()));
    return kEndUnsealed;
  }
  std::vector<Layer> layers = std::move(furnished.layers);
  const auto more = cell_layers(*facts);
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
  Link link{os::Fd(STDIN_FILENO)};
  const auto message = link.receive();
  if (!message) return message.error() == LinkError::closed ? kEndDone : kEndUnexpected;
  const auto* order = std::get_if<Furnish>(&*message);
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

}  // namespace cg::sandbox
