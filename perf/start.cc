// Row 6: how long codegenie takes to start, as whole processes.
#include "base/base/text.h"
#include "perf.h"

namespace {

using namespace cg::perf;

void warm_up(const std::vector<std::vector<std::string>>& programs) {
  for (int i = 0; i < 10; ++i) {
    for (const auto& argv : programs) static_cast<void>(cost_of_process(argv));
  }
}

/// Wall time: what a person at a prompt waits for.
Pair side_by_side(std::size_t repeats, const std::vector<std::string>& ours,
                  const std::vector<std::string>& other) {
  const auto costs = interleave(
      repeats, {[&] { return cost_of_process(ours); }, [&] { return cost_of_process(other); }});
  return {summary(costs[0], Clock::wall), summary(costs[1], Clock::wall)};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const std::size_t repeats = arguments.number("--repeats", arguments.has("--quick") ? 20 : 400);
  const std::size_t npm_repeats = arguments.has("--quick") ? 1 : 9;
  const std::vector<std::string> version{CG_CODEGENIE, "--version"};
  const std::vector<std::string> help{CG_CODEGENIE, "--help"};
  const std::vector<std::string> hello{CG_HELLO};

  if (!output_of(version).starts_with("codegenie ")) give_up("codegenie --version says no version");
  if (output_of(help).find("audit") == std::string::npos) give_up("codegenie --help says no help");
  if (output_of(hello) != "hello\n") give_up("hello does not say hello");
  ask_for_priority();
  warm_up({version, help, hello});

  const Bar near_hello{Bar::Kind::at_most, 3};
  report({"6", "start, codegenie --version", "static hello", near_hello},
         [&] { return side_by_side(repeats, version, hello); });
  report({"6", "start, codegenie --help", "static hello", near_hello},
         [&] { return side_by_side(repeats, help, hello); });

  const Row against_npm{"6", "start, --version", "npm", {Bar::Kind::at_least, 50}};
  const auto npm = find_program("npm");
  if (!npm) {
    report_absent(against_npm, "npm is not in $PATH");
    return 0;
  }
  const std::vector<std::string> npm_version{*npm, "--version"};
  report_fact("npm " + std::string(cg::trim(output_of(npm_version))));
  report(against_npm, [&] { return side_by_side(npm_repeats, version, npm_version); });
}
