// Rows 15 and 16: how fast a whole log is verified, and how small it lies on disk.
#include "trust/audit/verify.h"

#include <zstd.h>

#include <filesystem>

#include "floor.h"
#include "log_maker.h"
#include "perf.h"
#include "trust/audit/layout.h"

namespace {

using namespace cg::perf;
namespace audit = cg::audit;
namespace os = cg::os;

struct Bench {
  LogPlace place;
  os::Dir events;
  LogFiles files;
};

enum class Reuse { if_good, never };

/// The log of `entries` entries, kept between runs for as long as it verifies.
Bench prepare(std::uint64_t entries, Reuse reuse) {
  const std::string folder = work_folder() + "/log-" + std::to_string(entries);
  const LogPlace place{folder + "/home", folder + "/guard"};
  if (reuse == Reuse::never || !is_good_log(place, entries)) {
    const Cost cost = cost_of([&] { make_log(place, entries); });
    report_fact("log made through audit::Log in " + fixed(cost.wall, 1) + " s, " +
                fixed(cost.cpu, 1) + " s of CPU");
  }
  os::Dir events = must(os::Dir::open(place.home + "/" + audit::kEvents));
  LogFiles files = files_of(events);
  return {place, std::move(events), std::move(files)};
}

/// The verifier and the floor must have seen the same entries.
void check(const Bench& bench, std::uint64_t entries) {
  const audit::LogReport report = verified(bench.place);
  const Hashed floor = hash_lines(bench.events, bench.files);
  if (report.entries != entries || floor.entries != entries) give_up("entries are missing");
  if (report.head != floor.head) give_up("the floor does not compute the chain");
  if (!report.checkpoint || report.checkpoint->root != floor.root) {
    give_up("the floor does not compute the tree");
  }
}

void report_verify(const Bench& bench, std::uint64_t entries, std::size_t repeats) {
  std::vector<std::vector<Cost>> costs;
  std::uint64_t bytes = 0;
  report(
      {"15", "verify " + with_commas(entries) + " events", "floor", {Bar::Kind::at_most, 1.5}},
      [&] {
        costs = interleave(
            repeats,
            {[&] { return cost_of([&] { bytes = verified(bench.place).bytes; }); },
             [&] {
               return cost_of([&] { static_cast<void>(hash_lines(bench.events, bench.files)); });
             },
             [&] {
               return cost_of([&] { static_cast<void>(hash_in_bulk(bench.events, bench.files)); });
             }});
        return Pair{summary(costs[0], Clock::cpu), summary(costs[1], Clock::cpu)};
      });
  const double gb = static_cast<double>(bytes) * 1e-9;
  const double ours = summary(costs[0], Clock::cpu).min;
  const double floor = summary(costs[1], Clock::cpu).min;
  const double bulk = summary(costs[2], Clock::cpu).min;
  report_fact("CPU time; " + fixed(gb / ours, 2) + " GB/s of JSONL, " +
              fixed(static_cast<double>(entries) * 1e-6 / ours, 2) +
              " M events/s (stretch: >= 0.5 " + "GB/s); the floor runs at " + fixed(gb / floor, 2) +
              " GB/s");
  report_fact("not the bar: read + decompress + one bulk BLAKE3 " + fixed(bulk, 3) + " s, ratio " +
              fixed(ours / bulk, 2));
}

std::uint64_t size_of(const os::Dir& events, const std::vector<std::string>& paths) {
  std::uint64_t sum = 0;
  for (const std::string& path : paths) sum += must(events.stat(path)).size;
  return sum;
}

/// As `zstd -3` packs it: one frame, whole file.
std::size_t size_by_zstd(const std::string& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3);
  if (ZSTD_isError(size) != 0) give_up("zstd does not compress");
  return size;
}

Pair sizes(std::uint64_t ours, std::uint64_t other) {
  const auto a = static_cast<double>(ours);
  const auto b = static_cast<double>(other);
  return {{a, a}, {b, b}};
}

/// Sizes do not vary: one look is enough, and a second would tell nothing.
void report_sizes(const Bench& bench) {
  const Row smaller{"16",          "sealed files", "JSONL", {Bar::Kind::at_least, 4},
                    Judge::median, Unit::bytes};
  const Row as_zstd{"16",          "sealed files", "zstd -3", {Bar::Kind::at_least, 0.9},
                    Judge::median, Unit::bytes};
  if (bench.files.sealed.empty()) {
    report_absent(smaller, "so few events are not sealed");
    report_absent(as_zstd, "so few events are not sealed");
    return;
  }
  const std::string lines = sealed_lines(bench.events, bench.files);
  const std::uint64_t sealed = size_of(bench.events, bench.files.sealed);
  const std::size_t by_zstd = size_by_zstd(lines);
  report(smaller, [&] { return sizes(sealed, lines.size()); });
  report(as_zstd, [&] { return sizes(sealed, by_zstd); });
  const std::uint64_t plain = size_of(bench.events, bench.files.plain);
  report_fact(with_commas(bench.files.sealed.size()) +
              " segments; with tiles, checkpoint and state " + with_commas(sealed + plain) +
              " B, ratio " +
              fixed(static_cast<double>(lines.size()) / static_cast<double>(sealed + plain), 2));
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick", "--fresh"}, {"--events", "--repeats"});
  const bool quick = arguments.has("--quick");
  const std::uint64_t entries = arguments.number("--events", quick ? 20'000 : 1'000'000);
  const std::size_t repeats = arguments.number("--repeats", quick ? 3 : 9);
  const Bench bench = prepare(entries, arguments.has("--fresh") ? Reuse::never : Reuse::if_good);
  check(bench, entries);  // and the page cache is warm from here on
  report_verify(bench, entries, repeats);
  report_sizes(bench);
}
