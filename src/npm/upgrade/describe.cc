// The text: parts, each with a share of the room so that a long one leaves some to the next; what a
// part leaves is the next one's. They stand in the order in which they are read; room is given
// first to what call sites use, then to names, then to types and lines of code, which take what is
// left. Of what nobody uses there are names, since a name may be all that is looked for.
#include <algorithm>
#include <map>
#include <set>

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
/// What was declared already.
using Known = std::set<std::string, std::less<>>;

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

/// `blocks` beneath `title` in at most `room` bytes; what is left out is counted and, as far as
/// there is room, named. Empty if there is nothing to say or no room to.
std::string part(const std::string& title, const std::vector<Block>& blocks, std::size_t room,
                 const Lines& names = {}) {
  constexpr std::size_t kLeastTail = 160;
  if (blocks.empty() || room < title.size() + kLeastTail + 64) return {};
  // For what is said of the rest: a name takes little room, and may be all that is needed.
  std::size_t tail_of_names = kLeastTail;
  for (const std::string& name : names) tail_of_names += name.size() + 2;
  std::size_t all = title.size() + 2;
  for (const Block& block : blocks) all += size_of(block);
  const std::size_t rest_room =
      all <= room ? 0 : std::min(tail_of_names, std::max(kLeastTail, room / 4));
  std::string out = clean(title) + "\n";
  std::size_t shown = 0;
  for (const Block& block : blocks) {
    const bool last = shown + 1 == blocks.size();
    const std::size_t tail = last ? 0 : rest_room;
    if (out.size() + size_of(block) + tail > room) {
      // As much of it as there is room for.
      constexpr std::size_t kWorth = 300;
      if (out.size() + tail + kWorth > room || block.front().size() < kWorth) break;
      out += clean(one_line(block.front(), room - out.size() - tail - 1)) + "\n";
      ++shown;
      break;
    }
    for (const std::string& line : block) out += clean(line) + "\n";
    ++shown;
  }
  if (shown == blocks.size()) return out;
  if (shown == 0 && names.empty()) return {};
  std::string rest = "  and " + std::to_string(blocks.size() - shown) + " more";
  for (std::size_t i = shown; i < names.size(); ++i) {
    const std::string next = (i == shown ? ": " : ", ") + names[i];
    if (out.size() + rest.size() + next.size() + 6 > room) {
      rest += ", ...";
      break;
    }
    rest += next;
  }
  out += clean(rest) + "\n";
  return out.size() <= room ? out : std::string();
}

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

/// What there is in the place of something; declared once, then said by its name.
void add_near(Block& out, const Lines& nearest, std::size_t count, std::size_t most, Known& known) {
  constexpr std::size_t kAgain = 60;
  for (std::size_t i = 0; i < count && i < nearest.size(); ++i) {
    const bool again = !known.insert(nearest[i]).second;
    out.push_back("    there is: " + one_line(nearest[i], again ? kAgain : most));
  }
}

/// All that is known of a name that is used.
Block in_full(const Change& change, Known& known) {
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
  add_near(out, change.nearest, named ? 3 : 2, kMaxLine, known);
  return out;
}

Block in_short(const Change& change, Known& known) {
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
  add_near(out, change.nearest, 1, kMaxShortLine, known);
  return out;
}

/// What nobody uses, by name; members of what stays by what they are members of.
struct Others {
  Lines names;
  Lines owners;  // of members
  std::map<std::string, Lines> members;

  void add(const Change& change) {
    const auto [owner, member] = parted(change.name);
    if (owner.empty()) return names.push_back(change.name);
    Lines& of = members[std::string(owner)];
    if (of.empty()) owners.emplace_back(owner);
    of.emplace_back(member);
  }

  void add_to(std::vector<Block>& blocks) const {
    constexpr std::size_t kMostNames = 120;
    constexpr std::size_t kMostMembers = 40;
    constexpr std::size_t kMostBytes = 2000;
    if (!names.empty()) {
      blocks.push_back(
          {one_line("- not used here: " + joined(names, ", ", kMostNames), kMostBytes)});
    }
    for (const std::string& owner : owners) {
      const Lines& of = members.at(owner);
      const std::string line =
          "- of " + one_line(owner, 120) + ": " + joined(of, ", ", kMostMembers);
      blocks.push_back({one_line(line, 600)});
    }
  }
};

/// Of what nobody uses, and that is at the top: so few that they are declared as they are.
bool are_few(const Difference& difference, Turn turn) {
  constexpr std::ptrdiff_t kFew = 4;
  return std::count_if(difference.changes.begin(), difference.changes.end(),
                       [&](const Change& change) {
                         return change.turn == turn && change.use == Use::none &&
                                parted(change.name).first.empty();
                       }) <= kFew;
}

/// What may be used one by one, the rest by its name.
std::string list(const Difference& difference, Turn turn, const std::string& title,
                 std::size_t room, Known& known) {
  std::vector<Block> blocks;
  Others others;
  const bool few = are_few(difference, turn);
  for (const Change& change : difference.changes) {
    if (change.turn != turn || change.use == Use::named || change.use == Use::likely) continue;
    const bool top = parted(change.name).first.empty();
    // Who deprecates something says what to use instead.
    if (change.use != Use::none || turn == Turn::deprecated || (top && few)) {
      blocks.push_back(in_short(change, known));
    } else if (top || turn != Turn::changed) {
      others.add(change);
    }
  }
  others.add_to(blocks);
  return part(title, blocks, room);
}

