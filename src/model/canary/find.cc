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
//   RE2, all patterns     anchored, in a window of kLongest bytes that ends between words
//   RE2, each of those    for the end of the match
//
// In squeezed text every letter may begin a word, and there are no sections. Patterns that are
// matched as written begin with signs; they are few, and one unanchored set does for them.
//
// It is linear: at one place each question costs kLongest looks at most, and Walker makes even a
// text in which every word goes on for long cost little more than one walk.
#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <optional>

#include "base/base/assert.h"
#include "model/canary/bits.h"
#include "model/canary/patterns.h"
#include "model/canary/starts.h"

namespace cg::canary {
namespace {

constexpr std::int64_t kSetMemory = std::int64_t{32} << 20U;
constexpr std::int64_t kPatternMemory = std::int64_t{4} << 20U;
constexpr std::size_t kLongest = 192;  // bytes of a match
constexpr std::size_t kNearStates = 28000;
constexpr std::size_t kNearSqueezed = 8000;
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

/// Each pattern for itself, compiled when it is first found: most never are.
class Lazy {
 public:
  explicit Lazy(std::size_t count)
      : count_(count), each_(std::make_unique<std::atomic<const RE2*>[]>(count)) {}
  ~Lazy() {
    for (std::size_t i = 0; i < count_; ++i) delete each_[i].load();
  }
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;

  [[nodiscard]] const RE2& get(std::size_t index, const std::string& regex) const {
    std::atomic<const RE2*>& place = each_[index];
    const RE2* there = place.load();
    if (there == nullptr) {
      RE2::Options longest = options(kPatternMemory);
      longest.set_longest_match(true);
      auto made = std::make_unique<const RE2>(regex, longest);
      if (place.compare_exchange_strong(there, made.get())) there = made.release();
    }
    return *there;
  }
  [[nodiscard]] std::vector<int> everything() const {
    std::vector<int> out(count_);
    for (std::size_t i = 0; i < count_; ++i) out[i] = static_cast<int>(i);
    return out;
  }

 private:
  std::size_t count_;
  std::unique_ptr<std::atomic<const RE2*>[]> each_;
};

/// An automaton walked from many places of a text. Two walks that come to the same state at the
/// same place go on alike, so the second takes over where the first ended: a text of words that
/// could all go on for ever costs a walk, not one from each word.
class Walker {
 public:
  explicit Walker(const Starts& starts) : starts_(&starts) {}

  /// Whether a match may start at `at`; the places of one text in order.
  [[nodiscard]] bool may_start(std::string_view text, std::size_t at) {
    const std::size_t end = std::min(text.size(), at + kLongest);
    const auto own = static_cast<std::uint16_t>(walks_++ % kKept);
    Front front{static_cast<std::uint32_t>(at), Starts::kStart};
    heirs_[own] = own;
    while (front.at < end && front.state > Starts::kMaybe) {
      if (class_of(text[front.at]) == kGapClass) {
        if (const Mark* const mark = mark_at(front)) {
          front = taken_over(mark->walk, own);
          continue;
        }
        marks_[front.at % kKept][own % kWays] = {front.at, front.state, own};
      }
      front.state = starts_->next(front.state, text[front.at]);
      ++front.at;
    }
    fronts_[own] = front;
    return front.state == Starts::kMaybe;
  }

 private:
  static constexpr std::size_t kKept = 256;
  static_assert(kKept > kLongest);         // a mark ahead of a walk is of one of the last kLongest
  static constexpr std::size_t kWays = 2;  // of marks at a place
  struct Front {
    std::uint32_t at = 0;
    Starts::State state = Starts::kNo;
  };
  struct Mark {
    std::uint32_t at = UINT32_MAX;
    Starts::State state = Starts::kNo;
    std::uint16_t walk = 0;
  };
  /// Where `walk` ended, or what took it over. An heir is always newer, so it is never one that has
  /// been forgotten; and it is always ahead of the marks of those that it took over.
  [[nodiscard]] Front taken_over(std::uint16_t walk, std::uint16_t by) {
    while (heirs_[walk] != walk) {
      heirs_[walk] = heirs_[heirs_[walk]];
      walk = heirs_[walk];
    }
    heirs_[walk] = by;
    return fronts_[walk];
  }
  [[nodiscard]] const Mark* mark_at(const Front& front) const {
    for (const Mark& mark : marks_[front.at % kKept]) {
      if (mark.at == front.at && mark.state == front.state) return &mark;
    }
    return nullptr;
  }

