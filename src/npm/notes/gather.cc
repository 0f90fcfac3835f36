#include "npm/notes/gather.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/base/text.h"
#include "npm/notes/releases.h"
#include "npm/notes/versions.h"

namespace cg::notes {

namespace {

/// By the language that its fence names, or by what it begins with: what is typed, not called.
bool is_shell(std::string_view code) {
  static constexpr std::array<std::string_view, 6> kLanguages = {"sh",      "bash", "shell",
                                                                 "console", "zsh",  "html"};
  const std::string_view fence = code.substr(0, std::min(code.find('\n'), code.size()));
  const std::size_t marks = fence_of(fence);
  const std::string_view language = trim(trim(fence).substr(marks));
  if (marks > 0 && std::find(kLanguages.begin(), kLanguages.end(), language) != kLanguages.end()) {
    return true;
  }
  const std::string_view first = trim(marks > 0 ? code.substr(fence.size()) : code);
  return first.starts_with("npm ") || first.starts_with("yarn ") || first.starts_with("pnpm ") ||
         first.starts_with("npx ") || first.starts_with("$ ");
}

/// What is known of each heading above a block, by level.
template <class T>
class ByLevel {
 public:
  explicit ByLevel(T root) { values_.fill(root); }
  [[nodiscard]] const T& above(std::uint8_t level) const {
    return values_.at(level == 0 ? 0 : level - 1U);
  }
  [[nodiscard]] const T& here() const { return values_.back(); }
  void enter(std::uint8_t level, const T& value) {
    std::fill(values_.begin() + level, values_.end(), value);
  }

 private:
  std::array<T, 7> values_;
};

class Gatherer {
 public:
  Gatherer(const Source& source, std::size_t index, const Wanted& wanted, const Names& names,
           std::vector<Unit>& out)
      : reader_(source, index), wanted_(wanted), names_(names), out_(out) {}

  void read_changelog() { read_releases(reader_, 0, reader_.size(), wanted_, names_, out_); }
  void read_guide();
  void read_readme();

 private:
  /// Of headings above a block in a guide or a README.
  struct Chapter {
    Topic topic = Topic::none;
    Course course = Course::unsaid;
    std::uint32_t said_by = kNoBlock;  // the heading that told the course
    Tone tone = Tone::plain;
    NameBits names = 0;
  };

  [[nodiscard]] Chapter chapter_of(std::uint32_t i, const Chapter& above) const;
  [[nodiscard]] std::uint32_t section_end(std::uint32_t i) const;
  [[nodiscard]] bool has_releases(std::uint32_t first, std::uint32_t last) const;
  bool weigh_readme(Unit& unit, const Chapter& chapter, Tone lead_tone) const;
  [[nodiscard]] Weight usage_weight(const Unit& unit, const Chapter& chapter) const;

