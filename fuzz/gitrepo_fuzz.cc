// Messages between codegenie and codegenie-git, and a repository's config.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fetch/gitrepo/config.h"
#include "fetch/gitrepo/names.h"
#include "fetch/gitrepo/wire.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::gitrepo;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(parse_config(text).has_value());
  static_cast<void>(parse_modules(text).has_value());
  static_cast<void>(is_safe_path(text) && is_hostile_name(text));
  if (!is_ref_name(branch_name("codegenie/", text, text, "1"))) std::abort();
  const auto order = read_order(text);
  if (order && write_order(*order) != text) std::abort();
  const auto answer = read_answer(text);
  if (answer && write_answer(*answer) != text) std::abort();
  return 0;
}
