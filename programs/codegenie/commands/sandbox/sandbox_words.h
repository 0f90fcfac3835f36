// What the commands of `sandbox` share.
#pragma once

#include <string>

#include "access.h"
#include "base/domain/error.h"
#include "jail/microvm/image.h"
#include "jail/microvm/vm.h"
#include "jail/sandbox/chamber.h"
#include "report.h"

namespace cg::program {

inline std::string image_folder(const Access& access) {
  return access.workspace.path + "/cache/microvm";
}

inline microvm::Options machine_options(const Access& access) {
  microvm::Options options;
  options.image = image_folder(access);
  options.scratch = access.workspace.path + "/cache/machines";
  return options;
}

inline Problem sandbox_problem(const sandbox::Error& error, std::string effect) {
  using Kind = sandbox::Error::Kind;
  const ErrorCode code = error.kind == Kind::missing  ? ErrorCode::sandbox_missing
                         : error.kind == Kind::setup  ? ErrorCode::sandbox_setup
                         : error.kind == Kind::broken ? ErrorCode::sandbox_broken
                                                      : ErrorCode::sandbox_scene;
  return {code, error.what, {}, std::move(effect), {"codegenie sandbox status"}};
}

inline json::Value part_json(const microvm::Part& part) {
  return json::Value::Object{{"bytes", number(part.bytes)}, {"sha256", to_hex(part.sha256)}};
}

inline json::Value image_json(const microvm::Image& image) {
  return json::Value::Object{{"digest", to_hex(image.digest())},
                             {"files", number(image.files)},
                             {"init", part_json(image.init)},
                             {"initramfs", part_json(image.initramfs)},
                             {"kernel", part_json(image.kernel)},
                             {"kernel_release", text_or_null(image.kernel_release)},
                             {"kernel_source", image.kernel_source},
                             {"made", to_iso(image.made)},
                             {"node", text_or_null(image.node)},
                             {"npm", text_or_null(image.npm)}};
}

}  // namespace cg::program
