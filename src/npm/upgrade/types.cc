#include <algorithm>
#include <deque>

#include "npm/upgrade/changes.h"
#include "npm/upgrade/head.h"

namespace cg::upgrade {

namespace {

constexpr std::size_t kMaxTypes = 60;
constexpr std::size_t kMaxTypeText = 900;  // bytes
constexpr std::size_t kMaxBrief = 480;     // of what is used
constexpr std::size_t kMaxBriefHead = 200;
constexpr std::size_t kMaxNames = 240;   // of what is not
constexpr std::size_t kMaxOthers = 300;  // bytes of members that are not used
constexpr std::size_t kMaxWholeType = 4000;
constexpr std::size_t kMaxTypeChanges = 12;

/// Types that the declarations of what is used speak of, as they are now.
class TypeTeller {
 public:
  TypeTeller(const Listing& old, const Listing& now, const Used& used)
      : old_(old), now_(now), used_(used) {}

  std::vector<Type> run(const std::vector<Change>& changes) {
    for (const Change& change : changes) {
      if (change.use == Use::none) continue;
      open(change.name);
      if (change.turn == Turn::removed) {
        for (const std::string& near : change.nearest) {
          const std::string key = key_of(near);
          if (now_.items.contains(key)) add(key, 0, true);
          open(key);
        }
      }
    }
    constexpr int kMaxDeep = 3;
    constexpr int kMaxLed = 5;
    struct Found {
      bool first;  // something of it is used, or what is used of another leads to it
      Type type;
    };
    std::vector<Found> found;
    while (found.size() < kMaxTypes) {
      std::deque<Open>& from = first_.empty() ? open_ : first_;
      if (from.empty()) break;
      const auto [name, depth] = from.front();
      const bool led = &from == &first_;
      from.pop_front();
      const auto item = now_.items.find(name);
      const int most = led ? kMaxLed : kMaxDeep;
      if (item == now_.items.end() || depth > most || !known_.insert(name).second) continue;
      std::size_t members = 0;
      Type type = tell(name, item->second, members);
      if (!type.text.empty()) found.push_back({led || members > 0, std::move(type)});
      open(name, depth + 1);
    }
    // Not by how much of it is used: else in the order in which it was reached.
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.first && !b.first; });
    std::vector<Type> out;
    for (Found& each : found) out.push_back(std::move(each.type));
    return out;
  }

 private:
  /// "a" of "a: string", "function a(b)", "class a extends b".
  static std::string key_of(const std::string& near) {
    if (const std::size_t colon = near.find(": "); colon != near.npos) {
      if (near.find_first_of(" (<") > colon) return near.substr(0, colon);
    }
    std::string_view rest = near;
    for (const std::string_view word : {"async ", "abstract ", "function ", "class ", "const ",
                                        "interface ", "type ", "enum ", "namespace "}) {
      if (rest.starts_with(word)) rest.remove_prefix(word.size());
    }
    return std::string(rest.substr(0, rest.find_first_of(" (<:")));
  }

  void open(const std::string& key, int depth = 0) {
    auto item = now_.items.find(key);
    if (item == now_.items.end() && depth == 0) {
      // What can be had by itself, and is a member of the default now.
      const auto other = now_.find(key);
      if (other) item = now_.items.find(*other);
    }
    if (item == now_.items.end()) return;
    if (depth == 0 && item->second.erased) add(key, 0, true);
    for (const std::string& word : item->second.mentions) add(word, depth, depth == 0);
    if (const auto bases = now_.bases.find(key); bases != now_.bases.end()) {
      // What it is based on is a part of it.
      for (const std::string& base : bases->second) add(base, std::max(depth - 1, 0), depth == 0);
    }
    if (depth == 0) return;
    const std::string prefix = key + ".";
    for (auto i = now_.items.lower_bound(prefix);
         i != now_.items.end() && i->first.starts_with(prefix); ++i) {
      // What is called has parameters, whether anybody says its name or not.
      const std::string member = i->first.substr(prefix.size());
      const bool wanted = used_.members.contains(member) || member == "()";
      // Of a class, which has much, what is used of it.
      if (!wanted && (depth > 1 || !item->second.erased)) continue;
      for (const std::string& word : i->second.mentions) add(word, depth + 1, wanted);
    }
  }

  /// What used names and their parts lead to is told before what the rest does.
  void add(const std::string& name, int depth, bool by_use) {
    (by_use ? first_ : open_).emplace_back(name, depth);
  }

  static bool is_type_of_space(const Item& item) {
    return !item.types.empty() && (item.types.front().starts_with("interface ") ||
                                   item.types.front().starts_with("type "));
  }

