#include "trust/record/checkpoint.h"

#include <algorithm>
#include <cstdlib>

#include "base/base/text.h"
#include "trust/record/tile.h"

namespace cg::record {

namespace {

constexpr std::string_view kOrigin = "codegenie/log/";
constexpr std::string_view kChain = "chain ";

std::string text_of(const TreeHead& head) {
  return origin_of(head.log) + "\n" + std::to_string(head.size) + "\n" + to_base64(head.root) +
         "\n" + std::string(kChain) + to_hex(head.head) + "\n";
}

}  // namespace

std::string origin_of(std::string_view log) { return std::string(kOrigin) + std::string(log); }

std::string sign_checkpoint(const TreeHead& head, const sign::Seed& seed) {
  return sign::write_note(sign::sign_note(text_of(head), origin_of(head.log), seed));
}

std::string describe(CheckpointError error) {
  switch (error) {
    case CheckpointError::malformed:
      return "not a checkpoint of ours";
    case CheckpointError::foreign:
      return "belongs to another log";
    case CheckpointError::unknown_key:
      return "signed by a key that is not this log's";
    case CheckpointError::bad_signature:
      return "its signature does not verify";
  }
  std::abort();
}

Result<TreeHead, CheckpointError> parse_tree_head(std::string_view text) {
  const std::vector<std::string_view> lines = split(text, '\n');
  if (lines.size() != 5 || !lines[4].empty() || !lines[0].starts_with(kOrigin) ||
      !lines[3].starts_with(kChain)) {
    return fail(CheckpointError::malformed);
  }
  const auto log = LogId::parse(lines[0].substr(kOrigin.size()));
  const auto size = parse_u64(lines[1]);
  const auto root = from_base64(lines[2]);
  const auto head = hash::parse_digest(lines[3].substr(kChain.size()));
  if (!log || !size || *size > kMaxTreeSize || !root || root->size() != 32 || !head) {
    return fail(CheckpointError::malformed);
  }
  TreeHead out{log->str(), *size, {}, *head};
  std::copy(root->begin(), root->end(), out.root.begin());
  return out;
}

Result<TreeHead, CheckpointError> open_checkpoint(std::string_view bytes,
                                                  const sign::NoteKey& key) {
  const auto note = sign::parse_note(bytes);
  if (!note || note->signatures.size() != 1) return fail(CheckpointError::malformed);
  CG_TRY_ASSIGN(const TreeHead head, parse_tree_head(note->text));
  if (origin_of(head.log) != key.name()) return fail(CheckpointError::foreign);
  const auto verdict = sign::verify_note(*note, key);
  if (verdict) return head;
  return fail(verdict.error() == sign::NoteError::unknown_key ? CheckpointError::unknown_key
                                                              : CheckpointError::bad_signature);
}

}  // namespace cg::record
