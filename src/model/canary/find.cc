// How patterns are found: tables (model/canary/starts.h) say where one may start, and RE2 started
// there says which they are and where they end.
//
// An automaton that may start anywhere (as RE2::Set does unanchored) has a state for every
// combination of half matches, and a text made of the patterns' own words drives it through
// new ones for ever: a hundred times the cost of plain text. Started at one place it has few. So
// each place is asked for itself, the cheapest question first:
//
//   a word begins here?   64 bytes at once become bits of a number; a begin is a bit with none
//                         before it
//   near                  one table for all patterns, of the states nearest to the start; nearly
//                         every word ends it within a few bytes
//   sections              five tables that reach further, each of patterns of like size
//   patterns              of a section, by a table of each
//   RE2, each of those    anchored, in a window of kLongest bytes that ends between words, for
//                         the end of the match
//
// In squeezed text every letter may begin a word. Patterns that are matched as written begin with
// signs; they are few, and one unanchored set does for them.
//
// Who looks at one text should not pay for all that may be in one: tables grow as texts ask
// (starts.h), and of RE2 only what is needed is compiled, when it is.
//
// It is linear: at one place each question costs kLongest looks at most, and Walker makes even a
// text in which every word goes on for long cost little more than one walk.
#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <numeric>

#include "base/base/assert.h"
#include "model/canary/bits.h"
#include "model/canary/patterns.h"
#include "model/canary/starts.h"
#include "model/canary/walker.h"

namespace cg::canary {
namespace {

constexpr std::int64_t kSetMemory = std::int64_t{32} << 20U;
constexpr std::int64_t kPatternMemory = std::int64_t{4} << 20U;
constexpr Starts::Limits kNear = {.states = 28000, .bytes = 13};
constexpr Starts::Limits kAlone = {.states = 4000};
constexpr std::size_t kSections = 5;
constexpr std::size_t kHead = 6;

RE2::Options options(std::int64_t memory) {
  RE2::Options out;
  out.set_encoding(RE2::Options::EncodingLatin1);
  out.set_log_errors(false);
  out.set_never_capture(true);
  out.set_dot_nl(true);
  out.set_max_mem(memory);
  return out;
}

/// Something of each pattern, made when it is first needed: most never is.
template <class T>
class Lazy {
 public:
  explicit Lazy(std::size_t count)
      : count_(count), each_(std::make_unique<std::atomic<const T*>[]>(count)) {}
  ~Lazy() {
    for (std::size_t i = 0; i < count_; ++i) delete each_[i].load();
  }
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;

  template <class Make>
  [[nodiscard]] const T& get(std::size_t index, const Make& make) const {
    std::atomic<const T*>& place = each_[index];
    const T* there = place.load();
    if (there == nullptr) {
      std::unique_ptr<const T> made = make();
      if (place.compare_exchange_strong(there, made.get())) there = made.release();
    }
    return *there;
  }

 private:
  std::size_t count_;
  std::unique_ptr<std::atomic<const T*>[]> each_;
};
/// Of one pattern alone; `regex` says which.
const RE2& compiled(const Lazy<RE2>& all, std::size_t index, const std::string& regex) {
  return all.get(index, [&] {
    RE2::Options longest = options(kPatternMemory);
    longest.set_longest_match(true);
    return std::make_unique<const RE2>(regex, longest);
  });
}

/// Patterns of like size: where they may start, one automaton for all, then one for each.
class Section {
 public:
  Section(const Expressions& all, std::vector<std::size_t> which,
          const std::vector<std::size_t>& patterns, const std::string& (*regex)(const Pattern&))
      : all_(&all),
        which_(std::move(which)),
        regex_(regex),
        starts_(all, which_, {}),
        alone_(which_.size()),
        exact_(which_.size()) {
    for (const std::size_t number : which_) indices_.push_back(patterns[number]);
  }
  [[nodiscard]] const Starts& starts() const { return starts_; }

  void match(std::string_view text, std::size_t at, SourceKind kind,
             std::vector<Found>& out) const {
    const re2::StringPiece window(text.data() + at, window_size(text, at));
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const Pattern& pattern = patterns()[indices_[i]];
      if (!applies(pattern.kinds, kind) || !may_start(text, at, i)) continue;
      re2::StringPiece match;
      const RE2& one = compiled(exact_, i, regex_(pattern));
      if (one.Match(window, 0, window.size(), RE2::ANCHOR_START, &match, 1) && !match.empty())
        out.push_back({indices_[i], {at, at + match.size()}});
    }
  }

