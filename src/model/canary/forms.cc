#include "model/canary/forms.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/base/text.h"
#include "model/canary/bits.h"
#include "model/canary/letter.h"

namespace cg::canary {
namespace {

constexpr std::size_t kPiece = std::size_t{32} << 10U;
constexpr std::size_t kOverlap = 1024;
constexpr std::size_t kRoom = 64;  // what one step may write beyond a full piece
constexpr std::size_t kMostSigns = 16;
constexpr std::size_t kHiddenRun = 4;
constexpr std::size_t kMostNotes = 64;
constexpr std::size_t kSpacedRun = 6;
constexpr char32_t kBlackFlag = 0x1F3F4;

using Table = std::array<std::uint8_t, 256>;
/// What a byte becomes; 0 where more must be known than the byte.
constexpr Table plain_table(std::string_view special) {
  Table out{};
  for (unsigned i = 0x20; i < 0x7F; ++i) {
    const bool capital = i >= 'A' && i <= 'Z';
    out[i] = static_cast<std::uint8_t>(capital ? i + 0x20 : i);
  }
  out['\n'] = '\n';
  out['\t'] = ' ';
  for (const char c : special) out[static_cast<unsigned char>(c)] = 0;
  return out;
}
constexpr std::string_view kMarkup = "<&\\%*_~`|\"'";
constexpr Table kFolded = plain_table("");
constexpr Table kUndone = plain_table(kMarkup);

constexpr std::uint8_t kLetter = 1;
constexpr std::uint8_t kDigit = 2;
constexpr std::uint8_t kSpace = 4;
constexpr std::uint8_t kLeet = 8;  // a sign that may stand for a letter
constexpr Table class_table() {
  Table out{};
  for (unsigned i = 'a'; i <= 'z'; ++i) out[i] = kLetter;
  for (unsigned i = '0'; i <= '9'; ++i) out[i] = kDigit;
  for (unsigned i = 0x80; i < 0x100; ++i) out[i] = kLetter;
  for (const char c : std::string_view("$@!")) out[static_cast<unsigned char>(c)] = kLeet;
  out[' '] = kSpace;
  out['\n'] = kSpace;
  return out;
}
constexpr Table kClass = class_table();
std::uint8_t traits_of(char c) { return kClass[static_cast<unsigned char>(c)]; }

constexpr std::uint8_t kNever = 1;  // to be seen: controls, and what begins no character
constexpr std::uint8_t kLead = 2;   // may begin a character of several bytes
constexpr Table kUnseen = [] {
  Table out{};
  for (unsigned i = 0; i < 0x100; ++i) out[i] = i < 0x20 || i >= 0x7F ? kNever : 0;
  for (unsigned i = 0xC2; i < 0xF5; ++i) out[i] = kLead;
  for (const char c : std::string_view("\n\t\r\f\v\x1b")) out[static_cast<unsigned char>(c)] = 0;
  return out;
}();

/// Bit i: text[block + i] is a letter or a digit.
std::uint64_t letter_bits(std::string_view text, std::size_t block) {
  if (block >= text.size()) return 0;
  std::array<std::uint8_t, 64> bytes{};
  text.copy(reinterpret_cast<char*>(bytes.data()), bytes.size(), block);
  for (std::uint8_t& c : bytes) {
    const auto letter = static_cast<std::uint8_t>(c - 'a');
    const auto digit = static_cast<std::uint8_t>(c - '0');
    c = static_cast<std::uint8_t>((letter < 26 ? 1 : 0) | (digit < 10 ? 1 : 0) | c >> 7U);
  }
  return low_bits(bytes);
}

bool is_markup(char c) { return kMarkup.find(c) != std::string_view::npos; }

}  // namespace

const Piece::Run& Piece::run_of(std::size_t at) const {
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), at,
                       [](std::size_t place, const Run& run) { return place < run.out; });
  return *std::prev(after);
}

Span Piece::given(std::size_t begin, std::size_t end) const {
  const Run& first = run_of(begin);
  const Run& last = run_of(end - 1);
  return {first.size == 0 ? first.in + (begin - first.out) : first.in,
          last.size == 0 ? last.in + (end - last.out) : last.in + last.size};
}

