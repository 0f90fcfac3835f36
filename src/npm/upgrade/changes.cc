#include "npm/upgrade/changes.h"

#include <algorithm>
#include <deque>

#include "npm/upgrade/head.h"

namespace cg::upgrade {

using exports::Way;

namespace {

constexpr std::size_t kMaxReached = 200;  // types that used names lead to
constexpr std::size_t kMaxChanges = 30'000;

/// Of functions and classes alone: other values change with every version.
bool has_signature(const Lines& source) {
  return std::any_of(source.begin(), source.end(), [](const std::string& line) {
    const std::size_t open = line.find('(');
    return line.starts_with("class ") || (open != std::string::npos && line.find(" = ") > open);
  });
}

bool has_line(const Lines& lines, const std::string& line) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& each) { return says_same(each, line); });
}
bool same_lines(const Lines& a, const Lines& b) {
  const auto in = [](const Lines& lines) {
    return [&](const std::string& line) { return has_line(lines, line); };
  };
  return std::all_of(a.begin(), a.end(), in(b)) && std::all_of(b.begin(), b.end(), in(a));
}

/// Those of `a` that `b` has not.
Lines without(const Lines& a, const Lines& b) {
  Lines out;
  for (const std::string& each : a) {
    if (std::find(b.begin(), b.end(), each) == b.end()) out.push_back(each);
  }
  return out;
}

/// "function A(b)" of "class A { constructor(b) }", which compilers write for old engines.
Lines as_functions(const Lines& lines) {
  constexpr std::string_view kMade = " { constructor(";
  Lines out;
  for (const std::string& line : lines) {
    if (!line.starts_with("class ")) {
      out.push_back(line);
      continue;
    }
    const std::size_t made = line.find(kMade);
    const std::size_t end = line.find_first_of(" {", 6);
    const std::string name = line.substr(6, end == std::string::npos ? end : end - 6);
    const std::string parameters =
        made == std::string::npos ? ")" : line.substr(made + kMade.size());
    out.push_back("function " + name + "(" + parameters.substr(0, parameters.rfind(')') + 1));
  }
  return out;
}

/// Two versions under one path.
class Comparer {
 public:
  Comparer(const Used::Path& path, const Listing& old, const Listing& now, const Used& used,
           std::string_view package)
      : path_(path),
        old_(old),
        now_(now),
        used_(used),
        names_(used.names(path.path)),
        package_(package) {
    both_typed_ = old.typed() && now.typed();
    find_named();
    for (const Listing* each : {&old_, &now_}) {
      for (const auto& [key, item] : each->items) {
        if (both_typed_ && !item.types.empty()) typed_members_.emplace(parted(key).second);
      }
    }
    reached_before_ = reached(old_);
    reached_after_ = reached(now_);
  }

  std::vector<Change> run() {
    std::vector<std::string> keys;
    for (const auto& [key, item] : old_.items) keys.push_back(key);
    for (const auto& [key, item] : now_.items) {
      if (!old_.items.contains(key)) keys.push_back(key);
    }
    for (const std::string& key : keys) {
      if (out_.size() < kMaxChanges) compare(key);
    }
    std::stable_sort(out_.begin(), out_.end(), [](const Change& a, const Change& b) {
      return a.use != b.use ? a.use < b.use : order(a) < order(b);
    });
    Words reached = reached_before_;
    reached.insert(reached_after_.begin(), reached_after_.end());
    add_nearest(out_, old_, now_, used_, reached, package_);
    return std::move(out_);
  }

 private:
  /// Within one use: what is gone first, what is the same last; top-level before members, what runs
  /// before types.
  static int order(const Change& change) {
    const bool member = !parted(change.name).first.empty();
    const bool used = change.use == Use::named || change.use == Use::likely;
    if (change.name == "default") return 0;
    const int turn = !used                          ? 0
                     : change.turn == Turn::removed ? 1
                     : change.turn == Turn::same    ? 3
                                                    : 2;
    return 1 + (member ? 1 : 0) + (change.erased ? 2 : 0) + turn * 4;
  }

  void find_named() {
    const bool whole = names_.empty() || path_.way == Way::require;
    for (const Listing* each : {&old_, &now_}) {
      for (const std::string& name : names_) {
        if (auto key = each->find(name)) named_.insert(*std::move(key));
      }
      if (whole && each->items.contains("default")) named_.insert("default");
    }
  }