 private:
  [[nodiscard]] bool may_start(std::string_view text, std::size_t at, std::size_t one) const {
    const Starts& starts = alone_.get(one, [&] {
      return std::make_unique<const Starts>(*all_, std::vector<std::size_t>{which_[one]}, kAlone);
    });
    return walk(starts, text, at) == Starts::kMaybe;
  }
  /// Not inside a word: half of one would look like the end.
  [[nodiscard]] static std::size_t window_size(std::string_view text, std::size_t at) {
    std::size_t size = std::min(text.size() - at, kLongest);
    if (at + size == text.size()) return size;
    const std::size_t most = size;
    while (size > most - 24 && class_of(text[at + size]) != kGapClass) --size;
    return size;
  }

  const Expressions* all_;
  std::vector<std::size_t> which_;    // of these
  std::vector<std::size_t> indices_;  // the same, of patterns()
  const std::string& (*regex_)(const Pattern&);
  Starts starts_;
  Lazy<Starts> alone_;
  Lazy<RE2> exact_;
};

/// Patterns that begin alike: a table for all, of what is near to the start, and sections. The
/// automaton of all has a state for each combination of half matches of different patterns, those
/// of similar ones together do not. Long ones are the worst.
class Group {
 public:
  /// `regex` of a pattern is empty if it is not of the group.
  explicit Group(const std::string& (*regex)(const Pattern&))
      : patterns_(of_group(regex)),
        regexes_(regexes_of(patterns_, regex)),
        all_(regexes_),
        near_(all_, numbers(regexes_.size()), kNear) {
    std::vector<std::size_t> rest = numbers(regexes_.size());
    std::stable_sort(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) {
      return regexes_[a].size() > regexes_[b].size();
    });
    std::size_t size = 0;
    for (const std::string_view one : regexes_) size += one.size();
    std::vector<std::size_t> section;
    std::size_t used = 0;
    for (const std::size_t number : rest) {
      section.push_back(number);
      used += regexes_[number].size();
      if (used * kSections < size * (sections_.size() + 1)) continue;
      sections_.emplace_back(all_, section, patterns_, regex);
      section.clear();
    }
  }

  /// Whether a match may start at `at`, by its first bytes.
  [[nodiscard]] bool near(std::string_view text, std::size_t at) const {
    const std::size_t end = std::min(text.size(), at + kLongest);
    Starts::State state = Starts::kStart;
    std::size_t i = at;
    // Nearly all end within these, but no two alike: a processor that need not guess where looks at
    // the next place at the same time.
    if (at + kHead <= end) {
      for (std::size_t k = 0; k < kHead; ++k) state = near_.seen(state, text[at + k]);
      i += kHead;
    }
    if (state == Starts::kUnknown) return walk(near_, text, at) == Starts::kMaybe;
    for (; i < end && state > Starts::kMaybe; ++i) state = near_.next(state, text[i]);
    return state == Starts::kMaybe;
  }
  [[nodiscard]] const std::deque<Section>& sections() const { return sections_; }

  /// Patterns of the sections that `may_start` lets through, in order.
  template <class MayStart>
  void match(std::string_view text, std::size_t at, SourceKind kind, const MayStart& may_start,
             std::vector<Found>& out) const {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (may_start(i)) sections_[i].match(text, at, kind, out);
    }
    std::sort(out.begin() + first, out.end(),
              [](const Found& a, const Found& b) { return a.pattern < b.pattern; });
  }

 private:
  static std::vector<std::size_t> numbers(std::size_t count) {
    std::vector<std::size_t> out(count);
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }
  static std::vector<std::size_t> of_group(const std::string& (*regex)(const Pattern&)) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < patterns().size(); ++i) {
      if (!regex(patterns()[i]).empty()) out.push_back(i);
    }
    return out;
  }
  static std::vector<std::string_view> regexes_of(const std::vector<std::size_t>& which,
                                                  const std::string& (*regex)(const Pattern&)) {
    std::vector<std::string_view> out;
    for (const std::size_t pattern : which) out.emplace_back(regex(patterns()[pattern]));
    return out;
  }

  std::vector<std::size_t> patterns_;
  std::vector<std::string_view> regexes_;
  Expressions all_;
  Starts near_;
  std::deque<Section> sections_;
};

