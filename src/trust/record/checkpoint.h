// Checkpoint: the signed head of the log, a C2SP tlog-checkpoint in a signed note.
//
//   codegenie/log/<log id>      origin
//   <entries>
//   <root, base64>
//   chain <head, hex>           ours; other readers pass over it
//
//   — codegenie/log/<log id> <key id and Ed25519 signature, base64>
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/domain/ids.h"
#include "trust/hash/digest.h"
#include "trust/sign/note.h"

namespace cg::record {

/// What a checkpoint says. `head` is the chain after the last of `size` entries.
struct TreeHead {
  std::string log;
  std::uint64_t size = 0;
  hash::Digest root{};
  hash::Digest head{};
  friend bool operator==(const TreeHead&, const TreeHead&) = default;
};

/// "codegenie/log/<log id>": origin of the checkpoint and name of its key.
[[nodiscard]] std::string origin_of(std::string_view log);

[[nodiscard]] std::string sign_checkpoint(const TreeHead& head, const sign::Seed& seed);

enum class CheckpointError {
  malformed,
  foreign,  // of another log
  unknown_key,
  bad_signature,
};
[[nodiscard]] std::string describe(CheckpointError error);

/// The text alone, signature not looked at: what a note claims.
[[nodiscard]] Result<TreeHead, CheckpointError> parse_tree_head(std::string_view text);

/// A checkpoint of the log that `key` signs for. The bytes must be exactly those
/// of sign_checkpoint(): one signature, nothing else.
[[nodiscard]] Result<TreeHead, CheckpointError> open_checkpoint(std::string_view bytes,
                                                                const sign::NoteKey& key);

}  // namespace cg::record
