// Whatever a bundle holds, it is judged without harm and in printable words; and none holds
// without events and a proof.
#include <cstdint>
#include <string_view>

#include "base/archive/tar.h"
#include "base/base/assert.h"
#include "base/base/text.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace evidence = cg::evidence;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  evidence::Files files;
  const auto read = cg::archive::read_tar(text, {}, [&](const cg::archive::Entry& entry) {
    const std::size_t slash = entry.name.find('/');
    if (slash != std::string_view::npos) {
      files.insert_or_assign(std::string(entry.name.substr(slash + 1)), std::string(entry.content));
    }
    return cg::archive::Next::more;
  });
  if (!read || !files.contains("case.json")) return 0;
  const auto c = cg::report::from_json(files.at("case.json"));
  // Digests are put right, so that what lies behind them is reached.
  files["manifest.json"] = evidence::manifest_text(files, c ? c->workflow : "", c ? c->tool : "");
  const evidence::BundleReport report = evidence::verify_bundle(files, {});
  for (const evidence::Break& b : report.breaks) {
    CG_ASSERT(cg::printable(b.file + b.what) == b.file + b.what);
  }
  for (const std::string& line : report.checked) CG_ASSERT(cg::printable(line) == line);
  CG_ASSERT(!report.breaks.empty() || (files.contains("proof/entry.tlog-proof") &&
                                       !files.at("events.jsonl").empty() && c.has_value()));
  return 0;
}
