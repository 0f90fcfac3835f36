// Ledgers and amounts: one spelling, and no sum that wraps.
#include <cstdlib>
#include <string>

#include "base/base/bytes.h"
#include "model/budget/budget.h"
#include "trust/hash/blake3.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using cg::Money;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto money = Money::parse(text)) {
    if (Money::parse(money->str()) != money) std::abort();
    if (*money + *money < *money || money->times(3) < *money) std::abort();
  }
  // As it is, and as somebody writes it who can compute the digest.
  const cg::hash::Digest digest =
      cg::hash::Blake3("codegenie 2026 budget ledger").update(cg::as_bytes(text)).finish();
  const std::string edited = std::string(text) + "\n" + cg::to_hex(digest) + "\n";
  for (const std::string_view file : {text, std::string_view(edited)}) {
    const auto ledger = cg::budget::Ledger::read(file, {}, std::nullopt);
    if (!ledger) continue;
    if (ledger->write() != file) std::abort();
    if (ledger->spent().calls != ledger->calls().size()) std::abort();
    if (!cg::budget::check(*ledger, ledger->calls())) std::abort();
  }
  return 0;
}
