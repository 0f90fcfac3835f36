// MicroVms: chambers with a kernel of their own.
//
// A machine is booted for each scene, from an image (jail/microvm/image.h) and the scene's files,
// all of it in memory; its init carries out steps as the jail's does, with the same code. It
// is a machine inside a jail: where the processor virtualises (KVM), that is a second fence;
// where it is emulated, QEMU's own authors say it is none, and the class says so.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/base/result.h"
#include "jail/microvm/image.h"
#include "jail/microvm/qemu.h"
#include "jail/sandbox/chamber.h"
#include "jail/sandbox/step.h"

namespace cg::microvm {

struct Options {
  std::string image;    // folder that make_image() filled
  std::string scratch;  // folder for what machines start with; removed as they end
  std::string qemu = "/usr/bin/qemu-system-x86_64";
  /// That the payloads of a machine may take together; Limits::memory of a step counts
  /// only within it.
  std::uint64_t memory = sandbox::Limits{}.memory;
  std::optional<Accelerator> accelerator;  // none: found out
};

class MicroVms final : public sandbox::Chambers {
 public:
  /// Checks the image, and finds out which accelerator works: KVM if a machine boots with it
  /// within three seconds. That is remembered beside the image until the host boots again.
  /// `outer` is where emulators run, and outlives this.
  [[nodiscard]] static Result<MicroVms, sandbox::Error> make(Options options,
                                                             sandbox::Chambers& outer);

  [[nodiscard]] Result<std::unique_ptr<sandbox::Chamber>, sandbox::Error> open(
      const sandbox::Scene& scene) override;

  [[nodiscard]] const Image& image() const { return image_; }
  [[nodiscard]] Accelerator accelerator() const { return accelerator_; }
  /// Why it is not KVM; empty if it is, or was asked for.
  [[nodiscard]] const std::string& why_not_kvm() const { return why_not_kvm_; }

 private:
  MicroVms(Options options, Image image, sandbox::Chambers& outer)
      : options_(std::move(options)), image_(std::move(image)), outer_(&outer) {}
  void find_accelerator();
  [[nodiscard]] std::string try_kvm();

  Options options_;
  Image image_;
  sandbox::Chambers* outer_;
  Accelerator accelerator_ = Accelerator::tcg;
  std::string why_not_kvm_;
};

/// `limits` as they hold with `accelerator`: its wall factor is in them.
[[nodiscard]] sandbox::Limits scaled(const sandbox::Limits& limits, Accelerator accelerator);

}  // namespace cg::microvm
