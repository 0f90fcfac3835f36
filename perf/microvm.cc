// Row vm: from nothing to the answer of a trivial program in a machine of its own, against
// the least that it can be: the same kernel in the same QEMU, up to where it looks for init.
#include "base/os/dir.h"
#include "jail/microvm/vm.h"
#include "jail/sandbox/jail.h"
#include "perf.h"

namespace {

using namespace cg::perf;
using namespace cg;

template <class T>
T need(Result<T, sandbox::Error> result) {
  if (!result) give_up(result.error().what);
  return *std::move(result);
}

microvm::Image prepare(const std::string& folder) {
  microvm::Recipe recipe = microvm::standard_recipe();
  recipe.init = CG_INIT;
  return need(microvm::make_image(recipe, must(os::Dir::make(folder)), Time{}));
}

void run_true(sandbox::Chambers& chambers, const std::string& tree) {
  sandbox::Scene scene;
  scene.tree = tree;
  const auto chamber = need(chambers.open(scene));
  sandbox::Step step;
  step.argv = {"/bin/true"};
  const sandbox::Ran ran = need(chamber->run(step, {}));
  if (!sandbox::is_success(ran.ending)) give_up("/bin/true did not end well");
}

/// The same kernel and files, and told to start what is not there: it ends the machine.
std::vector<std::string> bare_boot(const microvm::Options& options, microvm::Accelerator with,
                                   const microvm::Image& image) {
  const microvm::Machine machine{options.qemu,
                                 microvm::Architecture::x86_64,
                                 with,
                                 options.image + "/" + microvm::kKernelFile,
                                 options.image + "/" + microvm::kInitramfsFile,
                                 microvm::machine_memory(options.memory, image.initramfs.bytes),
                                 "null"};
  std::vector<std::string> words = microvm::command_line(machine);
  words.back() += " rdinit=/none";
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const std::size_t repeats = arguments.number("--repeats", arguments.has("--quick") ? 1 : 9);
  const Row row{
      "vm", "microVM, start to answer", "kernel alone, bare QEMU", {Bar::Kind::at_most, 2}};
  if (!find_program("qemu-system-x86_64")) {
    report_absent(row, "no qemu-system-x86_64 in $PATH");
    return 0;
  }
  microvm::Options options;
  options.image = work_folder() + "/microvm";
  options.scratch = work_folder() + "/machines";
  const microvm::Image image = prepare(options.image);
  const std::string tree = must(os::Dir::make(work_folder() + "/machine-tree")).path();
  sandbox::Jails jails = need(sandbox::Jails::make(CG_JAIL, sandbox::starting_by_fork()));
  microvm::MicroVms machines = need(microvm::MicroVms::make(options, jails));
  report_fact("accelerator " + std::string(microvm::name(machines.accelerator())) + ", kernel " +
              image.kernel_release + ", files " + with_commas(image.initramfs.bytes) + " bytes");
  if (!machines.why_not_kvm().empty()) report_fact("not KVM: " + machines.why_not_kvm());
  const auto bare = bare_boot(options, machines.accelerator(), image);
  report(row, [&] {
    const auto costs =
        interleave(repeats, {[&] { return cost_of([&] { run_true(machines, tree); }); },
                             [&] { return cost_of_process(bare); }});
    return Pair{summary(costs[0], Clock::wall), summary(costs[1], Clock::wall)};
  });
}
