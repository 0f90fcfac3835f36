// What registries answer, and the lines it is kept as.
//
// The same bytes are read both ways. What was parsed is kept, read again and the same;
// lines that are read are safe to use however wrong they are.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/base/assert.h"
#include "npm/registry/name.h"
#include "npm/registry/packument.h"
#include "npm/registry/release_json.h"
#include "npm/registry/stored.h"

namespace {

using cg::registry::Packument;

constexpr const char* kName = "a";

void check_answer(std::string_view json) {
  const auto packument = Packument::parse(kName, json);
  if (!packument) {
    CG_ASSERT(packument.error().what.size() < 2000);
    return;
  }
  const auto again = Packument::read(kName, packument->stored());
  CG_ASSERT(again && again->size() == packument->size());
  CG_ASSERT(again->left_out() == packument->left_out());
  CG_ASSERT(cg::registry::is_sound(*again));
  for (std::size_t i = 0; i < again->size(); ++i) {
    const cg::registry::Release& release = again->release(i);
    const auto found = again->find(again->version(i));
    CG_ASSERT(!found || again->version(*found) == again->version(i));
    for (const auto& need : release.needs) CG_ASSERT(cg::registry::is_package_name(need.name));
    for (const auto& [command, path] : release.bin) {
      CG_ASSERT(command.find('/') == std::string::npos);
      CG_ASSERT(!path.starts_with('/') && !path.starts_with("../"));
    }
  }
}

void check_lines(std::string_view text) {
  const auto packument = Packument::read(kName, std::string(text));
  if (!packument) return;
  for (std::size_t i = 0; i < packument->size(); ++i) {
    CG_ASSERT(packument->release(i).name == kName);
    static_cast<void>(packument->find(packument->version(i)));
  }
  static_cast<void>(cg::registry::is_sound(*packument));
  static_cast<void>(packument->tag("latest"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_answer(text);
  check_lines(text);
  return 0;
}
