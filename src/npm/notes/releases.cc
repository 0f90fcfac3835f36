#include "npm/notes/releases.h"

#include <algorithm>
#include <utility>

#include "base/base/text.h"
#include "npm/notes/versions.h"

namespace cg::notes {

namespace {

class ReleaseReader {
 public:
  ReleaseReader(const Reader& reader, const Wanted& wanted, const Names& names,
                std::vector<Unit>& out)
      : reader_(reader), wanted_(wanted), names_(names), out_(out) {}

  void read(std::uint32_t first, std::uint32_t last);

 private:
  /// Where in a changelog a block is.
  struct Section {
    std::uint32_t mark = kNoBlock;  // the heading with the version
    std::uint32_t sub = kNoBlock;
    std::uint32_t lead = kNoBlock;
    std::uint8_t level = 0;
    std::uint8_t tone_level = 0;
    Tone tone = Tone::plain;  // of the headings
    Tone lead_tone = Tone::plain;
    NameBits names = 0;
    bool is_fixes = false;
    bool is_guide = false;  // the mark is no version but a way
    bool is_ours = false;
    Step step = Step::minor;
  };

  void enter(Section& at, std::uint32_t i);
  void add(Section& at, std::uint32_t first, std::uint32_t last);

  const Reader& reader_;
  const Wanted& wanted_;
  const Names& names_;
  std::vector<Unit>& out_;
};

void ReleaseReader::enter(Section& at, std::uint32_t i) {
  const Block& block = reader_.block(i);
  const std::string_view what = reader_.title(i);
  const Tone tone = title_tone_of(what);
  if (const auto release = release_of(what, wanted_)) {
    at = Section{};
    at.mark = i;
    at.level = block.level;
    at.is_ours = release->span && is_between(*release->span, wanted_);
    if (at.is_ours) at.step = step_of(*release->span);
    if (tone == Tone::breaking) at.tone = tone;
    // "* 4.0.0: renamed a to b" says it all in one line.
    const std::size_t colon = block.level == 0 ? what.find(':') : std::string_view::npos;
    if (at.is_ours && colon != std::string_view::npos && has_words(what.substr(colon))) {
      add(at, i, i + 1);
    }
    return;
  }
  const bool is_beside = at.is_guide && block.level == at.level;
  if (at.mark == kNoBlock || block.level < at.level || is_beside) {
    at = Section{};
    // "Migrating from 1.x to 2.x", beside the versions.
    if (topic_of(what) != Topic::upgrade || course_of(what, wanted_) != Course::ours) return;
    at.mark = i;
    at.level = block.level;
    at.is_guide = true;
    at.is_ours = true;
    at.step = Step::major;
    at.tone = Tone::breaking;
    return;
  }
  at.sub = i;
  at.lead = kNoBlock;
  at.lead_tone = Tone::plain;
  at.names = names_.in_title(what);
  at.is_fixes = is_about_fixes(what);
  const bool is_deeper = at.tone == Tone::breaking && block.level > at.tone_level;
  if (is_deeper) return;
  at.tone = tone;
  at.tone_level = block.level;
}

void ReleaseReader::add(Section& at, std::uint32_t first, std::uint32_t last) {
  auto found = reader_.unit(first, last, names_, at.names);
  if (!found) return;
  Tone own = tone_of(found->text);
  const bool is_fix = at.is_fixes || at.step == Step::patch ||
                      is_about_fixes(std::string_view(found->text).substr(0, 12));
  if (own == Tone::hint && is_fix) own = Tone::plain;
  const Tone tone = both(both(at.tone, at.lead_tone), own);
  found->weight = weight_of(tone, found->names != 0, at.step);
  found->kind =
      tone == Tone::breaking || tone == Tone::hint ? Piece::Kind::breaking : Piece::Kind::section;
  if (first != at.mark) found->under = {at.mark, at.sub, at.lead};
  out_.push_back(*std::move(found));
}

void ReleaseReader::read(std::uint32_t first, std::uint32_t last) {
  Section at;
  for (std::uint32_t i = first; i < last;) {
    if (reader_.block(i).shape == Shape::heading) {
      enter(at, i++);
    } else if (!at.is_ours) {
      ++i;
    } else if (reader_.is_lead(i)) {
      at.lead = i;
      at.lead_tone = title_tone_of(lower_ascii(reader_.text(i++, kMaxLead)));
    } else {
      if (reader_.block(i).shape == Shape::paragraph) at.lead = kNoBlock;
      if (at.lead == kNoBlock) at.lead_tone = Tone::plain;
      const std::uint32_t end = std::min(reader_.unit_end(i), last);
      add(at, i, end);
      i = end;
    }
  }
}

}  // namespace

void read_releases(const Reader& reader, std::uint32_t first, std::uint32_t last,
                   const Wanted& wanted, const Names& names, std::vector<Unit>& out) {
  ReleaseReader(reader, wanted, names, out).read(first, last);
}

}  // namespace cg::notes
