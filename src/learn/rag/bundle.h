// Bundle: records on their way to another store, with all that proves them.
//
//   {"checkpoint":…,"key":…,"log":…,"records":[{"id":…,"lines":[…],
//    "paths":[[…],…],"seq":…},…],"schema":"codegenie/rag-bundle/v1","signature":…}
//
// The checkpoint is the origin's signed head, `signature` the operator's SSHSIG over it in the
// namespace of anchors: an anchor that was published serves, else one is made for the export. Each
// line of each record's write comes with its path to the root of that checkpoint. Records that the
// origin had from elsewhere are not handed on, nor those in quarantine.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "learn/example/example.h"
#include "learn/rag/ledger.h"
#include "trust/sign/allowed_signers.h"

namespace cg::rag {

inline constexpr std::size_t kMaxBundle = 256U << 20U;

/// The head that an export is proven against, and who signed it.
struct SignedHead {
  std::string checkpoint;
  std::string signature;  // armoured SSHSIG
};

struct Exported {
  std::string bytes;
  std::size_t records = 0;
  std::size_t left_out = 0;  // in quarantine, imported, or not beneath the head
};
/// `ledger` is read with its lines kept. Of its own records those that count.
[[nodiscard]] Result<Exported, Problem> export_bundle(const Ledger& ledger, const SignedHead& head);

/// An example of a bundle that holds.
struct Carried {
  std::string id;
  std::string text;
  example::Example example;
  std::uint64_t seq = 0;  // in the origin
};
struct Verified {
  std::string log;
  hash::Digest anchor{};  // BLAKE3 of the checkpoint
  hash::Digest digest{};  // BLAKE3 of the bundle
  std::string signer;     // fingerprint
  std::vector<Carried> records;
};
/// All of it holds, by the origin's own key and by a signer whom `signers` allow at `now`; or what
/// does not.
[[nodiscard]] Result<Verified, std::string> read_bundle(std::string_view bytes,
                                                        const sign::AllowedSigners& signers,
                                                        Time now);

/// Whether imported records can still be shown to come from where the log says.
class OriginJudge {
 public:
  /// `rag` may be null: then nothing is kept there. Both must outlive it.
  OriginJudge(const os::Dir* rag, const sign::AllowedSigners& signers)
      : rag_(rag), signers_(&signers) {}
  /// Empty for one that can, and for one that is not imported. A bundle is read once: the log has
  /// its digest from when all of it was verified, so equal bytes are enough.
  [[nodiscard]] std::string why_not(const Entry& entry);

 private:
  [[nodiscard]] std::string judge(const Origin& origin) const;
  const os::Dir* rag_;
  const sign::AllowedSigners* signers_;
  std::map<hash::Digest, std::string> known_;
};

}  // namespace cg::rag
