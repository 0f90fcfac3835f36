#include "vuln/advisory/rule.h"

#include <cstdlib>

#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "vuln/advisory/fields.h"

namespace cg::advisory {

namespace {

constexpr char kFormat = '\x01';
constexpr unsigned kLevelBits = 0x07;
constexpr unsigned kMalwareBit = 0x08;

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

void put_keys(std::string& out, const std::vector<VersionKey>& keys) {
  put_varint(out, keys.size());
  for (const VersionKey& key : keys) out += key.bytes();
}

/// Reads bytes that were not checked yet. The first thing that is wrong is remembered
/// and ends all reading: a scan checks every rule, and this costs less than a Result
/// for each byte.
class Checker {
 public:
  explicit Checker(std::string_view bytes) : all_(bytes), left_(bytes) {}

  [[nodiscard]] std::string_view left() const { return left_; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] RuleError error() const { return error_; }
  void refuse_unless(bool good, RuleError::Kind kind) {
    if (!good) refuse(kind);
  }

  unsigned byte() {
    if (left_.empty()) {
      refuse(RuleError::Kind::truncated);
      return 0;
    }
    const unsigned value = static_cast<Byte>(left_[0]);
    left_.remove_prefix(1);
    return value;
  }

  /// At most four bytes: no count of ours is larger.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 28; shift += 7) {
      const unsigned part = byte();
      value |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
      if (part >= 0x80) continue;
      if (part == 0 && shift != 0) break;  // longer than it need be
      return value;
    }
    refuse(RuleError::Kind::too_large);
    return 0;
  }

  std::string_view take(std::size_t size) {
    refuse_unless(size <= left_.size(), RuleError::Kind::truncated);
    const std::string_view out = left_.substr(0, size);
    left_.remove_prefix(out.size());
    return out;
  }

  std::string_view key() {
    const std::size_t size = key_length(left_);
    refuse_unless(size > 0, RuleError::Kind::bad_key);
    return take(size);
  }

  void keys(std::uint64_t count) {
    std::string_view before;
    for (std::uint64_t i = 0; i < count && !failed_; ++i) {
      const std::string_view here = key();
      refuse_unless(i == 0 || here > before, RuleError::Kind::not_sorted);
      before = here;
    }
  }

  void intervals(std::uint64_t count) {
    std::string_view before;
    for (std::uint64_t i = 0; i < count && !failed_; ++i) {
      const unsigned end = byte();
      refuse_unless(end <= static_cast<unsigned>(IntervalEnd::limit),
                    RuleError::Kind::bad_interval);
      const std::string_view from = key();
      refuse_unless(from >= before, RuleError::Kind::not_sorted);
      before = from;
      if (end != static_cast<unsigned>(IntervalEnd::open)) key();
    }
  }

 private:
  void refuse(RuleError::Kind kind) {
    if (!failed_) error_ = {kind, all_.size() - left_.size()};
    failed_ = true;
    left_ = {};
  }

  std::string_view all_;
  std::string_view left_;
  bool failed_ = false;
  RuleError error_{RuleError::Kind::truncated, 0};
};

/// Where a key that was checked before ends.
std::size_t known_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<Byte>(bytes[i]));
  };
  std::size_t size = 0;
  for (int i = 0; i < 3; ++i) size += 1 + at(size);
  for (;;) {
    const std::size_t mark = at(size++);
    if (mark == 0xFF || mark == 0x00) return size;
    size = mark == 0x01 ? size + 1 + at(size) : bytes.find('\0', size) + 1;
  }
}

std::string_view next_key(std::string_view& bytes) {
  const std::string_view key = bytes.substr(0, known_length(bytes));
  bytes.remove_prefix(key.size());
  return key;
}

struct IntervalView {
  IntervalEnd end;
  std::string_view from;
  std::string_view to;
};

IntervalView next_interval(std::string_view& bytes) {
  IntervalView out{static_cast<IntervalEnd>(bytes[0]), {}, {}};
  bytes.remove_prefix(1);
  out.from = next_key(bytes);
  if (out.end != IntervalEnd::open) out.to = next_key(bytes);
  return out;
}

bool contains(std::string_view keys, std::uint64_t count, std::string_view wanted) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view key = next_key(keys);
    if (key == wanted) return true;
    if (key > wanted) return false;
  }
  return false;
}

std::vector<VersionKey> decode_keys(std::string_view keys, std::uint64_t count) {
  std::vector<VersionKey> out;
  for (std::uint64_t i = 0; i < count; ++i) out.push_back(*VersionKey::parse(next_key(keys)));
  return out;
}

}  // namespace

