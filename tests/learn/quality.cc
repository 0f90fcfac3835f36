// How well the record of a break is found for another repository that has the same break.
//
//   learn_quality [--sweep] [--others N] [--model DIR]
//
// Records: the real breaks of tests/ask/facts as if solved; of the same packages other breaks
// (other versions, and the very call sites that are asked with, under other names); other packages
// with the same words (forks by another name, advisories in the same words); and one of each of N
// other real advisories. Asked: each file of a break, renamed and restyled, with other versions of
// the same majors and another advisory of the package where there is one.
//
// What two versions have differently, and so a break, follows from which versions they are: with
// that text in the question everybody finds nearly everything. So it is all measured twice, and the
// bar is held where records and questions are without it ("withheld"). Versions are never compared.
//
// Ends with 1 if the hybrid is not better than BM25 by 10 points of recall@3 there, or worse
// anywhere. With --model there are rows of a sentence encoder from DIR too, which are only shown:
// what it is worth depends on who trained it. Ids of weights and bands are those of
// src/learn/retrieve/weights.cc.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>

#include "base/base/text.h"
#include "bm25.h"
#include "corpus.h"
#include "flow/precedent/aspects.h"
#include "learn/lexical/lexical.h"
#include "learn/pinned/home.h"
#include "learn/retrieve/retrieve.h"
#include "support/support.h"

