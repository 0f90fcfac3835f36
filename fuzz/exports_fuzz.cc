// What a package exports: as a tarball, as a manifest, and as a source beside a fixed manifest.
//
// Whatever the bytes, every entry leads to a file that is there, and names are not empty.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "npm/exports/exports.h"

namespace {

void check(const cg::exports::Api& api, const cg::exports::Files& files) {
  for (const auto& entry : api.entries) CG_ASSERT(files.contains(entry.file));
  for (const auto& [file, module] : api.modules) {
    CG_ASSERT(files.contains(file));
    for (const auto& [name, what] : module.names) {
      CG_ASSERT(!name.empty());
      if (what.arity && what.arity->most) CG_ASSERT(what.arity->least <= *what.arity->most);
    }
  }
  static_cast<void>(api.surface("a"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(cg::exports::read_package(text));
  const cg::exports::Files by_manifest = {
      {"package.json", text}, {"index.js", "exports.a = 1"}, {"lib/a.js", ""}, {"index.d.ts", ""}};
  if (const auto api = cg::exports::read_files(by_manifest)) check(*api, by_manifest);
  const cg::exports::Files by_source = {{"package.json", R"({"exports":{".":["./a.js"],
      "./*":{"types":"./*.d.ts"}}})"},
                                        {"a.js", text},
                                        {"a.d.ts", text}};
  if (const auto api = cg::exports::read_files(by_source)) check(*api, by_source);
  return 0;
}
