// The published table: what share of each corpus the canary flags, with 95 % intervals.
//
//   CG_DATA=… corpora_table        prints markdown
#include <cstdio>
#include <cstdlib>
#include <map>

#include "corpora.h"
#include "model/canary/patterns.h"
#include "model/canary/scan.h"

namespace {

using namespace cg;
using namespace cg::canary_corpora;

void print(const std::string& what, std::string_view kind, const Rate& rate) {
  std::printf("| %s | %s | %zu | %zu | %.2f %% | %.2f to %.2f %% |\n", what.c_str(),
              std::string(kind).c_str(), rate.of, rate.flagged, 100 * rate.share(),
              100 * rate.low(), 100 * rate.high());
}
void heading(const char* title, const char* first) {
  std::printf("\n## %s\n\n| %s | scanned as | texts | flagged | rate | 95 %% |\n", title, first);
  std::printf("|---|---|---:|---:|---:|---|\n");
}
bool any(const Sample&) { return true; }

void attack_rows(const std::vector<Sample>& all) {
  heading("Attacks", "corpus");
  const auto is_explicit = [](const Sample& sample) { return sample.is_explicit; };
  for (const SourceKind kind : kSourceKinds)
    print("explicit, all sources", name(kind), rate(all, kind, is_explicit));
  print("not explicit", "repo_readme", rate(all, SourceKind::repo_readme, [](const Sample& sample) {
          return !sample.is_explicit;
        }));
  std::map<std::string, std::size_t> sources;
  for (const Sample& sample : all) sources[sample.source] += sample.is_explicit ? 1 : 0;
  for (const auto& [source, count] : sources) {
    if (count == 0) continue;
    print(source, "repo_readme", rate(all, SourceKind::repo_readme, [&](const Sample& sample) {
            return sample.is_explicit && sample.source == source;
          }));
  }
}

void benign_rows(const std::vector<Sample>& all, const std::vector<Sample>& advisories) {
  heading("Benign texts", "corpus");
  print("npm advisories, all", "cve_description",
        rate(advisories, SourceKind::cve_description, any));
  std::map<std::string, std::size_t> kinds;
  for (const Sample& sample : all) ++kinds[sample.kind];
  for (const auto& [kind, count] : kinds) {
    print(kind, name(fenced_as(kind)),
          rate(all, fenced_as(kind), [&](const Sample& sample) { return sample.kind == kind; }));
  }
}

void left_out_rows(const std::vector<Sample>& all) {
  std::printf("\n## Each source left out\n\n");
  std::printf("| source | texts | flagged | without it | rate | 95 %% | patterns of its own |\n");
  std::printf("|---|---:|---:|---:|---:|---|---:|\n");
  const auto row = [](const LeftOut& one) {
    std::printf("| %s | %zu | %zu | %zu | %.2f %% | %.2f to %.2f %% | %zu |\n", one.source.c_str(),
                one.all.of, one.all.flagged, one.without.flagged, 100 * one.without.share(),
                100 * one.without.low(), 100 * one.without.high(), one.own);
  };
  LeftOut sum{"together", {}, {}};
  for (const LeftOut& one : left_out(all)) {
    row(one);
    sum.all.of += one.all.of;
    sum.all.flagged += one.all.flagged;
    sum.without.of += one.without.of;
    sum.without.flagged += one.without.flagged;
    sum.own += one.own;
  }
  row(sum);
}

void disguise_rows(const std::vector<Sample>& all) {
  heading("Disguised, of what is caught plain", "disguise");
  std::vector<Sample> caught;
  for (const Sample& sample : all) {
    if (sample.is_explicit && flagged(sample.text, SourceKind::repo_readme))
      caught.push_back(sample);
  }
  for (const Disguise& disguise : disguises()) {
    std::vector<Sample> worn = caught;
    for (Sample& sample : worn) sample.text = disguise.wear(sample.text);
    print(std::string(disguise.name), "repo_readme", rate(worn, SourceKind::repo_readme, any));
  }
}

}  // namespace

int main() {
  const char* const data = std::getenv("CG_DATA");
  if (data == nullptr) {
    std::puts("CG_DATA names no corpora");
    return 0;
  }
  std::printf("# Canary: rates on public corpora\n\nPattern list %u, %zu patterns.\n",
              canary::patterns_version(), canary::patterns().size());
  const std::vector<Sample> attack_texts = attacks(data);
  attack_rows(attack_texts);
  left_out_rows(attack_texts);
  benign_rows(benign(data), advisories(data));
  disguise_rows(attack_texts);
}