FormReader::FormReader(std::string_view given, Form form)
    : given_(given),
      markup_(given),
      undo_(form == Form::undone),
      plain_((form == Form::undone ? kUndone : kFolded).data()) {}

/// Keeps the end of the piece before.
void FormReader::start(Piece& piece) {
  piece.mixed = piece.spaced = false;
  piece.hidden.clear();
  if (at_ == 0) {
    piece.buffer_.resize(kPiece + kRoom);
    piece.runs_.assign(1, {0, 0, 0});
    piece.buffer_[0] = '\n';
    piece.used_ = 1;
    piece.runs_.push_back({1, 0, 0});
    return;
  }
  if (piece.used_ <= kOverlap) return;
  const std::size_t gone = piece.used_ - kOverlap;
  std::memmove(piece.buffer_.data(), piece.buffer_.data() + gone, kOverlap);
  piece.used_ = kOverlap;
  const auto first = static_cast<std::ptrdiff_t>(&piece.run_of(gone) - piece.runs_.data());
  piece.runs_.erase(piece.runs_.begin(), piece.runs_.begin() + first);
  for (Piece::Run& run : piece.runs_) {
    if (run.out >= gone) {
      run.out -= gone;
    } else {  // the first, of which a part is gone
      if (run.size == 0) run.in += gone - run.out;
      run.out = 0;
    }
  }
}

bool FormReader::next(Piece& piece) {
  if (at_ >= given_.size()) return false;
  start(piece);
  while (at_ < given_.size() && piece.used_ < kPiece) {
    copy_plain(piece);
    if (skip_unseen(piece)) continue;
    if (at_ < given_.size() && piece.used_ < kPiece) take(piece);
  }
  return true;
}

/// At a sign; false if there are too many in a row to write it.
inline bool FormReader::end_word(Piece& piece) {
  if (word_ == 1 && ++singles_ >= kSpacedRun) piece.spaced = true;
  if (word_ > 1) singles_ = 0;
  word_ = 0;
  return ++signs_ <= kMostSigns;
}

/// Bytes that become one byte each: nearly all of nearly every text.
void FormReader::copy_plain(Piece& piece) {
  char* const out = piece.buffer_.data();
  std::size_t used = piece.used_;
  const std::size_t start = at_;
  const std::size_t stop = start + std::min(given_.size() - start, kPiece - used);
  std::uint8_t before = used > 0 ? traits_of(out[used - 1]) : kSpace;
  std::size_t at = start;
  unsigned mixed = 0;
  for (; at < stop; ++at) {
    const auto c = static_cast<char>(plain_[static_cast<unsigned char>(given_[at])]);
    const std::uint8_t now = traits_of(c);
    if (c == 0 || (now & before & kSpace) != 0) break;
    if ((now & (kLetter | kDigit)) != 0) {
      ++word_;
      signs_ = 0;
    } else if (!end_word(piece)) {
      break;
    }
    // A digit inside a word, as in "1gn0r3" but not in "utf8".
    mixed |= (now & kLetter) * (before & kDigit) * (word_ > 2 ? 1U : 0U);
    out[used++] = c;
    before = now;
  }
  if (mixed != 0) piece.mixed = true;
  if (at > start) {
    const Piece::Run& last = piece.runs_.back();
    const bool goes_on = last.size == 0 && last.in + (piece.used_ - last.out) == start;
    if (!goes_on) piece.runs_.push_back({piece.used_, start, 0});
    hidden_run_ = 0;
    last_ = static_cast<unsigned char>(given_[at - 1]);
  }
  piece.used_ = used;
  at_ = at;
}

