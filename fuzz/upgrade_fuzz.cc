// What an upgrade means: a source and declarations, first as the old version and then as the new.
//
// Whatever the bytes, the text is well-formed, within its cap, and free of control characters.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "npm/upgrade/upgrade.h"

namespace {

constexpr std::size_t kCap = 4096;

cg::exports::Unpacked package(cg::exports::Files files) {
  cg::exports::Unpacked out;
  for (const auto& [path, text] : files) out.all[path] = {text.size(), false};
  out.sources = std::move(files);
  return out;
}

void check(const cg::exports::Unpacked& before, const cg::exports::Unpacked& after) {
  cg::upgrade::Used used;
  used.members = {"run", "x"};
  used.paths[{"", cg::exports::Way::require}] = {"a", "f"};
  used.paths[{"b", cg::exports::Way::import}] = {"default"};
  const auto difference = cg::upgrade::compare({&before, nullptr}, {&after, nullptr}, used);
  if (!difference) return;
  const std::string text = cg::upgrade::describe(*difference, kCap);
  CG_ASSERT(text.size() <= kCap);
  CG_ASSERT(cg::is_utf8(text));
  for (const char c : text) CG_ASSERT(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string manifest = R"({"name":"p","version":"1.0.0"})";
  const cg::exports::Unpacked plain =
      package({{"package.json", manifest},
               {"index.js", "exports.a = require('./b'); exports.f = class { run(x) {} }"},
               {"b.js", "module.exports = (x) => 1"}});
  const cg::exports::Unpacked code =
      package({{"package.json", manifest}, {"index.js", text}, {"b.js", text}});
  const cg::exports::Unpacked types =
      package({{"package.json", manifest}, {"index.js", "exports.a = 1"}, {"index.d.ts", text}});
  const cg::exports::Unpacked odd =
      package({{"package.json", text}, {"index.js", "exports.a = 1"}, {"b.js", ""}});
  check(plain, code);
  check(code, types);
  check(types, plain);
  check(plain, odd);
  return 0;
}