  const Starts* starts_;
  std::size_t walks_ = 0;
  std::array<std::array<Mark, kWays>, kKept> marks_{};
  std::array<Front, kKept> fronts_{};
  std::array<std::uint16_t, kKept> heirs_{};
};

/// Patterns that begin alike: where they may start, one automaton for all, one for each.
class Group {
 public:
  Group() = default;
  ~Group() { delete set_.load(); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  void add(std::size_t pattern, const std::string& regex) {
    indices_.push_back(pattern);
    regexes_.emplace_back(regex);
  }
  void compile(std::size_t near_states) {
    alone_ = std::make_unique<Lazy>(indices_.size());
    near_.emplace(regexes_, near_states);
  }
  /// In sections: the automaton of all has a state for each combination of half matches of
  /// different patterns, those of similar ones together do not. Long ones are the worst.
  void compile_sections() {
    std::vector<std::string_view> rest = regexes_;
    std::stable_sort(rest.begin(), rest.end(),
                     [](std::string_view a, std::string_view b) { return a.size() > b.size(); });
    std::size_t size = 0;
    for (const std::string_view regex : rest) size += regex.size();
    std::vector<std::string_view> section;
    std::size_t used = 0;
    for (const std::string_view regex : rest) {
      section.push_back(regex);
      used += regex.size();
      if (used * kSections < size * (sections_.size() + 1)) continue;
      sections_.emplace_back(section);
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
      for (std::size_t k = 0; k < kHead; ++k) state = near_->next(state, text[at + k]);
      i += kHead;
    }
    for (; i < end && state > Starts::kMaybe; ++i) state = near_->next(state, text[i]);
    return state == Starts::kMaybe;
  }
  [[nodiscard]] const std::vector<Starts>& sections() const { return sections_; }

  void match(std::string_view text, std::size_t at, SourceKind kind,
             const std::string& (*regex)(const Pattern&), std::vector<Found>& out) const {
    const re2::StringPiece window(text.data() + at, window_size(text, at));
    RE2::Set::ErrorInfo error{};
    const bool found = set().Match(window, nullptr, &error);
    if (!found && error.kind == RE2::Set::kNoError) return;
    std::vector<int> which;
    if (!set().Match(window, &which)) {
      // The automaton of all grew too large: each for itself does not.
      which = alone_->everything();
    }
    std::sort(which.begin(), which.end());
    for (const int index : which) {
      const std::size_t pattern = indices_[static_cast<std::size_t>(index)];
      if (!applies(patterns()[pattern].kinds, kind)) continue;
      re2::StringPiece match;
      const RE2& one = alone_->get(static_cast<std::size_t>(index), regex(patterns()[pattern]));
      if (one.Match(window, 0, window.size(), RE2::ANCHOR_START, &match, 1) && !match.empty())
        out.push_back({pattern, {at, at + match.size()}});
    }
  }

 private:
  /// Compiled when something may first have been found, which in most texts nothing is.
  [[nodiscard]] const RE2::Set& set() const {
    const RE2::Set* there = set_.load();
    if (there == nullptr) {
      auto made = std::make_unique<RE2::Set>(options(kSetMemory), RE2::ANCHOR_START);
      for (const std::string_view regex : regexes_)
        CG_ASSERT(made->Add({regex.data(), regex.size()}, nullptr) >= 0);
      CG_ASSERT(made->Compile());
      if (set_.compare_exchange_strong(there, made.get())) there = made.release();
    }
    return *there;
  }

  /// Not inside a word: half of one would look like the end.
  [[nodiscard]] static std::size_t window_size(std::string_view text, std::size_t at) {
    std::size_t size = std::min(text.size() - at, kLongest);
    if (at + size == text.size()) return size;
    const std::size_t most = size;
    while (size > most - 24 && class_of(text[at + size]) != kGapClass) --size;
    return size;
  }

  mutable std::atomic<const RE2::Set*> set_ = nullptr;
  std::vector<std::size_t> indices_;
  std::vector<std::string_view> regexes_;
  std::optional<Starts> near_;
  std::vector<Starts> sections_;
  std::unique_ptr<Lazy> alone_;
};

const std::string& spaced_regex(const Pattern& pattern) { return pattern.regex; }
const std::string& squeezed_regex(const Pattern& pattern) { return pattern.squeezed; }

struct Words : Group {
  Words() {
    for (std::size_t i = 0; i < patterns().size(); ++i) {
      if (patterns()[i].of_words) add(i, patterns()[i].regex);
    }
    compile(kNearStates);
    compile_sections();
  }
};
/// Patterns that are matched as they are written begin with signs, which are too many to look at
/// one by one; and they are too few and too unlike to make many states.
class Exact {
 public:
  Exact() : set_(options(kSetMemory), RE2::UNANCHORED) {
    for (std::size_t i = 0; i < patterns().size(); ++i) {
      if (patterns()[i].of_words) continue;
      CG_ASSERT(set_.Add(patterns()[i].regex, nullptr) == static_cast<int>(indices_.size()));
      indices_.push_back(i);
    }
    CG_ASSERT(set_.Compile());
    alone_ = std::make_unique<Lazy>(indices_.size());
  }

