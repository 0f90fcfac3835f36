#include "vuln/vulnindex/index.h"

#include <algorithm>

#include "base/base/text.h"
#include "vuln/advisory/rule.h"

namespace cg::vulnindex {

namespace {

constexpr std::size_t kMaxQuery = 256;

bool mentions(const advisory::Brief& brief, const std::string& wanted) {
  if (lower_ascii(brief.id).find(wanted) != std::string::npos) return true;
  if (lower_ascii(brief.summary).find(wanted) != std::string::npos) return true;
  return std::any_of(brief.aliases.begin(), brief.aliases.end(), [&](const std::string& alias) {
    return lower_ascii(alias).find(wanted) != std::string::npos;
  });
}

}  // namespace

Error from_store(const store::Error& error, const std::string& path) {
  switch (error.kind) {
    case store::Error::Kind::not_found:
      return {Error::Kind::missing, path, error.what};
    case store::Error::Kind::busy:
      return {Error::Kind::busy, path, error.what};
    case store::Error::Kind::no_space:
      return {Error::Kind::no_space, path, error.what};
    case store::Error::Kind::corrupt:
    case store::Error::Kind::constraint:
      return {Error::Kind::corrupt, path, error.what};
    case store::Error::Kind::other:
      break;
  }
  return {Error::Kind::io, path, error.what};
}

// Inside of Index: a store error becomes ours.
#define CG_STORE(target, step)                                            \
  auto CG_CONCAT(stored_, __LINE__) = (step);                             \
  if (!CG_CONCAT(stored_, __LINE__))                                      \
    return fail(from_store(CG_CONCAT(stored_, __LINE__).error(), path_)); \
  target = *std::move(CG_CONCAT(stored_, __LINE__))

Index::Index(store::Database database, std::string path)
    : database_(std::move(database)), path_(std::move(path)), filter_(NameFilter::from_bytes({})) {}

Error Index::corrupt(std::string what) const {
  return {Error::Kind::corrupt, path_, std::move(what)};
}

Result<Index, Error> Index::open(const std::string& path) {
  auto database = store::Database::open(path, store::Access::immutable);
  if (!database) return fail(from_store(database.error(), path));
  Index index(*std::move(database), path);
  CG_TRY(index.load());
  return index;
}

Result<Done, Error> Index::load() {
  CG_STORE(auto meta, database_.prepare("SELECT key, value FROM meta"));
  std::map<std::string, std::string> values;
  while (true) {
    CG_STORE(const bool row, meta.step());
    if (!row) break;
    values[meta.text(0).value_or("")] = meta.text(1).value_or("");
  }
  const auto number = [&](const std::string& key) { return parse_u64(values[key]); };
  if (number("schema") != kSchema) {
    return fail(Error{Error::Kind::version, path_, "schema " + printable(values["schema"])});
  }
  const auto built = parse_iso(values["built"]);
  const auto newest = parse_iso(values["newest"]);
  const auto advisories = number("advisories");
  const auto malware = number("malware");
  const auto packages = number("packages");
  const auto rejected = number("rejected");
  if (!built || !newest || !advisories || !malware || !packages || !rejected) {
    return fail(corrupt("its facts cannot be read"));
  }
  summary_ = {values["digest"], *built, *newest, *advisories, *malware, *packages, {}, *rejected};
  constexpr std::string_view kSource = "source.";
  for (const auto& [key, value] : values) {
    if (!key.starts_with(kSource)) continue;
    const auto count = parse_u64(value);
    if (!count) return fail(corrupt("its facts cannot be read"));
    summary_.sources[key.substr(kSource.size())] = *count;
  }
  CG_STORE(auto filter, database_.prepare("SELECT bytes FROM filter"));
  CG_STORE(const bool row, filter.step());
  const std::string sealed = row ? filter.blob(0).value_or("") : "";
  const auto opened = open_rules("", sealed);
  if (!opened || opened->size() != 1) return fail(corrupt("its filter fails its checksum"));
  filter_ = NameFilter::from_bytes(std::string(opened->front()));
  CG_STORE(rules_, database_.prepare("SELECT rules FROM package WHERE name = ?"));
  return Done{};
}

Result<std::optional<Rules>, Error> Index::rules(std::string_view package) {
  if (!filter_.may_have(package)) return std::optional<Rules>();
  rules_->reset();
  rules_->bind(1, package);
  CG_STORE(const bool row, rules_->step());
  if (!row) return std::optional<Rules>();
  Rules out{std::make_unique<std::string>(rules_->blob(0).value_or("")), {}};
  auto opened = open_rules(package, *out.bytes);
  if (!opened) {
    return fail(corrupt("the rules of `" + printable(package) + "` fail their checksum"));
  }
  out.rules = *std::move(opened);
  return std::optional<Rules>(std::move(out));
}

Result<std::optional<advisory::Brief>, Error> Index::brief(const std::string& group) {
  if (!brief_) {
    CG_STORE(brief_, database_.prepare("SELECT bytes FROM brief WHERE grp = ?"));
  }
  brief_->reset();
  brief_->bind(1, group);
  CG_STORE(const bool row, brief_->step());
  if (!row) return std::optional<advisory::Brief>();
  auto brief = advisory::decode_brief(brief_->blob(0).value_or(""));
  if (!brief) return fail(corrupt("the summary of " + printable(group) + " cannot be read"));
  return brief;
}

Result<std::vector<std::string>, Error> Index::groups_of(std::string_view id) {
  CG_STORE(auto query, database_.prepare("SELECT grp FROM name WHERE id = ?"));
  query.bind(1, lower_ascii(id.substr(0, kMaxQuery)));
  std::vector<std::string> out;
  while (true) {
    CG_STORE(const bool row, query.step());
    if (!row) return out;
    out.push_back(query.text(0).value_or(""));
  }
}

Result<std::vector<Record>, Error> Index::records(const std::string& group) {
  CG_TRY_ASSIGN(const auto found, brief(group));
  std::vector<std::string> ids{group};
  if (found) ids.insert(ids.end(), found->aliases.begin(), found->aliases.end());
  CG_STORE(auto query, database_.prepare("SELECT source, bytes FROM record WHERE id = ?"
                                         " ORDER BY source"));
  std::vector<Record> out;
  for (const std::string& id : ids) {
    query.reset();
    query.bind(1, id);
    while (true) {
      CG_STORE(const bool row, query.step());
      if (!row) break;
      out.push_back({query.text(0).value_or(""), id, query.text(1).value_or("")});
    }
  }
  return out;
}

Result<std::vector<std::string>, Error> Index::packages_of(const std::string& group) {
  std::vector<std::string> out;
  CG_STORE(auto query, database_.prepare("SELECT name, rules FROM package"));
  while (true) {
    CG_STORE(const bool row, query.step());
    if (!row) return out;
    const std::string package = query.text(0).value_or("");
    const std::string sealed = query.blob(1).value_or("");
    if (sealed.find(group) == std::string::npos) continue;
    const auto rules = open_rules(package, sealed);
    if (!rules)
      return fail(corrupt("the rules of `" + printable(package) + "` fail their checksum"));
    for (const std::string_view rule : *rules) {
      const auto view = advisory::RuleView::parse(rule);
      if (!view) return fail(corrupt("a rule of `" + printable(package) + "` cannot be read"));
      if (view->advisory() == group && (out.empty() || out.back() != package))
        out.push_back(package);
    }
  }
}

Result<std::vector<advisory::Brief>, Error> Index::search(std::string_view text, std::size_t max) {
  const std::string wanted = lower_ascii(text.substr(0, kMaxQuery));
  std::vector<advisory::Brief> out;
  CG_STORE(auto packages, database_.prepare("SELECT name, rules FROM package"));
  std::vector<std::string> groups;
  while (true) {
    CG_STORE(const bool row, packages.step());
    if (!row) break;
    const std::string package = packages.text(0).value_or("");
    if (lower_ascii(package).find(wanted) == std::string::npos) continue;
    const std::string sealed = packages.blob(1).value_or("");
    const auto rules = open_rules(package, sealed);
    if (!rules)
      return fail(corrupt("the rules of `" + printable(package) + "` fail their checksum"));
    for (const std::string_view rule : *rules) {
      if (const auto view = advisory::RuleView::parse(rule)) groups.emplace_back(view->advisory());
    }
  }
  std::sort(groups.begin(), groups.end());
  CG_STORE(auto briefs, database_.prepare("SELECT bytes FROM brief"));
  while (out.size() < max) {
    CG_STORE(const bool row, briefs.step());
    if (!row) break;
    auto brief = advisory::decode_brief(briefs.blob(0).value_or(""));
    if (!brief) return fail(corrupt("a summary cannot be read"));
    if (mentions(*brief, wanted) || std::binary_search(groups.begin(), groups.end(), brief->id)) {
      out.push_back(*std::move(brief));
    }
  }
  return out;
}

Result<std::vector<Rejected>, Error> Index::rejected() {
  CG_STORE(auto query, database_.prepare("SELECT place, id, reason FROM rejected"));
  std::vector<Rejected> out;
  while (true) {
    CG_STORE(const bool row, query.step());
    if (!row) return out;
    out.push_back(
        {query.text(0).value_or(""), query.text(1).value_or(""), query.text(2).value_or("")});
  }
}

}  // namespace cg::vulnindex
