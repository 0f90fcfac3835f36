#include "corpora.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "base/json/json.h"
#include "model/canary/scan.h"

namespace cg::canary_corpora {
namespace {

std::vector<json::Value> lines_of(const std::filesystem::path& path) {
  std::vector<json::Value> out;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    if (auto value = json::parse_json(line)) out.push_back(*std::move(value));
  }
  return out;
}

std::string text_at(const json::Value& value, std::string_view key) {
  const json::Value* const member = value.find(key);
  const std::string* const text = member == nullptr ? nullptr : member->as_string();
  return text == nullptr ? std::string() : *text;
}

std::vector<Sample> samples(const std::filesystem::path& path) {
  std::vector<Sample> out;
  for (const json::Value& line : lines_of(path)) {
    Sample sample;
    sample.source = text_at(line, "source");
    sample.source = sample.source.substr(0, sample.source.find(':'));
    sample.kind = text_at(line, "kind");
    const json::Value* const is_explicit = line.find("explicit");
    sample.is_explicit = is_explicit != nullptr && is_explicit->as_bool().value_or(false);
    sample.text = text_at(line, "text");
    out.push_back(std::move(sample));
  }
  return out;
}

double wilson(const Rate& rate, double sign) {
  if (rate.of == 0) return 0;
  constexpr double kZ = 1.959964;
  const auto n = static_cast<double>(rate.of);
  const double p = rate.share();
  const double middle = p + kZ * kZ / (2 * n);
  const double spread = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  return (middle + sign * spread) / (1 + kZ * kZ / n);
}

}  // namespace

std::vector<Sample> attacks(const std::filesystem::path& data) {
  return samples(data / "injection" / "injection_open.jsonl");
}

std::vector<Sample> benign(const std::filesystem::path& data) {
  return samples(data / "injection" / "benign_open.jsonl");
}

std::vector<Sample> advisories(const std::filesystem::path& data) {
  std::vector<Sample> out;
  for (const json::Value& line : lines_of(data / "osv-npm.jsonl")) {
    Sample sample;
    sample.source = "OSV npm";
    sample.kind = "advisory";
    sample.text = text_at(line, "summary") + "\n" + text_at(line, "details");
    out.push_back(std::move(sample));
  }
  return out;
}

double Rate::share() const {
  return of == 0 ? 0 : static_cast<double>(flagged) / static_cast<double>(of);
}
double Rate::low() const { return flagged == 0 ? 0 : wilson(*this, -1); }
double Rate::high() const { return flagged == of ? 1 : wilson(*this, 1); }

bool flagged(std::string_view text, SourceKind kind) { return canary::scan(text, kind).collided(); }

Rate rate(const std::vector<Sample>& samples, SourceKind kind,
          const std::function<bool(const Sample&)>& counts) {
  Rate out;
  for (const Sample& sample : samples) {
    if (!counts(sample)) continue;
    ++out.of;
    if (flagged(sample.text, kind)) ++out.flagged;
  }
  return out;
}

std::vector<LeftOut> left_out(const std::vector<Sample>& attacks) {
  using Ids = std::set<std::string_view>;
  std::map<std::string_view, std::set<std::string>> sources;  // by pattern
  std::vector<Ids> found;                                     // by attack
  for (const Sample& sample : attacks) {
    Ids ids;
    for (const canary::Hit& hit : canary::scan(sample.text, SourceKind::repo_readme).hits)
      ids.insert(hit.pattern);
    for (const std::string_view id : ids) sources[id].insert(sample.source);
    found.push_back(std::move(ids));
  }
  std::map<std::string, LeftOut> out;
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    if (!attacks[i].is_explicit) continue;
    LeftOut& one = out[attacks[i].source];
    one.source = attacks[i].source;
    ++one.all.of;
    ++one.without.of;
    if (!found[i].empty()) ++one.all.flagged;
    if (std::any_of(found[i].begin(), found[i].end(),
                    [&](std::string_view id) { return sources[id].size() > 1; }))
      ++one.without.flagged;
  }
  for (const auto& [id, where] : sources) {
    const auto one = out.find(*where.begin());
    if (where.size() == 1 && one != out.end()) ++one->second.own;
  }
  std::vector<LeftOut> rows;
  for (auto& [source, row] : out) rows.push_back(std::move(row));
  return rows;
}

SourceKind fenced_as(std::string_view kind) {
  if (kind.starts_with("log-")) return SourceKind::sandbox_stderr;
  if (kind.starts_with("advisory")) return SourceKind::cve_description;
  if (kind == "package-description") return SourceKind::transitive_dep_meta;
  return SourceKind::repo_readme;
}

}  // namespace cg::canary_corpora
