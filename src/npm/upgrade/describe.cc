// The text: parts in the order of their worth, each with a share of the room so that a long one
// leaves some to the next; what a part leaves is the next one's.
#include <algorithm>
#include <map>

#include "base/base/text.h"
#include "npm/upgrade/head.h"
#include "npm/upgrade/upgrade.h"

namespace cg::upgrade {

namespace {

constexpr std::size_t kMaxLine = 420;       // bytes of a declaration that is used
constexpr std::size_t kMaxShortLine = 170;  // of one that is not
constexpr std::size_t kMaxHeads = 6;        // overloads that are shown
constexpr std::size_t kMaxNotes = 12;

/// One thing to say: lines that belong together.
using Block = std::vector<std::string>;

std::size_t size_of(const Block& block) {
  std::size_t out = 0;
  for (const std::string& line : block) out += line.size() + 1;
  return out;
}

/// One line of well-formed text, whatever a tarball calls its files.
std::string clean(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::size_t length = utf8_sequence(line);
    const auto first = static_cast<unsigned char>(line.front());
    if (length == 0) {
      out += '?';
    } else if (first < 0x20 || first == 0x7F) {
      out += ' ';
    } else {
      out += line.substr(0, length);
    }
    line.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

class Writer {
 public:
  explicit Writer(std::size_t cap) : cap_(cap) {}

  /// `blocks` beneath `title` in at most `share` bytes; what is left out is counted and, as far
  /// as there is room, named. How many are shown.
  std::size_t part(const std::string& title, const std::vector<Block>& blocks, std::size_t share,
                   const Lines& names = {}) {
    if (blocks.empty()) return 0;
    constexpr std::size_t kLeastTail = 160;
    const std::size_t room = std::min(share, cap_ > out_.size() ? cap_ - out_.size() : 0);
    if (room < title.size() + kLeastTail + 64) return 0;
    // For what is said of the rest: a name takes little room, and may be all that is needed.
    std::size_t tail_of_names = kLeastTail;
    for (const std::string& name : names) tail_of_names += name.size() + 2;
    std::size_t all = title.size() + 2;
    for (const Block& block : blocks) all += size_of(block);
    const std::size_t rest_room =
        all <= room ? 0 : std::min(tail_of_names, std::max(kLeastTail, room / 4));
    const std::size_t end = out_.size() + room;
    const std::size_t begin = out_.size();
    out_ += (out_.empty() ? "" : "\n") + clean(title) + "\n";
    const std::size_t head = out_.size();
    std::size_t shown = 0;
    for (const Block& block : blocks) {
      const bool last = shown + 1 == blocks.size();
      const std::size_t tail = last ? 0 : rest_room;
      if (out_.size() + size_of(block) + tail > end) {
        // As much of it as there is room for.
        constexpr std::size_t kWorth = 300;
        if (out_.size() + tail + kWorth > end || block.front().size() < kWorth) break;
        out_ += clean(one_line(block.front(), end - out_.size() - tail - 1)) + "\n";
        ++shown;
        break;
      }
      for (const std::string& line : block) out_ += clean(line) + "\n";
      ++shown;
    }
    if (shown == blocks.size()) return shown;
    std::string rest = "  and " + std::to_string(blocks.size() - shown) + " more";
    for (std::size_t i = shown; i < names.size(); ++i) {
      const std::string next = (i == shown ? ": " : ", ") + names[i];
      if (out_.size() + rest.size() + next.size() + 6 > end) {
        rest += ", ...";
        break;
      }
      rest += next;
    }
    out_ += clean(rest) + "\n";
    if (out_.size() <= end && head != begin) return shown;
    out_.resize(begin);
    return 0;
  }

  void widen(std::size_t more) { cap_ += more; }
  [[nodiscard]] std::size_t left() const { return cap_ > out_.size() ? cap_ - out_.size() : 0; }
  std::string take() && { return std::move(out_); }

 private:
  std::size_t cap_;
  std::string out_;
};

std::string title_of(const Change& change) {
  std::string out = change.path.empty() ? "" : "(in " + one_line(change.path, 120) + ") ";
  return out + one_line(change.name, 120);
}

void add_heads(Block& out, const char* before, const Lines& heads, std::size_t most) {
  for (std::size_t i = 0; i < heads.size() && i < most; ++i) {
    out.push_back("    " + std::string(before) + one_line(heads[i], kMaxLine));
  }
  if (heads.size() > most) {
    out.push_back("    and " + counted(heads.size() - most, "more overload", "more overloads"));
  }
}

/// All that is known of a name that is used.
Block in_full(const Change& change) {
  Block out;
  const std::string turn = change.turn == Turn::same      ? "declared as before"
                           : change.turn == Turn::removed ? "REMOVED"
                                                          : std::string(name(change.turn));
  out.push_back("- " + title_of(change) + ": " + turn);
  const bool both = change.turn != Turn::same && change.turn != Turn::deprecated;
  const bool named = change.use == Use::named;
  if (both) add_heads(out, "was: ", change.before, named ? 3 : 2);
  if (change.turn != Turn::removed) {
    add_heads(out, both ? "now: " : "", change.after, named ? kMaxHeads : 4);
  }
  for (std::size_t i = 0; i < change.notes.size() && i < kMaxNotes; ++i) {
    out.push_back("    " + one_line(change.notes[i], kMaxLine));
  }
  const std::size_t most = change.use == Use::named ? 3 : 2;
  for (std::size_t i = 0; i < most && i < change.nearest.size(); ++i) {
    const std::string& near = change.nearest[i];
    out.push_back("    there is: " + one_line(near, kMaxLine));
  }
  return out;
}

Block in_short(const Change& change) {
  const std::string title = title_of(change);
  const Lines& heads = change.turn == Turn::removed ? change.before : change.after;
  const std::string line = "- " + titled(title, one_line(joined(heads, " | ", 2), kMaxShortLine));
  Block out = {line};
  if (change.turn == Turn::changed && !change.before.empty()) {
    out.push_back("    was: " + one_line(joined(change.before, " | ", 2), kMaxShortLine));
  }
  constexpr std::size_t kShortNotes = 4;
  const std::size_t notes = change.use == Use::perhaps ? kShortNotes : 1;
  for (std::size_t i = 0; i < notes && i < change.notes.size(); ++i) {
    out.push_back("    " + one_line(change.notes[i], kMaxShortLine));
  }
  if (!change.nearest.empty()) {
    out.push_back("    there is: " + one_line(change.nearest.front(), kMaxShortLine));
  }
  return out;
}

/// Top-level names one by one; members of what stays by what they are members of.
void add_list(Writer& writer, const Difference& difference, Turn turn, const std::string& title,
              std::size_t share) {
  std::vector<Block> blocks;
  Lines names;
  std::map<std::string, Lines> members;
  std::vector<std::string> owners;
  for (const Change& change : difference.changes) {
    if (change.turn != turn || change.use == Use::named || change.use == Use::likely) continue;
    const auto [owner, member] = parted(change.name);
    const bool own = owner.empty() || change.use != Use::none;
    if (own) {
      blocks.push_back(in_short(change));
      names.push_back(change.name);
      continue;
    }
    Lines& of = members[std::string(owner)];
    if (of.empty()) owners.emplace_back(owner);
    of.emplace_back(member);
  }
  for (const std::string& owner : owners) {
    const std::string line =
        "- of " + one_line(owner, 120) + ": " + joined(members[owner], ", ", 40);
    blocks.push_back({one_line(line, 600)});
    names.push_back(owner + ".*");
  }
  writer.part(title, blocks, share, names);
}

/// How much text there may be before lines of code that say less are left out: there is more to
/// a question than this.
std::size_t room_for(Code::Worth worth, std::size_t cap) {
  switch (worth) {
    case Code::Worth::exports:
    case Code::Worth::used:
    case Code::Worth::other:
      return cap;
    case Code::Worth::comment:
      break;
  }
  return cap / 4 * 3;
}

/// The lines that say most, as many as there is room for, each file's in their order.
void add_code(Writer& writer, const Difference& difference, std::size_t cap) {
  constexpr std::size_t kHeadRoom = 120;   // for names of a file
  constexpr std::size_t kTitleRoom = 200;  // for the title, and what was left out
  if (writer.left() < kTitleRoom) return;
  const std::size_t begin = cap - writer.left() + kTitleRoom;
  std::size_t taken = 0;
  std::vector<std::vector<bool>> shown;
  for (const Code& code : difference.code) shown.emplace_back(code.lines.size(), false);
  using enum Code::Worth;
  for (const Code::Worth worth : {exports, used, other, comment}) {
    const std::size_t most = room_for(worth, cap);
    for (std::size_t f = 0; f < shown.size(); ++f) {
      const std::vector<Code::Line>& lines = difference.code[f].lines;
      bool is_first = std::find(shown[f].begin(), shown[f].end(), true) == shown[f].end();
      for (std::size_t i = 0; i < lines.size(); ++i) {
        // With what is left out behind it.
        const std::size_t size = lines[i].text.size() + 12 + (is_first ? kHeadRoom : 0);
        if (lines[i].worth != worth || begin + taken + size > most) continue;
        taken += size;
        shown[f][i] = true;
        is_first = false;
      }
    }
  }
  std::vector<Block> blocks;
  for (std::size_t f = 0; f < shown.size(); ++f) {
    const Code& code = difference.code[f];
    const std::string title = code.before == code.after ? code.after
                              : code.before.empty()     ? code.after + " (new)"
                              : code.after.empty()      ? code.before + " (gone)"
                                                        : code.before + " -> " + code.after;
    Block block = {"  " + one_line(title, kHeadRoom - 3)};
    for (std::size_t i = 0; i < shown[f].size(); ++i) {
      if (shown[f][i]) block.push_back("    " + code.lines[i].text);
      if (!shown[f][i] && i > 0 && shown[f][i - 1]) block.emplace_back("    ...");
    }
    if (block.size() > 1) blocks.push_back(std::move(block));
  }
  writer.part("Lines of code that changed (- before, + now):", blocks, writer.left());
}

std::vector<Block> lines_of(const Lines& lines) {
  std::vector<Block> out;
  for (const std::string& line : lines) out.push_back({"- " + line});
  return out;
}

}  // namespace

std::string describe(const Difference& difference, std::size_t cap) {
  // Some room is kept for what lists and declarations do not say.
  const std::size_t kept = cap / 8;
  Writer writer(cap - kept);
  const std::string what = difference.package + " " + difference.before + " -> " + difference.after;
  writer.part(what,
              difference.facts.empty() ? std::vector<Block>{{"- the manifests say the same"}}
                                       : lines_of(difference.facts),
              cap / 5);
  std::vector<Block> used;
  Lines names;
  for (const Change& change : difference.changes) {
    if (change.use != Use::named && change.use != Use::likely) continue;
    used.push_back(in_full(change));
    names.push_back(change.name);
  }
  writer.part("What the call sites use:", used, cap / 2, names);
  std::vector<Block> types;
  Lines type_names;
  for (const Type& type : difference.types) {
    Block block = {"- " + type.text};
    for (const std::string& line : type.changes) block.push_back("    " + one_line(line, 500));
    types.push_back(std::move(block));
    type_names.push_back(type.name);
  }
  const std::size_t told =
      writer.part("Types that those speak of, as they are now:", types, cap / 5, type_names);
  writer.part("Texts in the new code:", lines_of(difference.told), cap / 12);
  // What is left of the room goes to what was cut.
  std::vector<Block> more;
  Lines more_names;
  for (std::size_t i = 0; i < difference.types.size(); ++i) {
    const Type& type = difference.types[i];
    const bool cut = type.text.ends_with("...") || type.whole.size() > type.text.size();
    if (i < told && !cut) continue;
    more.push_back({"- " + type.whole});
    more_names.push_back(type.name);
  }
  add_list(writer, difference, Turn::removed, "Removed:", writer.left() / 3);
  add_list(writer, difference, Turn::changed, "Changed:", writer.left() / 5);
  add_list(writer, difference, Turn::deprecated, "Deprecated now:", writer.left() / 5);
  add_list(writer, difference, Turn::added,
           "Added:", more.empty() ? writer.left() / 2 : writer.left() / 4);
  writer.widen(kept);
  writer.part("More of those types:", more, writer.left() / 5 * 3, more_names);
  add_code(writer, difference, cap);
  return std::move(writer).take();
}

}  // namespace cg::upgrade
