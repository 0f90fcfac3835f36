// Rules and version keys from untrusted bytes: what is accepted has one spelling.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/base/assert.h"
#include "vuln/advisory/rule.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::advisory;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto view = RuleView::parse(bytes);
  if (!view) {
    CG_ASSERT(view.error().offset <= size && !describe(view.error()).empty());
  } else {
    const PackageRule rule = view->decode();
    CG_ASSERT(encode_rule(rule) == bytes);
    for (const Interval& interval : rule.intervals) {
      CG_ASSERT(view->evaluate(interval.from) == evaluate(rule, interval.from));
      if (interval.to) CG_ASSERT(view->evaluate(*interval.to) == evaluate(rule, *interval.to));
    }
  }
  if (const auto key = VersionKey::parse(bytes)) {
    const std::string text = key->text();
    // A prerelease that is longer than npm reads has a key, and no version.
    if (const auto version = cg::semver::Version::parse(text))
      CG_ASSERT(VersionKey(*version) == *key);
  }
  return 0;
}