  /// What declarations of used names speak of, and what those speak of.
  [[nodiscard]] Words reached(const Listing& listing) const {
    Words out;
    std::deque<std::string> open(named_.begin(), named_.end());
    while (!open.empty() && out.size() < kMaxReached) {
      const std::string key = open.front();
      open.pop_front();
      if (!out.insert(key).second) continue;
      const auto add = [&](const std::string& word) {
        if (listing.items.contains(word)) open.push_back(word);
      };
      if (const auto bases = listing.bases.find(key); bases != listing.bases.end()) {
        for (const std::string& base : bases->second) add(base);
      }
      const auto item = listing.items.find(key);
      if (item == listing.items.end()) continue;
      for (const std::string& word : item->second.mentions) add(word);
      const std::string prefix = key + ".";
      for (auto i = listing.items.lower_bound(prefix);
           i != listing.items.end() && i->first.starts_with(prefix); ++i) {
        // Of members those that are used lead on.
        const bool wanted = used_.members.contains(i->first.substr(prefix.size()));
        if (!wanted && !i->second.erased) continue;
        for (const std::string& word : i->second.mentions) add(word);
      }
    }
    return out;
  }

  [[nodiscard]] Use use_of(const std::string& key) const {
    if (named_.contains(key)) return Use::named;
    const auto [owner, member] = parted(key);
    if (owner.empty() || !used_.members.contains(member)) return Use::none;
    return near(owner) ? Use::likely : Use::perhaps;
  }

  [[nodiscard]] bool near(std::string_view owner) const {
    return reached_before_.contains(owner) || reached_after_.contains(owner);
  }

  /// Whether a side's word counts: of the same kind of source on both sides.
  [[nodiscard]] bool counts(const Item& item, const std::string& key) const {
    if (named_.contains(key)) return true;
    if (!both_typed_) {
      const bool unseen = (!old_.complete && old_.typed()) || (!now_.complete && now_.typed());
      return !item.source.empty() || (unseen && !item.erased);
    }
    if (!item.types.empty()) return true;
    const auto [owner, member] = parted(key);
    return owner.empty() || (used_.members.contains(member) && !typed_members_.contains(member));
  }

  void compare(const std::string& key) {
    const Item* old = old_.counterpart(key);
    const Item* now = now_.counterpart(key);
    // Inherited, or under another key: told there.
    const bool elsewhere =
        (old == nullptr || !old_.items.contains(key)) && now != nullptr && old != nullptr;
    if (elsewhere || (old == nullptr && is_known(now_, old_, key)) ||
        (now == nullptr && is_known(old_, now_, key))) {
      return;
    }
    Change change;
    change.path = path_.path;
    change.name = key;
    change.use = use_of(key);
    const auto [owner, member] = parted(key);
    if (now == nullptr) {
      if (!counts(*old, key)) return;
      if (key == "default" && old_.object && change.use == Use::none) return;
      const auto now_owner = now_.items.find(owner);
      if (now_owner != now_.items.end() && now_owner->second.outside) return;
      const bool told = change.use == Use::none || change.use == Use::perhaps;
      if (!owner.empty() && !now_.items.contains(owner) && (told || has_moved(*old, key))) return;
      change.turn = Turn::removed;
      if (key == "default") add_named(change);
    } else if (old == nullptr) {
      if (!counts(*now, key)) return;
      if (!owner.empty() && !old_.items.contains(owner) && change.use != Use::named) return;
      if (change.use == Use::perhaps) change.use = Use::none;
      change.turn = now->throws.empty() ? Turn::added : Turn::removed;
    } else {
      const bool own = old_.items.contains(key) ? counts(*old, key) : counts(*now, key);
      if (!own) return;
      change.turn = turn_of(*old, *now);
      if (key == "default" && old_.object != now_.object) change.turn = Turn::changed;
      if (key == "default" && now_.object && !old_.object) {
        change.notes.push_back("no function or class any more but an object of named exports");
      }
    }
    // What a class keeps in itself is its own, as long as nobody uses it.
    const bool kept = (old == nullptr || old->field) && (now == nullptr || now->field);
    if (kept && (change.use == Use::none || change.turn == Turn::added)) return;
    const bool worth = change.turn != Turn::same || change.use == Use::named ||
                       (change.use == Use::likely && named_.contains(owner));
    if (!worth) return;
    fill(change, old, now);
    out_.push_back(std::move(change));
  }

  /// What there is if there is no default any more.
  void add_named(Change& change) const {
    Lines names;
    for (const auto& [key, item] : now_.items) {
      if (parted(key).first.empty() && !item.erased && key != "default") names.push_back(key);
    }
    if (!names.empty()) {
      change.notes.push_back("no default export any more, named exports alone: " +
                             joined(names, ", ", 30));
    }
  }

  /// To another type that is reached, and is declared as before.
  /// Of a type that call sites do not name the declaration may be another one: that type is told.
  [[nodiscard]] bool has_moved(const Item& old, const std::string& key) const {
    const auto [type, name] = parted(key);
    const bool named = named_.contains(type);
    const std::string member(name);
    return std::any_of(reached_after_.begin(), reached_after_.end(), [&](const auto& owner) {
      const auto now = now_.items.find(owner + "." + member);
      return now != now_.items.end() && (!named || same_lines(old.heads(), now->second.heads()));
    });
  }