  Reader reader_;
  const Wanted& wanted_;
  const Names& names_;
  std::vector<Unit>& out_;
};

Gatherer::Chapter Gatherer::chapter_of(std::uint32_t i, const Chapter& above) const {
  const std::string_view what = reader_.title(i);
  Chapter out = above;
  const auto release = release_of(what, wanted_);
  Course course = course_of(what, wanted_);
  if (release && release->span) {
    course = is_between(*release->span, wanted_) ? Course::ours : Course::another;
  }
  if (course != Course::unsaid) {
    out.course = course;
    out.said_by = i;
  }
  const Topic topic = topic_of(what);
  if (topic != Topic::none) out.topic = topic;
  out.tone = readme_tone_of(what);
  const NameBits names = names_.in_title(what);
  if (names != 0 && reader_.block(i).level > 1) out.names = names;
  return out;
}

void Gatherer::read_guide() {
  Chapter root;
  root.course = course_of(stem_of(reader_.path()), wanted_);
  ByLevel<Chapter> chapters(root);
  bool has_ours = root.course == Course::ours;
  bool has_another = root.course == Course::another;
  for (std::uint32_t i = 0; i < reader_.size(); ++i) {
    if (reader_.block(i).shape != Shape::heading) continue;
    const Course course = chapter_of(i, root).course;
    has_ours = has_ours || course == Course::ours;
    has_another = has_another || course == Course::another;
  }
  std::uint32_t heading = kNoBlock;
  std::uint32_t lead = kNoBlock;
  for (std::uint32_t i = 0; i < reader_.size();) {
    const Block& block = reader_.block(i);
    if (block.shape == Shape::heading) {
      chapters.enter(block.level, chapter_of(i, chapters.above(block.level)));
      heading = i++;
      lead = kNoBlock;
      continue;
    }
    const Chapter& chapter = chapters.here();
    const bool is_whole = chapter.course == Course::unsaid && !has_ours && !has_another;
    if (chapter.course != Course::ours && !is_whole) {
      ++i;
      continue;
    }
    if (reader_.is_lead(i)) {
      lead = i++;
      continue;
    }
    if (block.shape == Shape::paragraph) lead = kNoBlock;
    const std::uint32_t end = reader_.unit_end(i);
    if (auto found = reader_.unit(i, end, names_, chapter.names)) {
      found->kind = Piece::Kind::migration;
      if (!has_own_words(found->text)) found->names = 0;  // a table of contents
      found->weight = found->names != 0 ? Weight::named_guide : Weight::guide;
      found->under = {chapter.said_by, heading == chapter.said_by ? kNoBlock : heading, lead};
      out_.push_back(*std::move(found));
    }
    i = end;
  }
}

std::uint32_t Gatherer::section_end(std::uint32_t i) const {
  std::uint32_t end = i + 1;
  while (end < reader_.size() && (reader_.block(end).shape != Shape::heading ||
                                  reader_.block(end).level > reader_.block(i).level)) {
    ++end;
  }
  return end;
}

bool Gatherer::has_releases(std::uint32_t first, std::uint32_t last) const {
  for (std::uint32_t i = first; i < last; ++i) {
    const bool is_heading = reader_.block(i).shape == Shape::heading;
    if (is_heading && release_of(reader_.title(i), wanted_)) return true;
  }
  return false;
}

Weight Gatherer::usage_weight(const Unit& unit, const Chapter& chapter) const {
  const bool has_code = reader_.block(unit.last - 1).shape == Shape::code;
  if (has_code) {
    if (is_shell(reader_.text(unit.last - 1, kMaxUnit)) && !names_.imports(unit.text)) {
      return chapter.topic == Topic::usage ? Weight::aside : Weight::noise;
    }
    if (unit.names != 0 || chapter.names != 0) return Weight::named_example;
    return names_.imports(unit.text) ? Weight::example : Weight::aside;
  }
  const Shape shape = reader_.block(unit.first).shape;
  const bool explains =
      shape == Shape::paragraph
          ? chapter.names != 0 && reader_.block(unit.first - 1).shape == Shape::heading
          : names_.at_start(unit.text) != 0;
  if (explains) return Weight::named_option;
  if (chapter.names != 0) return unit.names != 0 ? Weight::named_option : Weight::described;
  return unit.names != 0 ? Weight::named_prose : Weight::aside;
}

/// False if the unit is not to be shown.
bool Gatherer::weigh_readme(Unit& unit, const Chapter& chapter, Tone lead_tone) const {
  if (chapter.course == Course::another) return false;
  if (chapter.topic == Topic::aside) {
    unit.kind = Piece::Kind::usage;
    // What was taken out of a package may be one of those that stand beside it.
    unit.weight = Weight::described;
    if (names_.lists_kin(unit.text)) return true;
    unit.weight = Weight::example;
    return reader_.block(unit.last - 1).shape == Shape::code && names_.imports(unit.text);
  }
  if (chapter.topic == Topic::upgrade) {
    unit.kind = Piece::Kind::migration;
    unit.weight = (unit.names | chapter.names) != 0 ? Weight::named_guide : Weight::guide;
    return true;
  }
  const Tone tone = both(both(chapter.tone, lead_tone), readme_tone_of(unit.text));
  if (tone != Tone::plain) {
    unit.kind = Piece::Kind::breaking;
    unit.weight = weight_of(tone, unit.names != 0, Step::major);
    return true;
  }
  unit.kind = Piece::Kind::usage;
  unit.weight = usage_weight(unit, chapter);
  unit.names |= chapter.names;
  return unit.weight < Weight::aside || has_own_words(unit.text);
}

void Gatherer::read_readme() {
  ByLevel<Chapter> chapters((Chapter()));
  std::uint32_t heading = kNoBlock;
  std::uint32_t lead = kNoBlock;
  Tone lead_tone = Tone::plain;
  for (std::uint32_t i = 0; i < reader_.size();) {
    const Block& block = reader_.block(i);
    if (block.shape == Shape::heading) {
      Chapter chapter = chapter_of(i, chapters.above(block.level));
      if (heading == kNoBlock && block.level == 1) chapter = Chapter();  // what it is called
      chapters.enter(block.level, chapter);
      heading = i++;
      lead = kNoBlock;
      if (chapter.topic != Topic::releases) continue;
      const std::uint32_t end = section_end(heading);
      if (!has_releases(i, end)) continue;
      read_releases(reader_, i, end, wanted_, names_, out_);
      i = end;
      continue;
    }
    if (reader_.is_lead(i)) {
      lead = i;
      lead_tone = readme_tone_of(reader_.text(i++, kMaxLead));
      continue;
    }
    if (block.shape == Shape::paragraph) lead = kNoBlock;
    const std::uint32_t end = reader_.unit_end(i);
    auto found = reader_.unit(i, end, names_, 0);
    if (found &&
        weigh_readme(*found, chapters.here(), lead == kNoBlock ? Tone::plain : lead_tone)) {
      found->under = {kNoBlock, heading, lead};
      out_.push_back(*std::move(found));
    }
    i = end;
  }
}

}  // namespace

void gather(const std::vector<Source>& sources, const Wanted& wanted, const Names& names,
            std::vector<Unit>& out) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Gatherer gatherer(sources[i], i, wanted, names, out);
    switch (sources[i].role) {
      case Role::changelog:
        gatherer.read_changelog();
        break;
      case Role::guide:
        gatherer.read_guide();
        break;
      case Role::readme:
        gatherer.read_readme();
        break;
    }
  }
}

}  // namespace cg::notes