/// What leaves no trace in the form: bad bytes, controls, and signs after too many of them.
bool FormReader::skip_unseen(Piece& piece) {
  const std::string_view given = given_;
  const bool too_many = word_ == 0 && signs_ >= kMostSigns;
  std::size_t at = at_;
  for (; at < given.size(); ++at) {
    const auto c = static_cast<unsigned char>(given[at]);
    const auto next = static_cast<unsigned char>(at + 1 < given.size() ? given[at + 1] : '\0');
    // In one step: whether a random byte is one of these cannot be foreseen.
    const unsigned never = kUnseen[c] & kNever;
    const unsigned lonely = (kUnseen[c] & kLead) * ((next & 0xC0U) ^ 0x80U);
    if ((never | lonely) != 0) continue;
    if (kUnseen[c] == kLead && utf8_sequence(given.substr(at)) == 0) continue;
    const std::uint8_t sign = plain_[c];
    if (too_many && sign != 0 && (kClass[sign] & (kLetter | kDigit | kSpace)) == 0) continue;
    break;
  }
  if (at == at_) return false;
  if (hidden_run_ > 0) write_byte(piece, ' ', {at_, at_});
  hidden_run_ = 0;
  last_ = kBadByte;
  at_ = at;
  return true;
}

/// One character that is more than a byte.
void FormReader::take(Piece& piece) {
  const std::size_t begin = at_;
  const char c = given_[begin];
  const bool in_word =
      piece.used_ > 0 && (traits_of(piece.buffer_[piece.used_ - 1]) & (kLetter | kDigit)) != 0;
  Undone unit;
  if (undo_ && is_markup(c)) {
    unit = markup_.read(begin, in_word);
  } else {
    const Rune rune = first_rune(given_.substr(begin));
    unit = {rune.value == 0 ? kBadByte : rune.value, rune.size};
  }
  at_ = begin + unit.size;
  if (unit.rune == 0x1B) {
    invisible_ = true;
    at_ += markup_.escape_sequence(at_, undo_ ? Markup::Escapes::all : Markup::Escapes::colours);
    return;
  }
  if (is_zero_width(unit.rune)) {
    // Inside a word it splits, between words it joins: one form each.
    invisible_ = true;
    if (undo_ && unit.rune == first_rune(given_.substr(begin)).value) unit.rune = ' ';
  }
  if (unit.rune != 0) write(piece, unit.rune, {begin, at_});
}

void FormReader::note(Piece& piece, Hidden::Kind kind, Span span) {
  if (!piece.hidden.empty()) {
    Hidden& last = piece.hidden.back();
    if (last.kind == kind && last.span.end == span.begin) {
      last.span.end = span.end;
      return;
    }
  }
  if (piece.hidden.size() < kMostNotes) piece.hidden.push_back({kind, span});
}

/// A character of a run that hides text: the run stands apart as words of its own.
void FormReader::write_hidden(Piece& piece, char letter, Span span) {
  if (hidden_run_ == 0) write_byte(piece, ' ', {span.begin, span.begin});
  ++hidden_run_;
  if (letter != 0) write_byte(piece, letter, span);
}

/// Two or more selectors in a row select nothing.
bool FormReader::write_selector(Piece& piece, char32_t rune, Span span) {
  const int byte = hidden_by_selector(rune);
  if (byte < 0) return false;
  const bool follows = hidden_by_selector(last_) >= 0;
  const bool goes_on =
      hidden_by_selector(first_rune(given_.substr(std::min(span.end, given_.size()))).value) >= 0;
  if (follows || goes_on) {
    const bool readable = byte >= 0x20 && byte < 0x7F;
    write_hidden(piece, readable ? fold(static_cast<char32_t>(byte)).bytes[0] : '\0', span);
    if (hidden_run_ >= kHiddenRun) note(piece, Hidden::Kind::selectors, span);
  }
  last_ = rune;
  return true;
}