std::string describe(const RuleError& error) {
  const auto words = [&]() -> std::string_view {
    switch (error.kind) {
      case RuleError::Kind::truncated:
        return "ends too early";
      case RuleError::Kind::too_large:
        return "too large";
      case RuleError::Kind::unknown_version:
        return "of an unknown version";
      case RuleError::Kind::bad_flags:
        return "unknown flags";
      case RuleError::Kind::bad_id:
        return "not an id";
      case RuleError::Kind::bad_interval:
        return "not an interval";
      case RuleError::Kind::bad_key:
        return "not a version";
      case RuleError::Kind::not_sorted:
        return "versions out of order";
      case RuleError::Kind::trailing_data:
        return "something follows the end";
    }
    std::abort();
  };
  return "rule: " + std::string(words()) + " at byte " + std::to_string(error.offset);
}

std::string encode_rule(const PackageRule& rule) {
  CG_ASSERT(is_record_id(rule.advisory));
  std::string out(1, kFormat);
  out += static_cast<char>(static_cast<unsigned>(rule.level) | (rule.malware ? kMalwareBit : 0));
  put_varint(out, rule.advisory.size());
  out += rule.advisory;
  put_varint(out, rule.intervals.size());
  for (const Interval& interval : rule.intervals) {
    CG_ASSERT(interval.to.has_value() == (interval.end != IntervalEnd::open));
    out += static_cast<char>(interval.end);
    out += interval.from.bytes();
    if (interval.to) out += interval.to->bytes();
  }
  put_keys(out, rule.versions);
  put_keys(out, rule.fixed);
  return out;
}

Result<RuleView, RuleError> RuleView::parse(std::string_view bytes) {
  Checker checker(bytes);
  checker.refuse_unless(bytes.size() <= kMaxRuleBytes, RuleError::Kind::too_large);
  checker.refuse_unless(checker.byte() == static_cast<unsigned>(kFormat),
                        RuleError::Kind::unknown_version);
  const unsigned flags = checker.byte();
  const unsigned level = flags & kLevelBits;
  checker.refuse_unless(
      flags <= (kLevelBits | kMalwareBit) && level <= static_cast<unsigned>(Level::unknown),
      RuleError::Kind::bad_flags);
  RuleView view;
  view.level_ = static_cast<Level>(level);
  view.malware_ = (flags & kMalwareBit) != 0;
  view.id_ = checker.take(checker.varint());
  checker.refuse_unless(is_record_id(view.id_), RuleError::Kind::bad_id);
  view.interval_count_ = checker.varint();
  view.intervals_ = checker.left();
  checker.intervals(view.interval_count_);
  view.version_count_ = checker.varint();
  view.versions_ = checker.left();
  checker.keys(view.version_count_);
  view.fixed_count_ = checker.varint();
  view.fixed_ = checker.left();
  checker.keys(view.fixed_count_);
  checker.refuse_unless(checker.left().empty(), RuleError::Kind::trailing_data);
  if (checker.failed()) return fail(checker.error());
  return view;
}

std::optional<Match> RuleView::evaluate(const VersionKey& version) const {
  std::optional<std::size_t> covering;
  std::string_view lowest;  // the fix of the interval that is named
  std::string_view bytes = intervals_;
  for (std::uint64_t i = 0; i < interval_count_; ++i) {
    const IntervalView interval = next_interval(bytes);
    if (version.bytes() < interval.from) break;  // the others begin even later
    if (!covers(interval.end, interval.from, interval.to, version.bytes())) continue;
    const bool fixes = interval.end == IntervalEnd::fixed;
    const bool better = fixes && (lowest.empty() || interval.to < lowest);
    if (!covering || better) covering = i;
    if (better) lowest = interval.to;
  }
  const bool listed = contains(versions_, version_count_, version.bytes());
  if (!listed && !covering) return std::nullopt;
  Match found{listed, covering, {}};
  if (!lowest.empty()) found.fixed_in = VersionKey::parse(lowest);
  return found;
}

PackageRule RuleView::decode() const {
  PackageRule rule{std::string(id_), level_, malware_, {}, {}, {}};
  std::string_view bytes = intervals_;
  for (std::uint64_t i = 0; i < interval_count_; ++i) {
    const IntervalView view = next_interval(bytes);
    Interval interval{*VersionKey::parse(view.from), view.end, {}};
    if (view.end != IntervalEnd::open) interval.to = VersionKey::parse(view.to);
    rule.intervals.push_back(std::move(interval));
  }
  rule.versions = decode_keys(versions_, version_count_);
  rule.fixed = decode_keys(fixed_, fixed_count_);
  return rule;
}

}  // namespace cg::advisory
