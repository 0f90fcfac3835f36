// BLAKE3 of a large file, ours against b3sum, both as whole processes.
#include <filesystem>
#include <fstream>
#include <random>

#include "base/base/text.h"
#include "perf.h"

namespace {

using namespace cg::perf;

constexpr std::uint64_t kMebibyte = 1 << 20;

/// A file of random bytes, kept between runs.
std::string make_file(std::uint64_t mebibytes) {
  std::string path = work_folder() + "/random-" + std::to_string(mebibytes) + "-mib";
  std::error_code missing;
  if (std::filesystem::file_size(path, missing) == mebibytes * kMebibyte && !missing) return path;
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> block(kMebibyte / sizeof(std::uint64_t));
  std::ofstream file(path, std::ios::binary);
  for (std::uint64_t i = 0; i < mebibytes; ++i) {
    for (std::uint64_t& word : block) word = random();
    file.write(reinterpret_cast<const char*>(block.data()), kMebibyte);
  }
  file.close();
  if (!file) give_up("cannot make " + path);
  return path;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--mib", "--repeats"});
  const bool quick = arguments.has("--quick");
  const std::uint64_t mebibytes = arguments.number("--mib", quick ? 32 : 1024);
  const std::size_t repeats = arguments.number("--repeats", quick ? 3 : 9);
  const std::string what = "BLAKE3 of " + with_commas(mebibytes) + " MiB, ";
  const Bar bar{Bar::Kind::at_least, 0.9};
  const Row rows[] = {{"b3", what + "CPU", "b3sum", bar}, {"b3", what + "wall", "b3sum", bar}};

  const auto b3sum = find_program("b3sum");
  if (!b3sum) {
    for (const Row& row : rows) report_absent(row, "b3sum is not in $PATH");
    return 0;
  }
  const std::string file = make_file(mebibytes);
  const std::vector<std::string> ours{CG_B3, file};
  const std::vector<std::string> theirs{*b3sum, "--num-threads", "1", "--no-names", file};
  // Both read all of it here, so the page cache is warm from here on.
  if (output_of(ours) != output_of(theirs)) give_up("b3sum computes another digest");
  report_fact(std::string(cg::trim(output_of({*b3sum, "--version"}))) +
              ", one thread, warm page cache");

  const auto measure = [&](Clock clock) {
    const auto costs = interleave(
        repeats, {[&] { return cost_of_process(ours); }, [&] { return cost_of_process(theirs); }});
    return Pair{summary(costs[0], clock), summary(costs[1], clock)};
  };
  report(rows[0], [&] { return measure(Clock::cpu); });
  report(rows[1], [&] { return measure(Clock::wall); });
}
