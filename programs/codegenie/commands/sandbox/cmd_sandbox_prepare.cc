// codegenie sandbox prepare
#include <chrono>

#include "base/base/text.h"
#include "base/os/ports.h"
#include "commands.h"
#include "commands/sandbox/sandbox_words.h"
#include "flow/supplies/sandbox_access.h"

namespace cg::program {

namespace {

constexpr std::uint64_t kImageMegabyte = 1'000'000;
constexpr const char* kKept = "the image is there, and no machine of it was started";

/// What a first machine showed.
struct Boot {
  microvm::Accelerator accelerator = microvm::Accelerator::tcg;
  std::string why_not_kvm;
  std::chrono::milliseconds took{};
  std::string node;
};

Result<microvm::Recipe, Problem> recipe_of(const cli::Invocation& invocation) {
  microvm::Recipe recipe = microvm::standard_recipe();
  if (const auto kernel = invocation.value("kernel")) {
    if (!kernel->starts_with('/')) {
      return fail(bad_value("--kernel names a file by its whole path", "--kernel /boot/vmlinuz-…"));
    }
    recipe.kernel = *kernel;
  }
  // Our programs lie beside each other.
  const auto jail = sandbox::find_jail();
  if (!jail) return fail(sandbox_problem(jail.error(), "no image was made"));
  const std::string folder = jail->substr(0, jail->rfind('/'));
  recipe.init = folder + "/codegenie-init";
  recipe.shelf = folder + "/codegenie-shelf";
  return recipe;
}

Result<Boot, sandbox::Error> try_out(const Access& access) {
  CG_TRY_ASSIGN(sandbox::Jails jails, supplies::open_jails());
  CG_TRY_ASSIGN(microvm::MicroVms machines,
                microvm::MicroVms::make(machine_options(access), jails));
  Boot boot{machines.accelerator(), machines.why_not_kvm(), {}, {}};
  const auto start = std::chrono::steady_clock::now();
  CG_TRY_ASSIGN(const std::unique_ptr<sandbox::Chamber> chamber, machines.open({}));
  boot.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  sandbox::Step step;
  step.name = "node";
  step.argv = {"/usr/bin/node", "--version"};
  CG_TRY_ASSIGN(const sandbox::Ran ran, chamber->run(step, {}));
  if (!sandbox::is_success(ran.ending)) {
    return fail(
        sandbox::Error{sandbox::Error::Kind::broken,
                       "node does not run inside: " + sandbox::describe(ran.ending, step.limits)});
  }
  boot.node = printable(trim(ran.out.kept));
  return boot;
}

std::string prepare_text(const microvm::Image& image, const Boot& boot, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows = {
      {{"Image"}, {"sha256 " + to_hex(image.digest())}},
      {{"Kernel"}, {image.kernel_release + " of " + printable(image.kernel_source)}},
      {{"Files"},
       {grouped(image.files) + ", " + grouped(image.initramfs.bytes / kImageMegabyte) + " MB"}},
      {{"Inside"}, {"node " + boot.node + (image.npm.empty() ? "" : ", npm " + image.npm)}},
      {{"Boots"},
       {"in " + grouped(static_cast<std::uint64_t>(boot.took.count())) + " ms with " +
        std::string(microvm::name(boot.accelerator))}}};
  if (!boot.why_not_kvm.empty()) rows.push_back({{"Not KVM"}, {boot.why_not_kvm}});
  return cli::layout({{}, {}}, rows, style);
}

Result<Report, Problem> run_prepare(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const microvm::Recipe recipe, recipe_of(invocation));
  const auto folder = os::Dir::make(image_folder(access));
  if (!folder) {
    return fail(sandbox_problem({sandbox::Error::Kind::setup, os::describe(folder.error())},
                                "no image was made"));
  }
  os::SystemClock clock;
  auto image = microvm::make_image(recipe, *folder, clock.now());
  if (!image) return fail(sandbox_problem(image.error(), "no image was made"));
  const auto boot = try_out(access);
  if (!boot) return fail(sandbox_problem(boot.error(), kKept));
  image->node = boot->node;
  if (const auto noted = microvm::note_image(*folder, *image); !noted) {
    return fail(sandbox_problem(noted.error(), kKept));
  }
  json::Value json =
      json::Value::Object{{"schema", "codegenie/sandbox-prepare/v1"},
                          {"accelerator", microvm::name(boot->accelerator)},
                          {"boot_ms", number(static_cast<std::uint64_t>(boot->took.count()))},
                          {"image", image_json(*image)},
                          {"why_not_kvm", text_or_null(boot->why_not_kvm)}};
  return json_report(std::move(json), [image = *image, boot = *boot](const cli::Style& style) {
    return prepare_text(image, boot, style);
  });
}

}  // namespace

Entry sandbox_prepare_command() {
  return {{.path = {"sandbox", "prepare"},
           .summary = "Make what a microVM starts from, and start one",
           .about = {"Gathers a kernel from /boot, node, npm, a shell and what these need from "
                     "the installed packages into an image in the workspace, with codegenie's own "
                     "init. The same packages give the same digest. Then a first machine is "
                     "started: with KVM if one boots with it within three seconds, emulated "
                     "otherwise.",
                     "Needed once for `--isolation microvm`, and again after packages changed. "
                     "Takes qemu-system-x86 and a kernel such as linux-image-cloud-amd64."},
           .flags = {{.name = "kernel",
                      .value_name = "KERNEL_FILE",
                      .help = "boot this one instead of the newest in /boot"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie sandbox prepare", "once, before --isolation microvm"}}},
          run_prepare,
          Sealing::sealed,
          {Reach::machine}};
}

}  // namespace cg::program