  /// A member of what the default is in one version, and of the package by itself in the other.
  [[nodiscard]] static bool is_known(const Listing& here, const Listing& there,
                                     const std::string& key) {
    const auto [owner, member] = parted(key);
    return !owner.empty() && here.find(member) == key && there.find(member).has_value();
  }

  [[nodiscard]] Turn turn_of(const Item& old, const Item& now) const {
    if (old.throws.empty() && !now.throws.empty()) return Turn::removed;
    bool changed = false;
    if (!old.types.empty() && !now.types.empty()) {
      changed = !same_lines(old.types, now.types);
    } else if (!old_.minified && !now_.minified && !old.source.empty() && !now.source.empty()) {
      const bool signatures = has_signature(old.source) || has_signature(now.source);
      changed = signatures && !same_lines(old.source, now.source) &&
                !same_lines(as_functions(old.source), now.source);
    }
    changed = changed || !without(old.warnings, now.warnings).empty();
    if (changed) return Turn::changed;
    return old.deprecated.empty() && !now.deprecated.empty() ? Turn::deprecated : Turn::same;
  }

  void fill(Change& change, const Item* old, const Item* now) const {
    if (old != nullptr) change.before = old->shown();
    if (now != nullptr) change.after = now->shown();
    // Both in the same language, if they are to be compared.
    if (old != nullptr && now != nullptr && old->types.empty() != now->types.empty() &&
        !old->source.empty() && !now->source.empty() && change.turn == Turn::changed) {
      change.before = old->source;
      change.after = now->source;
      change.after.insert(change.after.end(), now->types.begin(), now->types.end());
    }
    if (change.turn == Turn::changed) {
      std::erase_if(change.before,
                    [&](const std::string& line) { return has_line(change.after, line); });
    }
    change.erased = now != nullptr ? now->erased : old->erased;
    const auto [owner, member] = parted(change.name);
    if (!owner.empty()) change.erased = is_type(old_, owner) || is_type(now_, owner);
    if (old != nullptr && !old->deprecated.empty() && change.turn != Turn::same) {
      const bool one = old->heads().size() > 1;
      change.notes.push_back(std::string("the old version said: deprecated") +
                             (one ? " (an overload), " : ", ") + old->deprecated);
    }
    const Lines warned = old == nullptr   ? Lines{}
                         : now == nullptr ? old->warnings
                                          : without(old->warnings, now->warnings);
    for (const std::string& line : warned) {
      change.notes.push_back("the old version warned: " + line);
    }
    if (now == nullptr) return;
    for (const std::string& line : now->warnings) change.notes.push_back("it warns: " + line);
    if (!now->throws.empty()) change.notes.push_back("all that it does now: " + now->throws);
    if (!now->deprecated.empty()) {
      const bool one = now->heads().size() > 1;
      change.notes.push_back((one ? "deprecated now (an overload): " : "deprecated now: ") +
                             now->deprecated);
    }
    if (change.use == Use::none) return;
    if (change.use == Use::named && !now->summary.empty())
      change.notes.push_back("its comment: " + now->summary);
    if (now->types.empty()) {
      for (const std::string& line : now->parameters) change.notes.push_back("@param " + line);
    }
    add_options(change, old, *now);
  }

  [[nodiscard]] static bool is_type(const Listing& listing, std::string_view owner) {
    const auto item = listing.items.find(owner);
    return item != listing.items.end() && item->second.erased;
  }

  /// Those that call sites say first.
  [[nodiscard]] Lines used_first(Lines names) const {
    std::stable_partition(names.begin(), names.end(),
                          [&](const std::string& name) { return used_.members.contains(name); });
    return names;
  }

  void add_options(Change& change, const Item* old, const Item& now) const {
    constexpr std::size_t kMost = 60;
    if (!now.options.empty() && now.types.empty()) {
      change.notes.push_back("options read: " + joined(used_first(now.options), ", ", kMost));
    }
    if (old == nullptr || old->options.empty() || now.options.empty()) return;
    const Lines gone = used_first(without(old->options, now.options));
    const Lines more = without(now.options, old->options);
    if (!gone.empty()) {
      change.notes.push_back("options no longer read: " + joined(gone, ", ", kMost));
    }
    if (!more.empty()) change.notes.push_back("options read newly: " + joined(more, ", ", kMost));
  }

  const Used::Path& path_;
  const Listing& old_;
  const Listing& now_;
  const Used& used_;
  const Used::Names names_;  // of the path
  std::string_view package_;
  bool both_typed_ = false;
  Words named_;          // keys
  Words typed_members_;  // names of members that declarations know
  Words reached_before_;
  Words reached_after_;
  std::vector<Change> out_;
};

}  // namespace

std::vector<Change> changes_between(const Used::Path& path, const Listing& old, const Listing& now,
                                    const Used& used, std::string_view package) {
  return Comparer(path, old, now, used, package).run();
}

}  // namespace cg::upgrade
