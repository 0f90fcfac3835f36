// Each program loads exactly the libraries it is meant to, and only those that exist
// for the network have any of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "fence.h"

namespace cg::fence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The dynamic loader's name depends on the processor; the sanitizers bring
/// libraries of their own and undo -static-libstdc++.
bool is_toolchain(const std::string& library) {
  if (fits(library, "ld-linux*")) return true;
  if (std::string_view(CG_SANITIZERS).empty()) return false;
  const auto names = [&](const char* pattern) { return fits(library, pattern); };
  static constexpr const char* kPatterns[] = {"libasan.so*", "libgcc_s.so*", "libstdc++.so*",
                                              "libtsan.so*", "libubsan.so*"};
  return std::any_of(std::begin(kPatterns), std::end(kPatterns), names);
}

std::set<std::string> needed_in(const std::string& readelf) {
  static const std::regex needed(R"(\(NEEDED\).*\[([^\]]+)\])");
  std::set<std::string> found;
  for (std::sregex_iterator it(readelf.begin(), readelf.end(), needed), end; it != end; ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

Complaints check_needed(const std::string& program, const std::set<std::string>& needed,
                        const std::set<std::string>& meant) {
  Complaints out;
  for (const std::string& library : needed) {
    if (!meant.contains(library) && !is_toolchain(library)) {
      out.push_back(program + " must not load " + library);
    }
  }
  for (const std::string& library : meant) {
    if (!needed.contains(library)) out.push_back(program + " no longer loads " + library);
  }
  return out;
}

/// What programs may have of the network: the one that dials has no TLS, those with TLS
/// cannot dial, the shelf listens on loopback, and the jail asks for its own loopback to be up.
bool is_its_job(const std::string& program, const std::string& symbol) {
  if (program == "codegenie-shelf") {
    return symbol == "socket" || symbol == "bind" || symbol == "listen" || symbol == "accept4";
  }
  if (program == "codegenie-jail") return symbol == "socket";
  if (program == "codegenie-broker") {
    return symbol == "socket" || symbol == "connect" || symbol == "getaddrinfo";
  }
  const bool speaks_tls = program == "codegenie-fetch" || program == "codegenie-leaf";
  return speaks_tls && symbol.starts_with("SSL_");
}

/// `nm` is one symbol per line, perhaps with a version: "connect@GLIBC_2.2.5".
Complaints check_no_network(const std::string& program, const std::string& nm) {
  static constexpr const char* kNetwork[] = {
      "SSL_*",       "accept",         "accept4", "bind",       "connect",
      "getaddrinfo", "gethostbyname*", "listen",  "res_query*", "socket",
  };
  Complaints out;
  for (const std::string& line : lines_of(nm)) {
    const std::string symbol = line.substr(0, line.find('@'));
    const auto names = [&](const char* pattern) { return fits(symbol, pattern); };
    if (std::any_of(std::begin(kNetwork), std::end(kNetwork), names) &&
        !is_its_job(program, symbol)) {
      out.push_back(program + " has " + symbol);
    }
  }
  return out;
}

std::map<std::string, std::set<std::string>> link_sets() {
  std::map<std::string, std::set<std::string>> sets;
  for (const std::string& line : list_file("link_sets.txt")) {
    const std::vector<std::string> words = words_of(line);
    sets[words[0]] = {words.begin() + 1, words.end()};
  }
  return sets;
}

std::map<std::string, std::string> programs() {  // name, file
  std::map<std::string, std::string> found;
  for (const std::string& file : words_of(CG_PROGRAMS)) {
    found[std::filesystem::path(file).filename()] = file;
  }
  return found;
}

TEST(LinkFence, SeesWhatIsTooMuchAndTooLittle) {
  const std::string readelf =
      " 0x0001 (NEEDED)             Shared library: [libcurl.so.4]\n"
      " 0x0001 (NEEDED)             Shared library: [libc.so.6]\n"
      " 0x0001 (NEEDED)             Shared library: [ld-linux-x86-64.so.2]\n"
      " 0x000c (INIT)               0x9000\n";
  EXPECT_THAT(check_needed("p", needed_in(readelf), {"libc.so.6", "libm.so.6"}),
              ElementsAre("p must not load libcurl.so.4", "p no longer loads libm.so.6"));
}

TEST(LinkFence, SeesTheNetwork) {
  const std::string nm = "SSL_new\nconnect@GLIBC_2.2.5\nconnected\nmain\nsocket\n";
  EXPECT_THAT(check_no_network("p", nm),
              ElementsAre(HasSubstr("SSL_new"), HasSubstr("connect"), HasSubstr("socket")));
  EXPECT_THAT(check_no_network("codegenie-broker", nm), ElementsAre(HasSubstr("SSL_new")));
  EXPECT_THAT(check_no_network("codegenie-fetch", nm),
              ElementsAre(HasSubstr("connect"), HasSubstr("socket")));
}

TEST(LinkFence, EveryProgramHasASet) {
  std::set<std::string> built;
  for (const auto& [name, file] : programs()) built.insert(name);
  std::set<std::string> listed;
  for (const auto& [name, set] : link_sets()) listed.insert(name);
  EXPECT_THAT(built, Not(IsEmpty()));
  EXPECT_EQ(built, listed);
}

TEST(LinkFence, ProgramsLoadExactlyTheirSet) {
  const auto sets = link_sets();
  Complaints complaints;
  for (const auto& [name, file] : programs()) {
    const std::set<std::string> needed = needed_in(output_of({"readelf", "-d", "-W", file}));
    if (!sets.contains(name)) continue;  // the test above complains
    EXPECT_EQ(needed.empty(), sets.at(name).empty()) << name;
    for (auto& c : check_needed(name, needed, sets.at(name))) complaints.push_back(c);
  }
  EXPECT_EQ(joined(complaints), "");
}

/// What builds jails and runs steps in them is in the two programs that do.
Complaints check_no_inside(const std::string& program, const std::string& nm) {
  if (program == "codegenie-jail" || nm.find("2cg6inside") == std::string::npos) return {};
  return {program + " has a part of cg::inside"};
}

TEST(LinkFence, SeesTheInside) {
  const std::string nm = "main\n_ZN2cg6inside9make_cellERKNS0_4SiteE\n";
  EXPECT_THAT(check_no_inside("codegenie", nm), testing::SizeIs(1));
  EXPECT_THAT(check_no_inside("codegenie-jail", nm), IsEmpty());
}

TEST(LinkFence, ProgramsHaveNoNetworkNorTheInside) {
  Complaints complaints;
  for (const auto& [name, file] : programs()) {
    if (name == "codegenie-init") continue;  // static and stripped; its machine has no network
    // The static table is gone from a stripped program, the dynamic one never.
    const std::string symbols = output_of({"nm", "--format=just-symbols", file}) +
                                output_of({"nm", "-D", "--format=just-symbols", file});
    EXPECT_THAT(symbols, HasSubstr("memcpy")) << name;
    for (auto& c : check_no_network(name, symbols)) complaints.push_back(c);
    for (auto& c : check_no_inside(name, symbols)) complaints.push_back(c);
  }
  EXPECT_EQ(joined(complaints), "");
}

}  // namespace
}  // namespace cg::fence
