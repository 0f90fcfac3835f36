// Where to look for what came in the place of a name, in this order: what the old version said to
// use instead; for a member that is used the same member of another type; another name of the same
// thing; names alike beneath the same owner; for an option those of types that are reached; names
// alike at the top, and of any member.
#include <algorithm>
#include <map>

#include "npm/upgrade/changes.h"
#include "npm/upgrade/head.h"
#include "npm/upgrade/kin.h"

namespace cg::upgrade {

namespace {

constexpr std::size_t kMaxWithKin = 40;  // removed names for which others are looked for
constexpr std::size_t kMaxKin = 3;

using Candidates = std::vector<Kin::Candidate>;
using Keys = std::vector<std::string>;

class Nearest {
 public:
  Nearest(const Listing& old, const Listing& now, const Used& used, const Words& reached)
      : old_(old), now_(now), used_(used), reached_(reached) {
    for (const auto& [key, item] : now_.items) {
      if (item.throws.empty() && !now_.inner.contains(key)) note(key, item);
    }
    Candidates near;
    Candidates all;
    for (const auto& [member, key] : anywhere_) {
      all.push_back({member, !old_.items.contains(key)});
      if (is_reached(key)) near.push_back(all.back());
    }
    at_reached_ = Kin(near);
    at_members_ = Kin(all);
    at_top_ = Kin(top_);
    at_values_ = Kin(values_);
  }

  /// Values of the class that the default was of, where it is an object with those in it.
  [[nodiscard]] Keys of_its_class() const {
    Keys out;
    const auto was = old_.bases.find("default");
    if (was == old_.bases.end()) return out;
    for (const Kin::Candidate& each : values_) {
      const auto is = now_.bases.find(each.name);
      const bool shares =
          is != now_.bases.end() &&
          std::any_of(is->second.begin(), is->second.end(), [&](const auto& base) {
            return std::find(was->second.begin(), was->second.end(), base) != was->second.end();
          });
      if (shares && each.name != "default" && out.size() < kMaxKin) out.push_back(each.name);
    }
    return out;
  }

  /// Keys of the new version.
  [[nodiscard]] Keys of(const Change& change, const std::string& wanted) const {
    const auto [owner, member] = parted(change.name);
    // Of an option those that are called alike, not types that have such a word.
    const bool option = !owner.empty() && change.erased;
    if (change.turn == Turn::changed) {
      if (Keys keys = of_its_class(); !keys.empty()) return keys;
    }
    Keys keys;
    // JWT.sign of a JWT that is gone: SignJWT has both words.
    if (!owner.empty() && !option && !now_.items.contains(owner)) {
      keys = names_like(at_values_, std::string(owner) + "-" + wanted, false);
      if (keys.size() > 1) keys.resize(1);
    }
    for (std::string& advised : advised_for(change)) keys.push_back(std::move(advised));
    for (std::string& same : same_member(member)) keys.push_back(std::move(same));
    for (std::string& twin : twins(change.name)) keys.push_back(std::move(twin));
    if (keys.empty()) keys = siblings(owner, wanted);
    if (keys.empty() && option) keys = members_like(at_reached_, wanted);
    if (keys.empty()) keys = names_like(change.erased ? at_top_ : at_values_, wanted, option);
    if (keys.empty() && !option) keys = members_like(at_members_, wanted);
    if (keys.size() > kMaxKin) keys.resize(kMaxKin);
    return keys;
  }