void FormReader::write(Piece& piece, char32_t rune, Span span) {
  if (const char letter = hidden_by_tag(rune)) {
    if (hidden_run_ == 0) flag_ = last_ == kBlackFlag;
    write_hidden(piece, fold(static_cast<char32_t>(letter)).bytes[0], span);
    if (hidden_run_ >= kHiddenRun && !flag_) note(piece, Hidden::Kind::tags, span);
    last_ = rune;
    return;
  }
  if (write_selector(piece, rune, span)) return;
  if (hidden_run_ > 0 && rune < 0xE0000) {
    write_byte(piece, ' ', {span.begin, span.begin});
    hidden_run_ = 0;
  }
  if (overrides_direction(rune)) note(piece, Hidden::Kind::direction, span);
  last_ = rune;
  if (rune < 0x20 || rune == 0x7F) {
    if (rune == '\n' || rune == '\t' || rune == '\r' || rune == '\f' || rune == '\v')
      write_byte(piece, rune == '\t' ? ' ' : '\n', span);
    return;
  }
  const Folded folded = fold(rune);
  for (const char c : folded.text()) write_byte(piece, c, span);
}

void FormReader::write_byte(Piece& piece, char c, Span span) {
  const std::uint8_t now = traits_of(c);
  if ((now & kSpace) != 0 && piece.used_ > 0) {
    char& before = piece.buffer_[piece.used_ - 1];
    if ((traits_of(before) & kSpace) != 0) {
      if (c == '\n') before = '\n';
      return;
    }
  }
  if ((now & (kLetter | kDigit)) != 0) {
    ++word_;
    signs_ = 0;
  } else if (!end_word(piece)) {
    return;
  }
  const Piece::Run& last = piece.runs_.back();
  if (last.size == 0 || last.in != span.begin || last.size != span.end - span.begin)
    piece.runs_.push_back({piece.used_, span.begin, span.end - span.begin});
  piece.buffer_[piece.used_++] = c;
}

void rot13(std::string_view text, std::string& out) {
  static constexpr Table kTable = [] {
    Table table{};
    for (unsigned i = 0; i < 256; ++i) table[i] = static_cast<std::uint8_t>(i);
    for (unsigned i = 0; i < 26; ++i)
      table['a' + i] = static_cast<std::uint8_t>('a' + (i + 13) % 26);
    return table;
  }();
  out.resize(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    out[i] = static_cast<char>(kTable[static_cast<unsigned char>(text[i])]);
}

void reversed(std::string_view text, std::string& out) {
  out.resize(text.size() + 1);
  out[0] = '\n';
  std::reverse_copy(text.begin(), text.end(), out.begin() + 1);
}

void unleeted(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "oizeasgtbg";
  out.assign(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char c = text[i];
    const std::uint8_t now = traits_of(c);
    if (now != kDigit && now != kLeet) continue;
    const bool after = i > 0 && (traits_of(out[i - 1]) & kLetter) != 0;
    const bool before = i + 1 < text.size() && (traits_of(text[i + 1]) & kLetter) != 0;
    if (!after && !before) continue;
    if (now == kDigit) {
      out[i] = kDigits[static_cast<std::size_t>(c - '0')];
      const bool twice = c == '1' && i + 1 < text.size() && text[i + 1] == '1';
      if (twice) out[i] = out[i + 1] = 'l';
    } else {
      out[i] = c == '@' ? 'a' : c == '$' ? 's' : 'i';
    }
  }
}

void squeeze(std::string_view text, Squeezed& out) {
  out.text.clear();
  out.from.clear();
  const auto put = [&](char c, std::size_t from) {
    out.text += c;
    out.from.push_back(static_cast<std::uint32_t>(from));
  };
  bool cut = true;
  std::uint64_t before = 0;
  std::uint64_t words = letter_bits(text, 0);
  for (std::size_t block = 0; block < text.size(); block += 64) {
    const std::uint64_t next = letter_bits(text, block + 64);
    const std::uint64_t alone = words & ~(words << 1U | before) & ~(words >> 1U | next << 63U);
    // One of the other words ends a run of single letters, and all up to the next letter do no
    // more.
    for (std::uint64_t rest = words; rest != 0;) {
      const auto i = static_cast<unsigned>(std::countr_zero(rest));
      const bool single = (alone >> i & 1U) != 0;
      if (single || !cut) put(single ? text[block + i] : '\n', block + i);
      cut = !single;
      rest &= rest - 1;
      if (cut) rest = alone & rest;
    }
    before = words >> 63U;
    words = next;
  }
}

}  // namespace cg::canary
