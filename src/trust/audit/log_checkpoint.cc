#include <algorithm>
#include <set>

#include "trust/audit/layout.h"
#include "trust/audit/log.h"
#include "trust/audit/problems.h"
#include "trust/record/frame.h"

namespace cg::audit {

namespace {

std::string path_of(const record::Tile& tile) {
  return kTilesDir + "/" + record::tile_path(tile.level, tile.index, tile.hashes.size());
}

Result<Done, Problem> put(const os::Dir& events, const std::string& path, std::string_view bytes) {
  const std::size_t slash = path.rfind('/');
  auto done = slash == std::string::npos ? Result<Done, os::Error>(Done{})
                                         : events.make_dir(path.substr(0, slash));
  if (done) done = events.write_atomic(path, bytes);
  if (!done) return fail(writing(done.error()));
  return Done{};
}

}  // namespace

Result<Done, Problem> Log::write_tiles() {
  for (const record::Tile& tile : full_) CG_TRY(put(*events_, path_of(tile), tile_bytes(tile)));
  for (const record::Tile& tile : tree_.partials()) {
    CG_TRY(put(*events_, path_of(tile), tile_bytes(tile)));
  }
  return Done{};
}

/// Tiles, then the head that needs them, then the state that follows from it: who
/// dies in between leaves more than the old head needs, never less.
Result<record::TreeHead, Problem> Log::checkpoint_locked() {
  if (signed_.size == state_.entries) return signed_;
  const std::vector<record::TilePlace> old_partials = record::partial_tiles(signed_.size);

  CG_TRY(write_tiles());
  const record::TreeHead head{state_.log, tree_.size(), tree_.root(), state_.head};
  CG_TRY(
      put(*events_, kTilesDir + "/" + kCheckpointFile, record::sign_checkpoint(head, key_.seed)));
  full_.clear();
  checkpoint_inode_ = 0;
  CG_TRY(read_checkpoint());
  CG_TRY(put(*events_, kStateFile, record::write_state(state_)));
  if (guard_) {
    CG_TRY(guard_->note({state_.log, state_.entries, state_.head, signed_.size}));
    CG_TRY(guard_->sync());
  }

  std::set<std::string> needed;
  for (const record::Tile& tile : tree_.partials()) needed.insert(path_of(tile));
  for (const record::TilePlace& old : old_partials) {
    const std::string path = kTilesDir + "/" + record::tile_path(old.level, old.index, old.width);
    if (needed.contains(path)) continue;
    const auto removed = events_->remove(path);
    if (!removed) return fail(writing(removed.error()));
  }
  if (file_->end() >= record::kSealAtBytes) CG_TRY(seal());
  return signed_;
}

/// Moves all entries of the open file into a compressed segment. Only entries
/// beneath a checkpoint and in the derived state are ever sealed.
Result<Done, Problem> Log::seal() {
  CG_TRY_ASSIGN(const std::string content, file_->content());
  const auto first = record::parse_entry(std::string_view(content).substr(0, content.find('\n')));
  CG_ASSERT(first);
  const Standing standing = file_->standing();
  const record::SegmentHeader header{first->seq, standing.entries - first->seq, first->prev,
                                     standing.head};
  CG_TRY(put(*events_, kSpanningDir + "/" + record::segment_name(header.first),
             record::seal_segment(header, content)));
  CG_TRY(put(*events_, kSpanningDir + "/" + kAppendFile, ""));
  CG_TRY(open_append_file());
  file_->set_standing(standing);
  return Done{};
}

}  // namespace cg::audit
