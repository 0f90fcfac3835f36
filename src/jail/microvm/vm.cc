#include "jail/microvm/vm.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/base/match.h"
#include "base/base/text.h"
#include "jail/microvm/accelerator.h"
#include "jail/microvm/failure.h"
#include "jail/microvm/gather.h"
#include "jail/microvm/guest.h"
#include "jail/sandbox/places.h"
#include "jail/sandbox/policy.h"

namespace cg::microvm {

namespace {

using Kind = sandbox::Error::Kind;
using sandbox::Layer;

constexpr std::chrono::milliseconds kProbeTime{3'000};
constexpr std::chrono::milliseconds kBootTime{180'000};
// Beyond a step's own cap: for answers to come through a slow line.
constexpr std::chrono::seconds kSlack{30};
constexpr std::uint64_t kBytesPerSecond = 256U << 10U;
constexpr std::size_t kCopied = 4U << 20U;
constexpr std::uint64_t kMostScratch = 1U << 30U;

std::string short_hex(const hash::Digest& digest) { return "sha256 " + to_hex(digest); }

/// The scene's files as an archive.
Result<std::string, sandbox::Error> pack(const sandbox::Scene& scene) {
  if (scene.tree.empty() && scene.shelf.empty() && scene.readable.empty()) return std::string();
  CG_TRY_ASSIGN(Gather gather, Gather::open("/"));
  if (!scene.tree.empty()) CG_TRY(gather.take_tree(scene.tree, "tree", sandbox::kInsideId));
  if (!scene.tree.empty()) gather.add_links(scene.links, "tree", sandbox::kInsideId);
  if (!scene.shelf.empty()) CG_TRY(gather.take_tree(scene.shelf, "shelf", kRoot));
  for (const std::string& path : scene.readable) CG_TRY(gather.take_program(path));
  std::vector<Member> members = std::move(gather).members();
  // Said here, or a readable file beneath it would bring a /tmp that only root can write.
  constexpr unsigned kForAll = 01777;
  std::erase_if(members, [](const Member& member) { return member.path == "tmp"; });
  members.push_back({"tmp", Member::Kind::folder, kForAll, kRoot, ""});
  auto archive = write_cpio(std::move(members));
  if (!archive) return failure(Kind::scene, describe(archive.error()));
  return *std::move(archive);
}

/// `archive` behind the image's own files, readable for the emulator.
Result<Done, sandbox::Error> put_files(const Options& options, const os::Dir& to,
                                       const std::string& archive) {
  const auto image = os::Dir::open(options.image);
  if (!image) return setup_failure(image.error());
  const auto base = image->open_file(kInitramfsFile, O_RDONLY);
  if (!base) return setup_failure(base.error());
  const auto out = to.open_file(kInitramfsFile, O_WRONLY | O_CREAT | O_EXCL);
  if (!out) return setup_failure(out.error());
  // For the user that the emulator runs as; the folders above are closed to it.
  if (fchmod(out->get(), 0644) != 0) return setup_failure(os::from_errno(errno, to.path()));
  std::uint64_t size = 0;
  while (true) {
    const auto part = os::read_at(*base, size, kCopied, image->path_of(kInitramfsFile));
    if (!part) return setup_failure(part.error());
    if (part->empty()) break;
    const auto copied = os::write_at(*out, *part, size, to.path_of(kInitramfsFile));
    if (!copied) return setup_failure(copied.error());
    size += part->size();
  }
  const auto written = os::write_at(*out, archive, size, to.path_of(kInitramfsFile));
  if (!written) return setup_failure(written.error());
  return Done{};
}

/// The payload's filter goes in with the first message, made here as for the jail.
Result<sandbox::Furnish, sandbox::Error> furnishing(const sandbox::Scene& scene) {
  const auto policy = sandbox::Policy::Builder().build();
  if (!policy) return failure(Kind::setup, seal::describe(policy.error()));
  sandbox::Furnish furnish;
  if (!scene.shelf.empty()) furnish.scene.shelf = "/shelf";
  furnish.scene.branch = scene.branch;
  furnish.scene.scratch_bytes = std::min(scene.scratch_bytes, kMostScratch);
  furnish.filter = policy->filter_bytes();
  return furnish;
}

class MicroVm final : public sandbox::Chamber {
 public:
  MicroVm(std::unique_ptr<Guest> guest, Accelerator accelerator, sandbox::InForce in_force)
      : guest_(std::move(guest)), accelerator_(accelerator), in_force_(std::move(in_force)) {}

  [[nodiscard]] const sandbox::InForce& in_force() const override { return in_force_; }

  [[nodiscard]] Result<sandbox::Ran, sandbox::Error> run(
      const sandbox::Step& step, const sandbox::OnOutput& on_output) override {
    auto ran = guest_ == nullptr ? failure(Kind::broken, "the machine is gone")
                                 : carry_out(step, on_output);
    if (!ran) guest_.reset();
    return ran;
  }

 private:
  [[nodiscard]] Result<sandbox::Ran, sandbox::Error> carry_out(const sandbox::Step& step,
                                                               const sandbox::OnOutput& on_output) {
    sandbox::Step sent = step;
    sent.limits = scaled(step.limits, accelerator_);
    CG_TRY(guest_->send(sent));
    const std::uint64_t most = 2 * sent.limits.output + sent.collect.size() * sent.max_collected;
    const Deadline deadline = std::chrono::steady_clock::now() + sent.limits.wall + kSlack +
                              std::chrono::seconds(most / kBytesPerSecond);
    while (true) {
      CG_TRY_ASSIGN(sandbox::Message message, guest_->receive(deadline));
      if (const auto* told = std::get_if<sandbox::Told>(&message)) {
        if (on_output) on_output(told->bytes);
      } else if (auto* ran = std::get_if<sandbox::Ran>(&message)) {
        return std::move(*ran);
      } else if (auto* error = std::get_if<sandbox::Error>(&message)) {
        return fail(std::move(*error));
      } else {
        return failure(Kind::broken, "the machine answered something else");
      }
    }
  }

  std::unique_ptr<Guest> guest_;
  Accelerator accelerator_;
  sandbox::InForce in_force_;
};

/// What the guest says of itself comes last: it is the least to rely on.
sandbox::InForce in_force_of(const Guest& guest, const Image& image, Accelerator accelerator,
                             const sandbox::InForce& inside) {
  sandbox::InForce out;
  const bool kvm = accelerator == Accelerator::kvm;
  if (guest.outer().isolation != sandbox::Isolation::none) {
    out.isolation = kvm ? sandbox::Isolation::microvm : sandbox::Isolation::microvm_emulated;
  }
  out.layers = {
      {"accelerator", true, true,
       std::string(name(accelerator)) + ", wall caps times " +
           std::to_string(wall_factor(accelerator))},
      {"emulator", true, true, guest.emulator()},
      {"guest kernel", true, true, image.kernel_release + " " + short_hex(image.kernel.sha256)},
      {"guest files", true, true, short_hex(image.initramfs.sha256)},
      {"no network device", true, true, "none on the command line"}};
  for (Layer layer : guest.outer().layers) {
    layer.name = "jail: " + layer.name;
    out.layers.push_back(std::move(layer));
  }
  for (Layer layer : inside.layers) {
    layer.name = "guest: " + layer.name;
    layer.mandatory = false;
    layer.detail = printable(layer.detail);
    out.layers.push_back(std::move(layer));
  }
  return out;
}

}  // namespace

sandbox::Limits scaled(const sandbox::Limits& limits, Accelerator accelerator) {
  sandbox::Limits out = limits;
  out.wall *= wall_factor(accelerator);
  return out;
}

Result<MicroVms, sandbox::Error> MicroVms::make(Options options, sandbox::Chambers& outer) {
  const auto folder = os::Dir::open(options.image);
  if (!folder) {
    return failure(Kind::missing,
                   "no image in " + printable(options.image) + ": " + os::describe(folder.error()));
  }
  CG_TRY_ASSIGN(Image image, check_image(*folder));
  struct stat found {};
  if (stat(options.qemu.c_str(), &found) != 0) {
    return failure(Kind::missing, printable(options.qemu) + ": no such program");
  }
  MicroVms vms(std::move(options), std::move(image), outer);
  vms.find_accelerator();
  return vms;
}

std::string MicroVms::try_kvm() {
  if (access("/dev/kvm", R_OK | W_OK) != 0) {
    return "/dev/kvm: " + os::describe(os::from_errno(errno, "/dev/kvm"));
  }
  auto guest = Guest::prepare(options_.scratch);
  if (!guest) return guest.error().what;
  if (const auto put = put_files(options_, (*guest)->folder(), ""); !put) return put.error().what;
  Machine machine{options_.qemu,
                  Architecture::x86_64,
                  Accelerator::kvm,
                  options_.image + "/" + kKernelFile,
                  (*guest)->folder().path_of(kInitramfsFile),
                  machine_memory(0, image_.initramfs.bytes),
                  {}};
  const auto started = (*guest)->start(*outer_, machine, kProbeTime);
  return started ? std::string() : "with KVM: " + started.error().what;
}

void MicroVms::find_accelerator() {
  if (options_.accelerator) {
    accelerator_ = *options_.accelerator;
    return;
  }
  const auto folder = os::Dir::open(options_.image);
  if (!folder) return;
  auto known = remembered(*folder, image_.digest());
  if (!known) {
    const std::string why = try_kvm();
    known = Finding{why.empty() ? Accelerator::kvm : Accelerator::tcg, why};
    remember(*folder, image_.digest(), *known);
  }
  accelerator_ = known->accelerator;
  why_not_kvm_ = known->why;
}

Result<std::unique_ptr<sandbox::Chamber>, sandbox::Error> MicroVms::open(
    const sandbox::Scene& scene) {
  CG_TRY_ASSIGN(const std::string archive, pack(scene));
  CG_TRY_ASSIGN(std::unique_ptr<Guest> guest, Guest::prepare(options_.scratch));
  CG_TRY(put_files(options_, guest->folder(), archive));
  const std::uint64_t scratch = std::min(scene.scratch_bytes, kMostScratch);
  const Machine machine{
      options_.qemu,
      Architecture::x86_64,
      accelerator_,
      options_.image + "/" + kKernelFile,
      guest->folder().path_of(kInitramfsFile),
      machine_memory(options_.memory + scratch, image_.initramfs.bytes + archive.size()),
      {}};
  CG_TRY(guest->start(*outer_, machine, kBootTime));
  // It is in the machine's memory now.
  if (const auto gone = guest->folder().remove(kInitramfsFile); !gone)
    return setup_failure(gone.error());
  CG_TRY_ASSIGN(const sandbox::Furnish furnish, furnishing(scene));
  CG_TRY(guest->send(furnish));
  CG_TRY_ASSIGN(const sandbox::Message answer,
                guest->receive(std::chrono::steady_clock::now() + kBootTime));
  if (const auto* error = std::get_if<sandbox::Error>(&answer)) return fail(*error);
  const auto* inside = std::get_if<sandbox::InForce>(&answer);
  if (inside == nullptr) return failure(Kind::broken, "the machine answered something else");
  sandbox::InForce in_force = in_force_of(*guest, image_, accelerator_, *inside);
  std::unique_ptr<sandbox::Chamber> chamber =
      std::make_unique<MicroVm>(std::move(guest), accelerator_, std::move(in_force));
  return chamber;
}

}  // namespace cg::microvm
