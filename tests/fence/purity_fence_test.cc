// Pure modules do no I/O: their object code needs nothing that could.
//
// The sources are not asked, because a macro or a library header can hide a call;
// the symbols that the linker would have to find cannot be hidden.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fence.h"
#include "support/support.h"

namespace cg::fence {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Deny-listed, unlike C symbols: C++ names are too many to list, and those of
/// the standard library that reach outside are few.
constexpr std::string_view kImpure[] = {
    "std::basic_filebuf<",
    "std::basic_fstream<",
    "std::basic_ifstream<",
    "std::basic_ofstream<",
    "std::basic_osyncstream<",
    "std::cerr",
    "std::chrono::",
    "std::cin",
    "std::clog",
    "std::condition_variable",
    "std::cout",
    "std::filesystem::",
    "std::ios_base::Init",
    "std::random_device",
    "std::this_thread",
    "std::thread",
};

std::set<std::string> undefined(const std::string& archive, const std::string& flag) {
  std::set<std::string> symbols;
  const std::string listing =
      output_of({"nm", "--undefined-only", "--format=just-symbols", flag, archive});
  for (const std::string& line : lines_of(listing)) {
    if (!line.empty() && !line.ends_with(':')) symbols.insert(line);  // "member.o:"
  }
  return symbols;
}

std::vector<std::string> allowed_symbols() {
  std::vector<std::string> allowed = list_file("pure_symbols.txt");
  if (std::string_view(CG_SANITIZERS).empty()) return allowed;
  for (const char* pattern : {"__asan_*", "__sancov_*", "__sanitizer_*", "__tsan_*", "__ubsan_*"}) {
    allowed.emplace_back(pattern);
  }
  return allowed;
}

Complaints check_purity(const std::string& archive, const std::vector<std::string>& allowed) {
  Complaints out;
  const auto complain = [&](const std::string& symbol) {
    out.push_back(std::filesystem::path(archive).filename().string() + " needs " + symbol);
  };
  for (const std::string& symbol : undefined(archive, "--no-demangle")) {
    const auto allows = [&](const std::string& pattern) { return fits(symbol, pattern); };
    const bool is_c = !symbol.starts_with("_Z");
    if (is_c && std::none_of(allowed.begin(), allowed.end(), allows)) complain(symbol);
  }
  for (const std::string& symbol : undefined(archive, "--demangle")) {
    const auto names = [&](std::string_view name) {
      return symbol.find(name) != std::string::npos;
    };
    if (std::any_of(std::begin(kImpure), std::end(kImpure), names)) complain(symbol);
  }
  return out;
}

Complaints check_pure_deps(const std::vector<Module>& modules) {
  Complaints out;
  for (const Module& module : modules) {
    for (const std::string& dep : module.deps) {
      const Module* other = find(modules, dep);
      if (!module.pure || (other != nullptr && other->pure)) continue;
      out.push_back(module.name + " is pure but depends on " + dep);
    }
  }
  return out;
}

TEST(PurityFence, SeesEachPlantedViolation) {
  const Complaints found = check_purity(CG_PLANTED_ARCHIVE, allowed_symbols());
  for (const char* name :
       {"getenv", "printf", "puts", "std::cerr", "std::basic_ifstream", "std::filesystem",
        "std::chrono::_V2::system_clock", "std::chrono::_V2::steady_clock", "std::random_device",
        "std::thread", "pthread_mutex_lock"}) {
    EXPECT_THAT(found, Contains(AllOf(HasSubstr("planted"), HasSubstr(name))));
  }
}

TEST(PurityFence, PureModulesDependOnPureModules) {
  EXPECT_THAT(check_pure_deps(parse_modules(
                  "g/os shell o.a\ng/b pure b.a\ng/c pure c.a b os\ng/d shell d.a os\n")),
              ElementsAre("c is pure but depends on os"));
  EXPECT_EQ(joined(check_pure_deps(modules())), "");
}

TEST(PurityFence, HoldsInEveryPureModule) {
  const std::vector<std::string> allowed = allowed_symbols();
  Complaints complaints;
  std::size_t seen = 0;
  for (const Module& module : modules()) {
    if (!module.pure) continue;
    ++seen;
    EXPECT_THAT(undefined(module.archive, "--no-demangle"), Not(IsEmpty())) << module.name;
    for (auto& c : check_purity(module.archive, allowed)) complaints.push_back(c);
  }
  EXPECT_GE(seen, 3U) << "saw too few pure modules";
  EXPECT_EQ(joined(complaints), "");
}

TEST(PurityFence, ListIsGroupedSortedAndReasoned) {
  std::string last;
  bool reasoned = false;
  for (const std::string& line :
       lines_of(test::read(source_dir() / "tests/fence/pure_symbols.txt"))) {
    if (line.empty()) {
      last.clear();
      reasoned = false;
    } else if (line.starts_with('#')) {
      reasoned = true;
    } else {
      EXPECT_TRUE(reasoned) << "no reason above " << line;
      EXPECT_LT(last, line) << "out of order";
      last = line;
    }
  }
}

}  // namespace
}  // namespace cg::fence