  [[nodiscard]] Type tell(const std::string& name, const Item& item, std::size_t& members) const {
    Type out;
    out.name = name;
    const bool type = !item.types.empty() && !item.types.front().starts_with("const ") &&
                      !item.types.front().starts_with("function ");
    if (!type) return out;
    Lines used;
    Lines others;
    Lines rest;       // of a class
    Lines names;      // of all that is not used
    Lines commented;  // all with what is said of each
    const std::string prefix = name + ".";
    for (auto i = now_.items.lower_bound(prefix);
         i != now_.items.end() && i->first.starts_with(prefix); ++i) {
      const bool wanted = used_.members.contains(i->first.substr(prefix.size()));
      // The types of a namespace are told by themselves.
      if (!wanted && is_type_of_space(i->second)) continue;
      // Of classes what is used: the rest is much.
      Lines& to = wanted ? used : item.erased ? others : rest;
      to.push_back(joined(i->second.heads(), "; ", 2));
      const std::string& deprecated = i->second.deprecated;
      if (wanted && !deprecated.empty() && deprecated != "yes") {
        to.back() += " /* deprecated: " + one_line(deprecated, 120) + " */";
      }
      if (!wanted) names.push_back(i->first.substr(prefix.size()));
      // What it means is told of what is used, and of what came in its place.
      const std::string& said = i->second.summary;
      const bool fresh = old_.items.contains(name) && !old_.items.contains(i->first);
      const bool told = !said.empty() && (wanted || fresh);
      const std::string text = to.back() + (told ? " /* " + one_line(said, 200) + " */" : "");
      commented.insert(wanted ? commented.begin() : commented.end(), text);
    }
    members = used.size();
    out.text = item.types.front();
    out.whole = out.text;
    const bool is_alias = out.text.starts_with("type ");
    const bool whole = is_alias && !out.text.ends_with("...");
    if (!whole && !(used.empty() && others.empty())) {
      if (is_alias) out.text = out.text.substr(0, out.text.find('='));
      const std::string head = out.text;
      out.brief = one_line(head, kMaxBriefHead) + " { " +
                  one_line(joined(used, "; ", used.size()), kMaxBrief);
      if (!names.empty()) {
        const std::string also = joined(names, ", ", names.size());
        out.brief += (used.empty() ? "also: " : "; also: ") + one_line(also, kMaxNames);
      }
      out.brief += " }";
      // Of what is not used there are names, if there is much of it.
      const std::string all = joined(others, "; ", others.size());
      const std::string more = all.size() <= kMaxOthers || used.empty()
                                   ? all
                                   : "also: " + joined(names, ", ", names.size());
      if (!more.empty()) used.push_back(more);
      out.text = one_line(head + " { " + joined(used, "; ", used.size()) + " }", kMaxTypeText);
      out.whole =
          one_line(head + " { " + joined(commented, "; ", commented.size()) + " }", kMaxWholeType);
    } else if (!rest.empty()) {
      out.whole = one_line(out.text + " { " + joined(commented, "; ", commented.size()) + " }",
                           kMaxWholeType);
    }
    if (item.erased) add_changes(out);
    if (whole) add_said(out);
    return out;
  }

  /// What comments say of members that are used, and that are new or declared otherwise.
  void add_said(Type& out) const {
    const std::string prefix = out.name + ".";
    for (auto i = now_.items.lower_bound(prefix);
         i != now_.items.end() && i->first.starts_with(prefix); ++i) {
      const std::string member = i->first.substr(prefix.size());
      if (!used_.members.contains(member)) continue;
      const auto was = old_.items.find(i->first);
      if (was != old_.items.end() && was->second.heads() == i->second.heads()) continue;
      const Item& item = i->second;
      const std::size_t fallback = item.summary.find("default: ");
      std::string said = fallback == std::string::npos ? "" : item.summary.substr(fallback);
      if (!item.example.empty()) said += (said.empty() ? "" : "; ") + ("as in: " + item.example);
      if (!said.empty()) out.changes.push_back(member + ": " + one_line(said, 200));
    }
  }

  void add_changes(Type& out) const {
    if (!old_.items.contains(out.name)) return;
    const std::string prefix = out.name + ".";
    Lines removed;
    Lines changed;
    for (auto i = old_.items.lower_bound(prefix);
         i != old_.items.end() && i->first.starts_with(prefix); ++i) {
      const auto now = now_.member(out.name, i->first.substr(prefix.size()));
      if (!now) {
        removed.push_back(joined(i->second.heads(), " | ", 2));
      } else if (!says_same(joined(now_.items.find(*now)->second.heads(), "|", 8),
                            joined(i->second.heads(), "|", 8))) {
        changed.push_back(joined(i->second.heads(), " | ", 2));
      }
    }
    if (!removed.empty()) {
      out.changes.push_back("removed of it: " + joined(removed, "; ", kMaxTypeChanges));
    }
    if (!changed.empty()) {
      out.changes.push_back("was of it: " + joined(changed, "; ", kMaxTypeChanges));
    }
  }

  const Listing& old_;
  const Listing& now_;
  const Used& used_;
  using Open = std::pair<std::string, int>;
  std::deque<Open> first_;
  std::deque<Open> open_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace

std::vector<Type> types_behind(const std::vector<Change>& changes, const Listing& old,
                               const Listing& now, const Used& used) {
  return TypeTeller(old, now, used).run(changes);
}

}  // namespace cg::upgrade
