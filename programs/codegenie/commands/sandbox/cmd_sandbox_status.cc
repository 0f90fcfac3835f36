// codegenie sandbox status
#include "base/base/text.h"
#include "base/os/ports.h"
#include "commands.h"
#include "commands/sandbox/sandbox_words.h"
#include "flow/supplies/sandbox_access.h"
#include "jail/microvm/accelerator.h"

namespace cg::program {

namespace {

constexpr std::int64_t kHour = 3'600'000;

struct SandboxStatus {
  std::optional<sandbox::InForce> jail;
  std::string jail_missing;  // why there is none
  std::string qemu;          // its version
  std::string qemu_missing;
  std::optional<microvm::Image> image;
  std::string image_missing;
  std::optional<microvm::Finding> accelerator;
  Time now{};
};

void look_at_jail(const Access& access, SandboxStatus& status) {
  const auto empty = os::Dir::make(access.workspace.path + "/cache/machines/none");
  auto jails = supplies::open_jails();
  if (!empty || !jails) {
    status.jail_missing = empty ? jails.error().what : os::describe(empty.error());
    return;
  }
  sandbox::Scene scene;
  scene.tree = empty->path();
  const auto chamber = jails->open(scene);
  if (!chamber) {
    status.jail_missing = chamber.error().what;
    return;
  }
  status.jail = (*chamber)->in_force();
  sandbox::Step step;
  step.name = "version";
  step.argv = {machine_options(access).qemu, "--version"};
  const auto ran = (*chamber)->run(step, {});
  const bool there = ran && sandbox::is_success(ran->ending);
  if (there) status.qemu = printable(ran->out.kept.substr(0, ran->out.kept.find('\n')));
  if (!there) status.qemu_missing = step.argv[0] + (ran ? " is not there" : ran.error().what);
}

void look_at_image(const Access& access, SandboxStatus& status) {
  const auto folder = os::Dir::open(image_folder(access));
  const auto image = folder ? microvm::check_image(*folder)
                            : Result<microvm::Image, sandbox::Error>(fail(
                                  sandbox::Error{sandbox::Error::Kind::missing, "none was made"}));
  if (!image) {
    status.image_missing = image.error().what;
    return;
  }
  status.image = *image;
  status.accelerator = microvm::remembered(*folder, image->digest());
}

std::string age_of(Time made, Time now) {
  const std::int64_t hours = std::max<std::int64_t>((now.ms - made.ms) / kHour, 0);
  if (hours < 48) return counted(static_cast<std::uint64_t>(hours), "hour", "hours");
  return counted(static_cast<std::uint64_t>(hours / 24), "day", "days");
}

std::string accelerator_text(const SandboxStatus& status) {
  if (!status.accelerator) return "not tried since this machine was booted";
  std::string out(microvm::name(status.accelerator->accelerator));
  if (!status.accelerator->why.empty()) out += "; " + status.accelerator->why;
  return out;
}

std::string sandbox_status_text(const SandboxStatus& status, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  if (status.jail) {
    rows.push_back({{"Jail"}, {std::string(sandbox::name(status.jail->isolation))}});
    for (const sandbox::Layer& layer : status.jail->layers) {
      rows.push_back({{""},
                      {std::string(style.glyph(layer.held ? cli::Glyph::ok : cli::Glyph::warn)) +
                       " " + layer.name + (layer.detail.empty() ? "" : ": " + layer.detail)}});
    }
  } else {
    rows.push_back({{"Jail"}, {"none: " + status.jail_missing}});
  }
  rows.push_back({{"QEMU"}, {status.qemu.empty() ? "none: " + status.qemu_missing : status.qemu}});
  if (status.image) {
    rows.push_back({{"Image"},
                    {"sha256 " + to_hex(status.image->digest()) + ", " +
                     age_of(status.image->made, status.now) + " old"}});
    rows.push_back({{"Kernel"}, {status.image->kernel_release}});
    rows.push_back({{"Inside"}, {"node " + status.image->node + ", npm " + status.image->npm}});
    rows.push_back({{"Accelerator"}, {accelerator_text(status)}});
  } else {
    rows.push_back({{"Image"}, {"none: " + status.image_missing}});
  }
  return cli::layout({{}, {}}, rows, style);
}

json::Value jail_json(const SandboxStatus& status) {
  if (!status.jail) return {};
  json::Value::Array layers;
  for (const sandbox::Layer& layer : status.jail->layers) {
    layers.emplace_back(json::Value::Object{{"name", layer.name},
                                            {"held", layer.held},
                                            {"mandatory", layer.mandatory},
                                            {"detail", printable(layer.detail)}});
  }
  return json::Value::Object{{"isolation_class", sandbox::name(status.jail->isolation)},
                             {"layers", std::move(layers)}};
}

Result<Report, Problem> run_sandbox_status(const cli::Invocation&, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  SandboxStatus status;
  os::SystemClock clock;
  status.now = clock.now();
  look_at_jail(access, status);
  look_at_image(access, status);
  json::Value json = json::Value::Object{
      {"schema", "codegenie/sandbox-status/v1"},
      {"accelerator", status.accelerator
                          ? json::Value(microvm::name(status.accelerator->accelerator))
                          : json::Value()},
      {"why_not_kvm", status.accelerator ? text_or_null(status.accelerator->why) : json::Value()},
      {"image", status.image ? image_json(*status.image) : json::Value()},
      {"image_missing", text_or_null(status.image_missing)},
      {"jail", jail_json(status)},
      {"jail_missing", text_or_null(status.jail_missing)},
      {"qemu", text_or_null(status.qemu)},
      {"qemu_missing", text_or_null(status.qemu_missing)}};
  return json_report(std::move(json), [status](const cli::Style& style) {
    return sandbox_status_text(status, style);
  });
}

}  // namespace

Entry sandbox_status_command() {
  return {{.path = {"sandbox", "status"},
           .summary = "Say what there is to run a repository's code in",
           .about = {"Opens a jail and tells which layers are in force on this machine, which "
                     "QEMU is there, what the image of `sandbox prepare` holds and whether it is "
                     "still what it was, and with which accelerator machines boot."},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie sandbox status", "which isolation can be had here?"}}},
          run_sandbox_status};
}

}  // namespace cg::program