  [[nodiscard]] std::string shown(const std::string& key, bool with_options) const {
    const Item& item = now_.items.find(key)->second;
    std::string out = titled(key, joined(item.shown(), " | ", 3));
    if (with_options && item.types.empty() && !item.options.empty()) {
      out += "; options read: " + joined(item.options, ", ", 40);
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_reached(std::string_view key) const {
    return reached_.contains(parted(key).first);
  }

  void note(const std::string& key, const Item& item) {
    const auto [owner, member] = parted(key);
    const Kin::Candidate candidate = {std::string(member), !old_.items.contains(key)};
    if (owner.empty()) {
      top_.push_back(candidate);
      if (!item.erased) values_.push_back(candidate);
      return;
    }
    beneath_[std::string(owner)].push_back(candidate);
    std::string& known = anywhere_[std::string(member)];
    if (known.empty() || (!is_reached(known) && is_reached(key))) known = key;
    if (used_.members.contains(member) && is_reached(key)) {
      elsewhere_.emplace(std::string(member), key);
    }
  }

  /// What the old version told who used it to use instead: "deprecated, use a, b or c".
  [[nodiscard]] Keys advised_for(const Change& change) const {
    Keys out;
    const auto was = old_.items.find(change.name);
    if (was == old_.items.end()) return out;
    std::string said = was->second.deprecated;
    for (const std::string& line : was->second.warnings) said += " " + line;
    const auto [owner, member] = parted(change.name);
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '$';
    };
    constexpr std::size_t kShortest = 3;  // letters
    for (std::size_t i = 0; i < said.size() && out.size() < kMaxKin;) {
      std::size_t end = i;
      while (end < said.size() && is_letter(said[end])) ++end;
      const std::string word = said.substr(i, end - i);
      i = std::max(end, i + 1);
      if (word.size() < kShortest || word == member) continue;
      const std::string key = owner.empty() ? word : std::string(owner) + "." + word;
      const bool known = std::find(out.begin(), out.end(), key) != out.end();
      if (!known && now_.items.contains(key)) out.push_back(key);
    }
    return out;
  }

  [[nodiscard]] Keys same_member(std::string_view member) const {
    Keys out;
    const auto [begin, end] = elsewhere_.equal_range(std::string(member));
    for (auto i = begin; i != end && out.size() < kMaxKin; ++i) out.push_back(i->second);
    return out;
  }

  [[nodiscard]] Keys twins(const std::string& name) const {
    Keys out;
    const auto known = old_.twins.find(name);
    if (known == old_.twins.end()) return out;
    for (const std::string& twin : known->second) {
      if (twin != "default" && now_.items.contains(twin)) out.push_back(twin);
    }
    return out;
  }

  [[nodiscard]] Keys siblings(std::string_view owner, const std::string& wanted) const {
    Keys out;
    Keys owners = {std::string(owner)};
    if (const auto bases = now_.bases.find(owner); bases != now_.bases.end()) {
      owners.insert(owners.end(), bases->second.begin(), bases->second.end());
    }
    for (const std::string& each : owners) {
      const auto known = beneath_.find(each);
      if (known == beneath_.end() || !out.empty()) continue;
      for (const std::string& near : Kin(known->second).nearest(wanted, kMaxKin)) {
        out.push_back(each + "." + near);
      }
    }
    return out;
  }

  [[nodiscard]] Keys members_like(const Kin& kin, const std::string& wanted) const {
    Keys out;
    for (const std::string& each : kin.nearest(wanted, kMaxKin)) {
      out.push_back(anywhere_.find(each)->second);
    }
    return out;
  }

  /// That very name, and others if it is not for an option.
  [[nodiscard]] Keys names_like(const Kin& kin, const std::string& wanted, bool option) const {
    Keys out;
    const auto same = now_.items.find(wanted);
    if (same != now_.items.end() && same->second.throws.empty()) out.push_back(wanted);
    if (option) return out;
    for (std::string& each : kin.nearest(wanted, kMaxKin)) {
      if (each != "default") out.push_back(std::move(each));
    }
    return out;
  }

  const Listing& old_;
  const Listing& now_;
  const Used& used_;
  const Words& reached_;
  Candidates top_;
  Candidates values_;  // those of them that are there when it runs
  std::map<std::string, Candidates, std::less<>> beneath_;
  std::map<std::string, std::string> anywhere_;        // a key of each member
  std::multimap<std::string, std::string> elsewhere_;  // keys of members that are used
  Kin at_reached_{{}};
  Kin at_members_{{}};
  Kin at_top_{{}};
  Kin at_values_{{}};
};

}  // namespace

void add_nearest(std::vector<Change>& changes, const Listing& old, const Listing& now,
                 const Used& used, const Words& reached, std::string_view package) {
  const Nearest nearest(old, now, used, reached);
  const std::string plain(package.substr(package.rfind('/') + 1));
  std::size_t count = 0;
  for (Change& change : changes) {
    const bool by_default = change.name == "default";
    // What was a function, or a class, and is an object with such in it.
    const bool opened = by_default && change.turn == Turn::changed && now.object && !old.object;
    if ((change.turn != Turn::removed && !opened) || ++count > kMaxWithKin) continue;
    const std::string wanted = by_default ? plain : std::string(parted(change.name).second);
    for (const std::string& key : nearest.of(change, wanted)) {
      change.nearest.push_back(nearest.shown(key, change.use != Use::none));
    }
  }
}

}  // namespace cg::upgrade
