// What a reviewer asks about packages that move: where they come from, and what they bring.
#include <algorithm>

#include "fix/report/document.h"

namespace cg::report {

namespace {

std::string scripts_words(Scripts scripts) {
  switch (scripts) {
    case Scripts::none:
      return "no install scripts";
    case Scripts::unchanged:
      return "install scripts as before";
    case Scripts::added:
      return "install scripts ADDED";
    case Scripts::removed:
      return "install scripts removed";
    case Scripts::unknown:
      break;
  }
  return "install scripts not known";
}

Line host_words(const Moved& moved) {
  if (moved.to.empty()) return {ours("gone")};
  if (moved.host.empty()) return {ours("registry not known")};
  if (moved.host_before.empty()) return {ours("from "), code(moved.host)};
  if (moved.host == moved.host_before) return {ours("registry unchanged")};
  return {ours("registry CHANGED from "), code(moved.host_before), ours(" to "), code(moved.host)};
}

std::string integrity_words(const Moved& moved) {
  if (moved.to.empty()) return "–";
  if (moved.integrity.empty()) return "NO integrity";
  for (const char* algorithm : {"sha512-", "sha384-", "sha256-", "sha1-"}) {
    const std::string_view name(algorithm);
    if (moved.integrity.starts_with(name))
      return "integrity " + std::string(name.substr(0, name.size() - 1));
  }
  return "integrity of another kind";
}

Line publisher_words(const Moved& moved) {
  if (moved.publisher.empty()) return {ours("publisher not known")};
  if (moved.publisher_before.empty()) return {ours("by "), words(moved.publisher)};
  if (moved.publisher == moved.publisher_before) return {ours("publisher as before")};
  return {ours("publisher CHANGED from "), words(moved.publisher_before), ours(" to "),
          words(moved.publisher)};
}

Line one_moved(const Moved& moved) {
  Line out = {ours("published "),
              moved.published.empty() ? ours("on a day not known") : words(moved.published),
              ours(" · ")};
  out += publisher_words(moved);
  out.push_back(ours(" · " + scripts_words(moved.scripts) + " · "));
  out += host_words(moved);
  out.push_back(ours(" · " + integrity_words(moved)));
  return out;
}

}  // namespace

Line supply_fact(const Case& c) {
  if (c.moved.empty()) return {ours("no package moves")};
  if (c.moved.size() == 1) return one_moved(c.moved.front());
  std::vector<std::string> scripted, rehosted, bare, republished, unknown;
  for (const Moved& moved : c.moved) {
    if (moved.to.empty()) continue;
    if (moved.scripts == Scripts::added) scripted.push_back(moved.package);
    if (!moved.host_before.empty() && moved.host != moved.host_before)
      rehosted.push_back(moved.package);
    if (moved.integrity.empty()) bare.push_back(moved.package);
    const bool known = !moved.publisher.empty() && !moved.publisher_before.empty();
    if (!known) unknown.push_back(moved.package);
    if (known && moved.publisher != moved.publisher_before) republished.push_back(moved.package);
  }
  Line out;
  const auto say = [&](const std::vector<std::string>& names, const char* some, const char* none) {
    out.push_back(ours(names.empty() ? none : some));
    if (!names.empty()) out += codes(names, 5);
  };
  say(scripted, "install scripts ADDED by ", "none adds install scripts");
  say(rehosted, " · registry CHANGED for ", " · registry unchanged");
  say(bare, " · NO integrity for ", " · all with integrity");
  say(republished, " · publisher CHANGED for ",
      unknown.empty() ? " · publishers as before" : " · publishers not all known");
  return out;
}

Section moved_section(const Case& c) {
  Section out{{ours("Packages that move")}, {}, {}, {}};
  out.table.head = {"Package",         "From",   "To",        "Published",
                    "Install scripts", "Source", "Publisher", "Integrity"};
  for (const Moved& moved : c.moved) {
    out.table.rows.push_back(
        {{code(moved.package)},
         {moved.from.empty() ? ours("new") : code(moved.from)},
         {moved.to.empty() ? ours("gone") : code(moved.to)},
         {moved.published.empty() ? ours("not known") : words(moved.published)},
         {ours(scripts_words(moved.scripts))},
         host_words(moved),
         publisher_words(moved),
         {ours(integrity_words(moved))}});
  }
  return out;
}

/// What the two tarballs differ in, as far as it runs somewhere.
Section news_section(const Case& c) {
  Section out{{ours("What the new versions bring")}, {}, {}, {}};
  out.table.head = {"Package", "From", "To", "New in it"};
  for (const Moved& moved : c.moved) {
    for (const std::string& line : moved.news) {
      out.table.rows.push_back(
          {{code(moved.package)}, {code(moved.from)}, {code(moved.to)}, {words(line)}});
    }
  }
  return out;
}

}  // namespace cg::report
