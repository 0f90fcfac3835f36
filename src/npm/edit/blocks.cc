#include "npm/edit/blocks.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::edit {

namespace {

std::string_view cut(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  return text.substr(begin, end - begin);
}

std::string_view key_after(const Block& block) { return block.rekey ? *block.rekey : block.key; }

}  // namespace

std::string arrange(std::string_view text, const std::vector<Block>& blocks) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].removed) order.push_back(i);
  }
  const bool sorted = std::is_sorted(blocks.begin(), blocks.end(),
                                     [](const Block& a, const Block& b) { return a.key < b.key; });
  if (sorted) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return key_after(blocks[a]) < key_after(blocks[b]);
    });
  }
  // What stood between the first two stands behind the last one, should it move up.
  const std::string_view usual =
      blocks.size() < 2 ? "" : cut(text, blocks[0].at.end, blocks[1].at.begin);
  std::string out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Block& block = blocks[order[i]];
    out += block.text ? std::string_view(*block.text) : cut(text, block.at.begin, block.at.end);
    if (i + 1 == order.size()) break;
    const bool last = order[i] + 1 == blocks.size();
    out += last ? usual : cut(text, block.at.end, blocks[order[i] + 1].at.begin);
  }
  return out;
}

std::string patched(std::string_view text, npm::Span at,
                    const std::vector<lockfile::Change>& changes) {
  std::string out;
  std::uint32_t written = at.begin;
  auto change = std::lower_bound(
      changes.begin(), changes.end(), at.begin,
      [](const lockfile::Change& a, std::uint32_t begin) { return a.where.begin < begin; });
  for (; change != changes.end() && change->where.end <= at.end; ++change) {
    out += cut(text, written, change->where.begin);
    out += change->text;
    written = change->where.end;
  }
  out += cut(text, written, at.end);
  return out;
}

std::string_view line_end(std::string_view text) {
  const std::size_t at = text.find('\n');
  const bool two = at != std::string_view::npos && at > 0 && text[at - 1] == '\r';
  return two ? "\r\n" : "\n";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out = split(text, '\n');
  for (std::string_view& line : out) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return out;
}

Result<Done, EditError> check_removed(const FlatTree& tree, const LockEdit& edit) {
  std::vector<std::string> expected;
  for (const npm::NodeId id : tree.orphans()) expected.emplace_back(tree.node(id).location);
  std::vector<std::string> removed = edit.removed;
  std::sort(expected.begin(), expected.end());
  std::sort(removed.begin(), removed.end());
  std::vector<std::string> odd;
  std::set_symmetric_difference(expected.begin(), expected.end(), removed.begin(), removed.end(),
                                std::back_inserter(odd));
  if (odd.empty()) return Done{};
  const bool kept = std::binary_search(expected.begin(), expected.end(), odd.front());
  return fail(EditError{EditError::Kind::shape,
                        printable("`" + odd.front() + "`" +
                                  (kept ? " would be left without anyone asking for it"
                                        : " is to be removed, but is asked for"))});
}

}  // namespace cg::edit