const std::string& spaced_regex(const Pattern& pattern) {
  static const std::string none;
  return pattern.of_words ? pattern.regex : none;
}
const std::string& squeezed_regex(const Pattern& pattern) { return pattern.squeezed; }

/// Patterns that are matched as they are written begin with signs, which are too many to look at
/// one by one; and they are too few and too unlike to make many states.
class Exact {
 public:
  Exact() : set_(options(kSetMemory), RE2::UNANCHORED), exact_(patterns().size()) {
    for (std::size_t i = 0; i < patterns().size(); ++i) {
      if (patterns()[i].of_words) continue;
      CG_ASSERT(set_.Add(patterns()[i].regex, nullptr) == static_cast<int>(indices_.size()));
      indices_.push_back(i);
    }
    CG_ASSERT(set_.Compile());
  }

  void match(std::string_view text, SourceKind kind, std::size_t most,
             std::vector<Found>& out) const {
    const re2::StringPiece all(text.data(), text.size());
    std::vector<int> which;
    RE2::Set::ErrorInfo error{};
    if (!set_.Match(all, &which, &error)) {
      if (error.kind == RE2::Set::kNoError) return;
      which.resize(indices_.size());  // the automaton of all grew too large: each alone does not
      std::iota(which.begin(), which.end(), 0);
    }
    for (const int index : which) {
      const std::size_t pattern = indices_[static_cast<std::size_t>(index)];
      if (!applies(patterns()[pattern].kinds, kind)) continue;
      const RE2& one = compiled(exact_, pattern, patterns()[pattern].regex);
      std::size_t from = 0;
      re2::StringPiece found;
      while (out.size() < most && from < text.size() &&
             one.Match(all, from, text.size(), RE2::UNANCHORED, &found, 1)) {
        const auto begin = static_cast<std::size_t>(found.data() - text.data());
        from = begin + std::max<std::size_t>(found.size(), 1);
        if (!found.empty()) out.push_back({pattern, {begin, from}});
      }
    }
  }

 private:
  RE2::Set set_;
  std::vector<std::size_t> indices_;
  Lazy<RE2> exact_;
};
const Group& words() {
  static const Group group(spaced_regex);
  return group;
}
const Exact& exact() {
  static const Exact group;
  return group;
}
const Group& squeezed_words() {
  static const Group group(squeezed_regex);
  return group;
}

/// Bit i: text[block + i] is of a word.
std::uint64_t word_bits(std::string_view text, std::size_t block) {
  std::array<std::uint8_t, 64> bytes{};
  text.copy(reinterpret_cast<char*>(bytes.data()), bytes.size(), block);
  for (std::uint8_t& c : bytes) {
    const auto letter = static_cast<std::uint8_t>(c - 'a');
    const auto digit = static_cast<std::uint8_t>(c - '0');
    c = static_cast<std::uint8_t>((letter < 26 ? 1 : 0) | (digit < 10 ? 1 : 0));
  }
  return low_bits(bytes);
}

}  // namespace

void find(std::string_view text, Spacing spacing, SourceKind kind, std::size_t most,
          std::vector<Found>& out) {
  out.clear();
  if (spacing == Spacing::squeezed) {
    const Group& group = squeezed_words();
    const auto all = [](std::size_t) { return true; };
    for (std::size_t i = 0; i < text.size() && out.size() < most; ++i) {
      if (group.near(text, i)) group.match(text, i, kind, all, out);
    }
    return;
  }
  if (spacing == Spacing::spaced) exact().match(text, kind, most, out);
  const Group& group = words();
  std::vector<Walker> walkers;
  std::uint64_t before = 0;  // whether a word goes on into the block
  const auto match = [&](std::size_t at) {
    if (!group.near(text, at)) return;
    if (walkers.empty()) {
      for (const Section& section : group.sections()) walkers.emplace_back(section.starts());
    }
    const auto may_start = [&](std::size_t i) { return walkers[i].may_start(text, at); };
    group.match(text, at, kind, may_start, out);
  };
  for (std::size_t block = 0; block < text.size() && out.size() < most; block += 64) {
    const std::uint64_t words = word_bits(text, block);
    for (std::uint64_t rest = words & ~(words << 1U | before); rest != 0 && out.size() < most;
         rest &= rest - 1) {
      match(block + static_cast<std::size_t>(std::countr_zero(rest)));
    }
    before = words >> 63U;
  }
}

}  // namespace cg::canary