  void match(std::string_view text, SourceKind kind, std::size_t most,
             std::vector<Found>& out) const {
    const re2::StringPiece all(text.data(), text.size());
    std::vector<int> which;
    RE2::Set::ErrorInfo error{};
    if (!set_.Match(all, &which, &error)) {
      if (error.kind == RE2::Set::kNoError) return;
      which = alone_->everything();  // the automaton of all grew too large: each alone does not
    }
    for (const int index : which) {
      const std::size_t pattern = indices_[static_cast<std::size_t>(index)];
      if (!applies(patterns()[pattern].kinds, kind)) continue;
      const RE2& one = alone_->get(static_cast<std::size_t>(index), patterns()[pattern].regex);
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
  std::unique_ptr<Lazy> alone_;
};
struct SqueezedWords : Group {
  SqueezedWords() {
    for (std::size_t i = 0; i < patterns().size(); ++i) {
      if (!patterns()[i].squeezed.empty()) add(i, patterns()[i].squeezed);
    }
    compile(kNearSqueezed);
  }
};
const Group& words() {
  static const Words group;
  return group;
}
const Exact& exact() {
  static const Exact group;
  return group;
}
const Group& squeezed_words() {
  static const SqueezedWords group;
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
    for (std::size_t i = 0; i < text.size() && out.size() < most; ++i) {
      if (group.near(text, i)) group.match(text, i, kind, squeezed_regex, out);
    }
    return;
  }
  if (spacing == Spacing::spaced) exact().match(text, kind, most, out);
  const Group& group = words();
  std::vector<Walker> walkers;
  std::uint64_t before = 0;  // whether a word goes on into the block
  const auto may_start = [&](std::size_t at) {
    if (!group.near(text, at)) return false;
    if (walkers.empty()) walkers = {group.sections().begin(), group.sections().end()};
    return std::any_of(walkers.begin(), walkers.end(),
                       [&](Walker& walker) { return walker.may_start(text, at); });
  };
  for (std::size_t block = 0; block < text.size() && out.size() < most; block += 64) {
    const std::uint64_t words = word_bits(text, block);
    for (std::uint64_t rest = words & ~(words << 1U | before); rest != 0 && out.size() < most;
         rest &= rest - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(rest));
      if (may_start(at)) group.match(text, at, kind, spaced_regex, out);
    }
    before = words >> 63U;
  }
}

}  // namespace cg::canary
