// Row 17: the three records nearest to a vector among many, exactly, against Debian's faiss.
#ifdef CG_HAS_FAISS
#include <faiss/IndexFlat.h>
#include <omp.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "learn/retrieve/index.h"
#include "perf.h"

namespace {

using namespace cg;
using namespace cg::perf;

constexpr std::size_t kDims = 384;
constexpr std::size_t kNearest = 3;

using Flat = std::vector<float>;

/// Of length one, in groups of fifty as texts about the same thing are; from fixed seeds.
Flat make_vectors(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&] { return static_cast<float>(random() % 65536) / 32768.0F - 1.0F; };
  Flat out(count * kDims);
  Flat middle(kDims);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 50 == 0) std::generate(middle.begin(), middle.end(), draw);
    float* row = out.data() + i * kDims;
    double square = 0;
    for (std::size_t k = 0; k < kDims; ++k) {
      row[k] = middle[k] + 1.5F * draw();
      square += double{row[k]} * double{row[k]};
    }
    for (std::size_t k = 0; k < kDims; ++k) row[k] = static_cast<float>(row[k] / std::sqrt(square));
  }
  return out;
}

std::vector<retrieve::Row> rows_of(const Flat& all) {
  std::vector<retrieve::Row> out;
  for (std::size_t i = 0; i < all.size(); i += kDims) out.push_back({all.data() + i, kDims});
  return out;
}

std::vector<std::size_t> ask(const retrieve::Index& index, retrieve::Row asked) {
  std::vector<std::size_t> out;
  for (const auto& found : index.nearest(asked, index.estimate(asked), {kNearest, 1, {}})) {
    out.push_back(found.row);
  }
  return out;
}

/// How many of the truly nearest were found; nearest by sums of doubles.
double recall(const retrieve::Index& index, const std::vector<retrieve::Row>& rows,
              const std::vector<retrieve::Row>& asked) {
  std::size_t right = 0;
  for (const retrieve::Row& one : asked) {
    std::vector<std::pair<double, std::size_t>> all;
    for (std::size_t i = 0; i < rows.size(); ++i)
      all.emplace_back(-retrieve::product(rows[i], one), i);
    std::partial_sort(all.begin(), all.begin() + kNearest, all.end());
    const auto found = ask(index, one);
    for (std::size_t k = 0; k < kNearest; ++k) {
      right += std::count(found.begin(), found.end(), all[k].second) > 0 ? 1U : 0U;
    }
  }
  return static_cast<double>(right) / static_cast<double>(asked.size() * kNearest);
}

std::string milliseconds(double seconds) { return fixed(seconds * 1000, 3) + " ms"; }

/// What a question takes, when all are asked one after the other.
Summary seconds_each(std::vector<Cost> costs, std::size_t questions) {
  for (Cost& cost : costs) cost.wall /= static_cast<double>(questions);
  return summary(costs, Clock::wall);
}

struct Scene {
  std::size_t count;
  std::size_t repeats;
  const Flat& all;
  const Flat& questions;
  std::vector<retrieve::Row> rows;
  std::vector<retrieve::Row> asked;
};

Body asking(const Scene& scene, const retrieve::Index& index) {
  return [&] {
    return cost_of([&] {
      for (const retrieve::Row& one : scene.asked) static_cast<void>(ask(index, one));
    });
  };
}

#ifdef CG_HAS_FAISS
using Number = faiss::Index::idx_t;

void against_faiss(const Row& row, const Scene& scene, const retrieve::Index& index) {
  faiss::IndexFlatIP flat(static_cast<Number>(kDims));
  flat.add(static_cast<Number>(scene.count), scene.all.data());
  std::vector<float> products(scene.asked.size() * kNearest);
  std::vector<Number> nearest(products.size());
  const Body theirs = [&] {
    return cost_of([&] {
      for (const retrieve::Row& one : scene.asked) {
        flat.search(1, one.data(), kNearest, products.data(), nearest.data());
      }
    });
  };
  report(row, [&] {
    const auto costs = interleave(scene.repeats, {asking(scene, index), theirs});
    return Pair{seconds_each(costs[0], scene.asked.size()),
                seconds_each(costs[1], scene.asked.size())};
  });
  const Body batch = [&] {
    return cost_of([&] {
      flat.search(static_cast<Number>(scene.asked.size()), scene.questions.data(), kNearest,
                  products.data(), nearest.data());
    });
  };
  const Summary each = seconds_each(interleave(3, {batch})[0], scene.asked.size());
  report_fact("not the bar: faiss, " + std::to_string(scene.asked.size()) +
              " questions at once, each " + milliseconds(each.min));
  const char* core = std::getenv("OPENBLAS_CORETYPE");
  report_fact("OPENBLAS_CORETYPE " + std::string(core == nullptr ? "is not set" : core) +
              "; threads of OpenMP: " + std::to_string(omp_get_max_threads()));
}
#else
void against_faiss(const Row& row, const Scene&, const retrieve::Index&) {
  report_absent(row, "it was built without libfaiss-dev and libopenblas-dev");
}
#endif

void measure(std::size_t count, std::size_t repeats, std::size_t questions) {
  const Flat all = make_vectors(count, 1);
  Flat moved = make_vectors(questions, 2);
  // Every second question lies near a row, the others nowhere in particular.
  for (std::size_t i = 0; i < questions; i += 2) {
    std::copy_n(all.data() + i * 37 % count * kDims, kDims, moved.data() + i * kDims);
    std::swap(moved[i * kDims], moved[i * kDims + 1]);
  }
  const Scene scene{count, repeats, all, moved, rows_of(all), rows_of(moved)};
  const std::string of = with_commas(count) + " x " + std::to_string(kDims);
  for (const retrieve::Way& way : retrieve::ways()) {
    const retrieve::Index index(kDims, scene.rows, way);
    const double found = recall(index, scene.rows, scene.asked);
    if (found < 1) give_up("recall@3 is " + fixed(found, 4) + ", " + std::string(way.name));
    if (way.name == retrieve::ways().front().name) {
      against_faiss({"17", "top-3 of " + of, "faiss IndexFlatIP", {Bar::Kind::at_least, 5}}, scene,
                    index);
    }
    const Summary each = seconds_each(interleave(3, {asking(scene, index)})[0], questions);
    report_fact("recall@3 " + fixed(found, 3) + " of " + std::to_string(questions) +
                " questions, " + std::string(way.name) + ", " + milliseconds(each.min));
  }
  report({"17", "index of " + of, "0.2 s per 100,000", {Bar::Kind::at_most, 1}}, [&] {
    const auto costs =
        interleave(repeats, {[&] { return cost_of([&] { retrieve::Index(kDims, scene.rows); }); }});
    const double most = 0.2 * static_cast<double>(count) / 100'000;
    return Pair{summary(costs[0], Clock::wall), {most, most}};
  });
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const bool quick = arguments.has("--quick");
  const std::size_t repeats = arguments.number("--repeats", quick ? 1 : 9);
  ask_for_priority();
  for (const std::size_t count : {std::size_t{10'000}, std::size_t{100'000}}) {
    measure(quick ? count / 20 : count, repeats, quick ? 4 : 32);
  }
  return 0;
}