/// Declarations of values that are new at the top, as many as there is room for.
std::string added(const Difference& difference, std::size_t room, Known& known) {
  std::vector<Block> blocks;
  std::size_t all = 0;
  if (are_few(difference, Turn::added)) return {};
  for (const Change& change : difference.changes) {
    const bool top = parted(change.name).first.empty();
    if (change.turn != Turn::added || change.use != Use::none || !top || change.erased) continue;
    blocks.push_back(in_short(change, known));
    all += size_of(blocks.back());
    if (all > room) break;
  }
  return part("Some of those that were added:", blocks, room);
}

/// Each type once, what is used of it first, and as much of the rest as there is room for.
std::string types_in(const std::vector<Type>& types, std::size_t room) {
  std::vector<Block> blocks;
  Lines names;
  std::size_t all = 128;
  constexpr std::size_t kFirst = 280;  // bytes: what is used of it
  for (const Type& type : types) {
    const bool brief = type.text.size() > kFirst && !type.brief.empty();
    Block block = {"- " + (brief ? type.brief : one_line(type.text, kFirst))};
    for (const std::string& line : type.changes) block.push_back("    " + one_line(line, 500));
    all += size_of(block);
    blocks.push_back(std::move(block));
    names.push_back(type.name);
  }
  // All that is used of each, before all that one has.
  const auto grow = [&](std::size_t i, const std::string& to) {
    const std::size_t has = blocks[i].front().size() - 2;
    if (to.size() <= has || all + (to.size() - has) > room) return;
    all += to.size() - has;
    blocks[i].front() = "- " + to;
  };
  for (std::size_t i = 0; i < types.size(); ++i) grow(i, types[i].text);
  for (std::size_t i = 0; i < types.size(); ++i) grow(i, types[i].whole);
  return part("Types that those speak of, as they are now:", blocks, room, names);
}

/// The lines that say most, as many as there is room for, each file's in their order.
std::string code_in(const std::vector<Code>& all, std::size_t room) {
  constexpr std::size_t kHeadRoom = 120;  // for names of a file
  constexpr std::size_t kTitleRoom = 80;
  if (room < kTitleRoom) return {};
  std::size_t taken = kTitleRoom;
  bool whole = true;
  std::vector<std::vector<bool>> shown;
  for (const Code& code : all) shown.emplace_back(code.lines.size(), false);
  using enum Code::Worth;
  for (const Code::Worth worth : {exports, said, named, inside, used, other, comment}) {
    for (std::size_t f = 0; f < shown.size(); ++f) {
      const std::vector<Code::Line>& lines = all[f].lines;
      bool is_first = std::find(shown[f].begin(), shown[f].end(), true) == shown[f].end();
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].worth != worth) continue;
        const std::size_t size = lines[i].text.size() + 5 + (is_first ? kHeadRoom : 0);
        if (taken + size > room) {
          whole = false;
          continue;
        }
        taken += size;
        shown[f][i] = true;
        is_first = false;
      }
    }
  }
  std::vector<Block> blocks;
  for (std::size_t f = 0; f < shown.size(); ++f) {
    const Code& code = all[f];
    const std::string title = code.before == code.after ? code.after
                              : code.before.empty()     ? code.after + " (new)"
                              : code.after.empty()      ? code.before + " (gone)"
                                                        : code.before + " -> " + code.after;
    Block block = {"  " + one_line(title, kHeadRoom - 3)};
    for (std::size_t i = 0; i < shown[f].size(); ++i) {
      if (shown[f][i]) block.push_back("    " + code.lines[i].text);
    }
    if (block.size() > 1) blocks.push_back(std::move(block));
  }
  const char* some = whole ? "" : ", not all of them";
  return part(std::string("Lines of code that changed (- before, + now") + some + "):", blocks,
              room);
}

std::vector<Block> lines_of(const Lines& lines) {
  std::vector<Block> out;
  for (const std::string& line : lines) out.push_back({"- " + line});
  return out;
}

}  // namespace

std::string describe(const Difference& difference, std::size_t cap) {
  std::size_t left = cap;
  const auto take = [&](std::string text) {
    if (!text.empty()) left -= text.size() + 1;  // with an empty line
    return text;
  };
  const std::string what = difference.package + " " + difference.before + " -> " + difference.after;
  const std::string facts =
      take(part(what,
                difference.facts.empty() ? std::vector<Block>{{"- the manifests say the same"}}
                                         : lines_of(difference.facts),
                std::min(left, cap / 5)));
  Known known;
  std::vector<Block> blocks;
  Lines names;
  for (const Change& change : difference.changes) {
    if (change.use != Use::named && change.use != Use::likely) continue;
    blocks.push_back(in_full(change, known));
    names.push_back(change.name);
  }
  const std::string used =
      take(part("What the call sites use:", blocks, std::min(left, cap / 2), names));
  const std::string told =
      take(part("Texts in the new code:", lines_of(difference.told), std::min(left, cap / 12)));
  const std::string removed = take(list(difference, Turn::removed, "Removed:", left / 4, known));
  const std::string changed = take(list(difference, Turn::changed, "Changed:", left / 6, known));
  const std::string deprecated =
      take(list(difference, Turn::deprecated, "Deprecated now:", left / 6, known));
  const std::string more = take(list(difference, Turn::added, "Added:", left / 4, known));
  const std::string types = take(types_in(difference.types, left / 5 * 3));
  const std::string details = take(added(difference, left / 4, known));
  const std::string code = take(code_in(difference.code, left));
  std::string out;
  for (const std::string* text :
       {&facts, &used, &types, &told, &removed, &changed, &deprecated, &more, &details, &code}) {
    if (!text->empty()) out += (out.empty() ? "" : "\n") + *text;
  }
  return out;
}

}  // namespace cg::upgrade