namespace cg::quality {
namespace {

using example::Aspects;
using example::Example;
using retrieve::Weights;
using Order = std::vector<std::size_t>;  // of records, the best first
using Vectors = std::vector<std::vector<float>>;

constexpr std::size_t kDeep = 100;

struct Setting {
  const char* name;
  bool difference;  // is in the texts
  bool package;     // is in the texts, and counts
};
constexpr Setting kSettings[] = {{"as the program asks", true, true},
                                 {"differences withheld", false, true},
                                 {"package names withheld", true, false},
                                 {"differences and package names withheld", false, false}};

Aspects aspects(const Example& of, const Setting& setting) {
  Aspects out = example::aspects_of(of);
  if (!setting.difference) out.difference.clear();
  if (!setting.package) {
    for (std::string* text : {&out.summary, &out.difference, &out.usage}) {
      *text = replaced(*text, of.package, "pkg");
    }
  }
  return out;
}

std::string words(const Aspects& of) { return of.summary + "\n" + of.difference + "\n" + of.usage; }

std::string fields(const Example& of, const Setting& setting) {
  std::string out = setting.package ? " " + of.package : "";
  out += " " + std::string(example::name(of.breaks));
  for (const auto* list : {&of.weaknesses, &of.changed, &of.aliases}) {
    for (const std::string& each : *list) out += " " + each;
  }
  return out + " " + of.advisory;
}

struct Tally {
  double first = 0, third = 0, reciprocal = 0;
  std::size_t asked = 0, below_sibling = 0, below_twin = 0;
  [[nodiscard]] double recall1() const { return first / static_cast<double>(asked); }
  [[nodiscard]] double recall3() const { return third / static_cast<double>(asked); }
  [[nodiscard]] double mrr() const { return reciprocal / static_cast<double>(asked); }
};

bool is_right(const Record& record, const Asked& asked) {
  return record.sort == Sort::solved && record.of == asked.of;
}

/// Which half of the breaks one is in: what is chosen on one is shown on the other.
bool is_second(const Asked& asked) {
  unsigned hash = 0;
  for (const char c : asked.of) hash = hash * 31 + static_cast<unsigned char>(c);
  return hash % 2 == 1;
}

enum class Half { first, second, both };
bool wanted(Half half, const Asked& asked) {
  return half == Half::both || is_second(asked) == (half == Half::second);
}

Tally tally(const Corpus& corpus, const std::vector<Order>& orders, Half half = Half::both) {
  Tally out;
  for (std::size_t a = 0; a < orders.size(); ++a) {
    const Asked& asked = corpus.asked[a];
    if (!wanted(half, asked)) continue;
    ++out.asked;
    std::size_t rank = 0;
    bool sibling = false;
    bool twin = false;
    for (std::size_t k = 0; k < orders[a].size() && rank == 0; ++k) {
      const Record& record = corpus.records[orders[a][k]];
      if (is_right(record, asked)) rank = k + 1;
      if (record.of != asked.of || rank != 0) continue;
      sibling = sibling || record.sort == Sort::sibling;
      twin = twin || record.sort == Sort::twin;
    }
    out.first += rank == 1 ? 1 : 0;
    out.third += rank >= 1 && rank <= 3 ? 1 : 0;
    out.reciprocal += rank == 0 ? 0 : 1 / static_cast<double>(rank);
    out.below_sibling += sibling ? 1U : 0U;
    out.below_twin += twin ? 1U : 0U;
  }
  return out;
}

void print(const char* name, const Tally& of) {
  std::printf("  %-34s %.3f %.3f %.3f   %3zu %3zu of %zu\n", name, of.recall1(), of.recall3(),
              of.mrr(), of.below_sibling, of.below_twin, of.asked);
}

/// What the hybrid compares, once: the sums of any weights follow.
struct Matrix {
  std::vector<std::vector<retrieve::Score>> agreement;  // by question and record
  std::vector<std::vector<double>> product;
};

using Embed = std::function<std::vector<float>(const Aspects&)>;

Embed by_words(const lexical::Rules& rules = {}) {
  return [rules](const Aspects& of) { return lexical::embed(of, rules); };
}
Embed by(pinned::Model& model) {
  return [&model](const Aspects& of) {
    auto out = precedent::vector_by(model, of);
    if (!out) throw std::runtime_error(out.error().what);
    return *std::move(out);
  };
}

Vectors embedded(const auto& list, const Setting& setting, const Embed& embed) {
  Vectors out;
  for (const auto& each : list) out.push_back(embed(aspects(each.example, setting)));
  return out;
}

retrieve::Case case_of(const Asked& asked) {
  const Example& of = asked.example;
  retrieve::Case out{of.partition, of.aliases, of.weaknesses, of.package, of.from,
                     of.to,        of.breaks,  of.changed,    {}};
  out.aliases.push_back(of.advisory);
  return out;
}

Matrix matrix(const Corpus& corpus, const Setting& setting, const Embed& embed = by_words()) {
  const Vectors records = embedded(corpus.records, setting, embed);
  const Vectors asked = embedded(corpus.asked, setting, embed);
  std::vector<Example> examples;
  for (const Record& record : corpus.records) examples.push_back(record.example);
  std::vector<retrieve::Case> cases;
  for (const Asked& one : corpus.asked) cases.push_back(case_of(one));
  if (!setting.package) {  // all seem to be of one, or names that changed would tell
    for (Example& one : examples) one.package.clear();
    for (retrieve::Case& one : cases) one.package.clear();
  }
  Matrix out;
  for (std::size_t a = 0; a < asked.size(); ++a) {
    auto& agreements = out.agreement.emplace_back();
    auto& products = out.product.emplace_back();
    for (std::size_t i = 0; i < records.size(); ++i) {
      agreements.push_back(retrieve::agreement(Weights{}, cases[a], examples[i]));
      products.push_back(retrieve::product(asked[a], records[i]));
    }
  }
  return out;
}

std::int64_t sum_of(const Weights& w, const Matrix& of, std::size_t a, std::size_t i) {
  const retrieve::Score& s = of.agreement[a][i];
  const auto x = [](std::int64_t weight, retrieve::Millionths part) {
    return weight * part / retrieve::kWhole;
  };
  return x(w.vector, retrieve::millionths(of.product[a][i])) + x(w.aliases, s.aliases) +
         x(w.package, s.package) + x(w.weakness, s.weakness) + x(w.breaks, s.breaks) +
         x(w.changed, s.changed);
}

std::vector<Order> orders(const Corpus& corpus, const Matrix& of, const Weights& weights) {
  std::vector<Order> out;
  for (std::size_t a = 0; a < corpus.asked.size(); ++a) {
    std::vector<std::pair<std::int64_t, std::size_t>> list;
    for (std::size_t i = 0; i < corpus.records.size(); ++i) {
      list.emplace_back(-sum_of(weights, of, a, i), i);
    }
    std::partial_sort(list.begin(), list.begin() + kDeep, list.end());
    Order& order = out.emplace_back();
    for (std::size_t k = 0; k < kDeep; ++k) order.push_back(list[k].second);
  }
  return out;
}

std::vector<Order> found_by(const Bm25& bm25, const Corpus& corpus,
                            const std::function<std::string(const Example&)>& text) {
  std::vector<Order> out;
  for (const Asked& asked : corpus.asked) out.push_back(bm25.find(text(asked.example), kDeep));
  return out;
}

Tally bm25(const Corpus& corpus, const std::function<std::string(const Example&)>& text) {
  std::vector<std::string> texts;
  for (const Record& record : corpus.records) texts.push_back(text(record.example));
  return tally(corpus, found_by(Bm25(texts), corpus, text));
}

/// True if the hybrid is as good as it has to be.
bool show(const Corpus& corpus, const Setting& setting, pinned::Model* model) {
  std::printf("\n%s\n  %-34s %5s %5s %5s   below a sibling, a twin\n", setting.name, "", "r@1",
              "r@3", "MRR");
  const Tally texts = bm25(corpus, [&](const Example& e) { return words(aspects(e, setting)); });
  print("BM25 of the texts", texts);
  const Tally all = bm25(
      corpus, [&](const Example& e) { return words(aspects(e, setting)) + fields(e, setting); });
  print("BM25 of the texts and all fields", all);
  const Matrix of = matrix(corpus, setting);
  Weights weights = retrieve::weights_of(lexical::kId);
  if (!setting.package) weights.package = 0;
  print("built-in embedder alone", tally(corpus, orders(corpus, of, {"", 1'000'000})));
  const Tally hybrid = tally(corpus, orders(corpus, of, weights));
  print("hybrid", hybrid);
  Weights less = weights;
  less.aliases = less.package = 0;
  print("hybrid without advisory, package", tally(corpus, orders(corpus, of, less)));
  less = weights;
  less.changed = less.breaks = 0;
  print("hybrid without names and kind", tally(corpus, orders(corpus, of, less)));
  if (model != nullptr) {
    const Matrix encoded = matrix(corpus, setting, by(*model));
    print("encoder alone", tally(corpus, orders(corpus, encoded, {"", 1'000'000})));
    Weights any = retrieve::weights_of("");
    if (!setting.package) any.package = 0;
    print("hybrid with the encoder", tally(corpus, orders(corpus, encoded, any)));
  }
  const double margin = hybrid.recall3() - std::max(texts.recall3(), all.recall3());
  std::printf("  hybrid is better than the better BM25 by %.1f points of recall@3\n", 100 * margin);
  return margin >= (setting.difference || !setting.package ? 0 : 0.10);
}

/// Of the record that comes first, with the right one there and without it: how often it is right.
void show_bands(const Corpus& corpus, const Matrix& of, const Weights& weights) {
  std::printf("\nbands, every question asked twice: with its record in the store and without\n");
  for (const Half half : {Half::first, Half::second}) {
    std::size_t asked = 0;
    std::map<retrieve::Band, std::array<std::size_t, 3>> first;  // right, same package, other
    const auto ranked = orders(corpus, of, weights);
    for (std::size_t a = 0; a < corpus.asked.size(); ++a) {
      if (!wanted(half, corpus.asked[a])) continue;
      ++asked;
      for (const bool there : {true, false}) {
        for (const std::size_t i : ranked[a]) {
          const Record& record = corpus.records[i];
          const bool right = is_right(record, corpus.asked[a]);
          if (right && !there) continue;
          const bool same = record.example.package == corpus.asked[a].example.package;
          const auto score = retrieve::calibrated(weights, sum_of(weights, of, a, i));
          ++first[retrieve::band_of(weights, score)][right ? 0U : same ? 1U : 2U];
          break;
        }
      }
    }
    std::printf("  %s half, %zu questions\n", half == Half::first ? "first" : "second", asked);
    for (const auto band : {retrieve::Band::hit, retrieve::Band::degraded, retrieve::Band::miss}) {
      const auto& n = first[band];
      std::printf("    %-9s first is right %zu, same package %zu, another %zu\n",
                  std::string(retrieve::name(band)).c_str(), n[0], n[1], n[2]);
    }
  }
}

void sweep(const Corpus& corpus) {
  const Weights chosen = retrieve::weights_of(lexical::kId);
  const auto row = [&](const std::string& name, const Matrix& with, const Matrix& without,
                       const Weights& weights) {
    std::printf("  %-34s", name.c_str());
    for (const Half half : {Half::first, Half::second}) {
      for (const Matrix* of : {&with, &without}) {
        const Tally t = tally(corpus, orders(corpus, *of, weights), half);
        std::printf("  %.3f %.3f %.3f", t.recall1(), t.recall3(), t.mrr());
      }
    }
    std::printf("\n");
  };
  std::printf("\nsweep: r@1 r@3 MRR of the first half as asked, withheld; then of the second\n");
  struct Named {
    std::string name;
    lexical::Rules rules;
  };
  std::vector<Named> rules = {{"the rules as they are", {}}};
  const auto vary = [&](const std::string& name, auto&& change) {
    change(rules.emplace_back(Named{name, {}}).rules);
  };
  for (const std::size_t n : {256U, 384U, 1024U}) {
    vary("dims " + std::to_string(n), [&](auto& r) { r.dims = n; });
  }
  for (const int n : {0, 4, 16})
    vary("part " + std::to_string(n), [&](auto& r) { r.kinds.part = n; });
  for (const int n : {0, 4, 8})
    vary("gram " + std::to_string(n), [&](auto& r) { r.kinds.gram = n; });
  for (const int n : {0, 2, 4}) {
    vary("common " + std::to_string(n), [&](auto& r) { r.kinds.common = n; });
  }
  for (const int n : {1, 2, 8})
    vary("difference " + std::to_string(n), [&](auto& r) { r.difference = n; });
  for (const int n : {0, 2}) {
    vary("summary " + std::to_string(n), [&](auto& r) { r.summary = n; });
    vary("usage " + std::to_string(n), [&](auto& r) { r.usage = n; });
  }
  for (const Named& one : rules) {
    row(one.name, matrix(corpus, kSettings[0], by_words(one.rules)),
        matrix(corpus, kSettings[1], by_words(one.rules)), chosen);
  }
  const Matrix with = matrix(corpus, kSettings[0]);
  const Matrix without = matrix(corpus, kSettings[1]);
  const struct {
    const char* name;
    retrieve::Millionths Weights::*weight;
  } kParts[] = {{"vector", &Weights::vector},   {"aliases", &Weights::aliases},
                {"package", &Weights::package}, {"weakness", &Weights::weakness},
                {"breaks", &Weights::breaks},   {"changed", &Weights::changed}};
  for (const auto& part : kParts) {
    for (const int percent : {0, 50, 200, 400}) {
      Weights weights = chosen;
      weights.*part.weight = weights.*part.weight / 100 * percent;
      row(std::string(part.name) + " x " + std::to_string(percent) + " %", with, without, weights);
    }
  }
}

int run(int argc, char** argv) {
  std::size_t others = 2400;
  bool sweeps = false;
  std::optional<pinned::Model> model;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--sweep") {
      sweeps = true;
    } else if (word == "--others" && i + 1 < argc) {
      others = parse_u64(argv[++i]).value_or(others);
    } else if (word == "--model" && i + 1 < argc) {
      auto opened = pinned::open_unpinned(argv[++i], encoder::Precision::fp32);
      if (!opened) throw std::runtime_error(opened.error().what);
      model.emplace(*std::move(opened));
    } else {
      std::fprintf(stderr, "usage: learn_quality [--sweep] [--others N] [--model DIR]\n");
      return 2;
    }
  }
  const auto data = test::data_dir();
  if (!data) throw std::runtime_error(test::kNoData);
  const Corpus corpus = real_corpus(*data, CG_QUALITY_WORK, others);
  std::map<Sort, std::size_t> counts;
  for (const Record& record : corpus.records) ++counts[record.sort];
  std::printf(
      "%zu records: %zu breaks, %zu other breaks of their packages, %zu of other packages "
      "in the same words, %zu of other advisories; %zu questions\n",
      corpus.records.size(), counts[Sort::solved], counts[Sort::sibling], counts[Sort::twin],
      counts[Sort::other], corpus.asked.size());
  bool good = true;
  for (const Setting& setting : kSettings)
    good = show(corpus, setting, model ? &*model : nullptr) && good;
  show_bands(corpus, matrix(corpus, kSettings[0]), retrieve::weights_of(lexical::kId));
  if (sweeps) sweep(corpus);
  std::printf("\n%s\n", good ? "met" : "NOT MET");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace cg::quality

int main(int argc, char** argv) {
  try {
    return cg::quality::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "learn_quality: %s\n", error.what());
    return 1;
  }
}
