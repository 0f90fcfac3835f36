// Includes follow the declared dependencies; every file belongs to a module.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <utility>

#include "fence.h"
#include "support/support.h"

namespace cg::fence {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kSources = "src/";

struct Include {
  std::size_t line;
  std::string target;
  bool angled;
};

std::vector<Include> includes_of(const Source& source) {
  static const std::regex directive(R"re(^\s*#\s*include\s*(?:(<)([^>]*)>|"([^"]*)"|(.*)).*$)re");
  std::vector<Include> found;
  std::size_t number = 0;
  for (const std::string& line : lines_of(source.text)) {
    ++number;
    std::smatch m;
    if (!std::regex_match(line, m, directive)) continue;
    const bool angled = m[1].matched;
    // A macro as target (the last group) is kept as it is: no module is called that.
    found.push_back({number, m[2].str() + m[3].str() + m[4].str(), angled});
  }
  return found;
}

/// "fix/plan/plan.h": "plan", if there is a module of that name in that group; else "".
std::string module_of(const std::string& path, const std::vector<Module>& modules) {
  const fs::path parts(path);
  if (std::distance(parts.begin(), parts.end()) != 3) return "";
  const Module* module = find(modules, std::next(parts.begin())->string());
  return module != nullptr && module->group == *parts.begin() ? module->name : "";
}

Complaints check_includes(const Source& source, const std::vector<Module>& modules) {
  Complaints out;
  const bool in_src = source.path.starts_with(kSources);
  const Module* own =
      in_src ? find(modules, module_of(source.path.substr(kSources.size()), modules)) : nullptr;
  if (own == nullptr) return {source.path + ": belongs to no module"};
  for (const Include& include : includes_of(source)) {
    const std::string from = module_of(include.target, modules);
    if (include.angled && from.empty()) continue;  // a library
    if (!from.empty() &&
        (from == own->name || std::count(own->deps.begin(), own->deps.end(), from) != 0)) {
      continue;
    }
    if (is_test(source.path) && include.target.starts_with("support/")) continue;
    out.push_back(at(source, include.line) + own->name + " does not depend on " + include.target);
  }
  return out;
}

std::string program_folder(const std::string& path) {  // programs/<program>/…/file
  return path.substr(0, path.find('/', path.find('/') + 1));
}

/// `exists` tells whether the tree holds a path.
Complaints check_program_includes(const Source& source, const std::vector<Module>& modules,
                                  const std::function<bool(const fs::path&)>& exists) {
  Complaints out;
  for (const Include& include : includes_of(source)) {
    const bool is_module = !module_of(include.target, modules).empty();
    if (include.angled && !is_module) continue;
    const bool is_own = !include.target.starts_with("..") &&
                        exists(fs::path(program_folder(source.path)) / include.target);
    if (is_own || (is_module && exists(fs::path("src") / include.target))) continue;
    out.push_back(at(source, include.line) + include.target +
                  " is neither of a module nor its own");
  }
  return out;
}

/// `declared` is the text of the CMakeLists.txt of the file's folder.
Complaints check_listed(const Source& source, const std::string& declared) {
  const std::string name = fs::path(source.path).filename();
  if (name.ends_with(".def")) return {};  // included, not compiled
  if (!is_cpp(name))
    return {source.path + ": fences see .h, .cc and .def, nothing else may be here"};
  static const std::regex separator(R"([\s()]+)");
  const std::set<std::string> words(
      std::sregex_token_iterator(declared.begin(), declared.end(), separator, -1), {});
  if (words.contains(name)) return {};
  return {source.path + ": not listed in the CMakeLists.txt of its module"};
}

Complaints check_order(const std::vector<Module>& modules) {
  Complaints out;
  std::set<std::string> above;
  for (const Module& module : modules) {
    for (const std::string& dep : module.deps) {
      if (above.contains(dep)) continue;
      out.push_back(module.name + " depends on " + dep + ", which is not above it");
    }
    above.insert(module.name);
  }
  return out;
}

/// A group whose modules are not listed one after the other: between the groups there could be
/// a circle.
Complaints check_groups(const std::vector<Module>& modules) {
  Complaints out;
  std::set<std::string> ended;
  std::string current;
  for (const Module& module : modules) {
    if (module.group == current) continue;
    ended.insert(std::exchange(current, module.group));
    if (ended.contains(current)) out.push_back("group " + current + " is listed in two places");
  }
  return out;
}

/// A header and its source are one unit, "src/fix/plan/flat". Complains of those in a circle of
/// includes: a unit that reaches itself through others.
Complaints check_cycles(const std::vector<Source>& sources) {
  const auto unit_of = [](const std::string& path) { return path.substr(0, path.rfind('.')); };
  std::map<std::string, std::set<std::string>> edges;
  for (const Source& source : sources) {
    std::set<std::string>& to = edges[unit_of(source.path)];
    // A program's own headers are named from its folder.
    const std::size_t program = source.path.find('/', source.path.find('/') + 1) + 1;
    for (const Include& include : includes_of(source)) {
      if (include.angled) continue;
      to.insert(unit_of(std::string(kSources) + include.target));
      to.insert(unit_of(source.path.substr(0, program) + include.target));
    }
    to.erase(unit_of(source.path));
  }
  Complaints out;
  for (const auto& [unit, direct] : edges) {
    std::set<std::string> reached;
    std::vector<std::string> open(direct.begin(), direct.end());
    while (!open.empty()) {
      const std::string next = open.back();
      open.pop_back();
      if (!edges.contains(next) || !reached.insert(next).second) continue;
      open.insert(open.end(), edges[next].begin(), edges[next].end());
    }
    if (reached.contains(unit)) out.push_back(unit + ": in a circle of includes");
  }
  return out;
}

std::vector<Module> planted() {
  return parse_modules(
      "low/base pure libbase.a \n"
      "low/os shell libos.a base\n"
      "high/cli pure libcli.a base\n");
}

TEST(IncludeFence, SeesEveryWayToReachAModule) {
  const struct {
    std::string path;
    std::string line;
    std::string complaint;  // empty: must pass
  } cases[] = {
      {"src/high/cli/a.cc", "#include \"high/cli/a.h\"", ""},
      {"src/high/cli/a.cc", "#include \"low/base/a.h\"", ""},
      {"src/high/cli/a.cc", "#include <sys/wait.h>", ""},
      {"src/high/cli/a.cc", "// see #include \"low/os/dir.h\"", ""},
      {"src/high/cli/a_test.cc", "#include \"support/support.h\"", ""},
      {"src/high/cli/a.cc", "#include \"low/os/dir.h\"", "cli does not depend on low/os/dir.h"},
      {"src/high/cli/a_test.cc", "#include \"low/os/dir.h\"",
       "cli does not depend on low/os/dir.h"},
      {"src/high/cli/a.cc", "  #  include \"low/os/dir.h\"  // why",
       "cli does not depend on low/os/dir.h"},
      {"src/high/cli/a.cc", "#include <low/os/dir.h>", "cli does not depend on low/os/dir.h"},
      {"src/high/cli/a.cc", "#include \"../os/dir.h\"", "cli does not depend on ../os/dir.h"},
      {"src/high/cli/a.cc", "#include \"a.h\"", "cli does not depend on a.h"},
      {"src/high/cli/a.cc", "#include OS_HEADER", "cli does not depend on OS_HEADER"},
      {"src/high/cli/a.h", "#include \"support/support.h\"", "cli does not depend on support"},
      {"src/low/base/a.cc", "#include \"high/cli/a.h\"", "base does not depend on high/cli/a.h"},
      {"src/high/new/a.cc", "", "belongs to no module"},
      {"src/high/cli/sub/a.cc", "", "belongs to no module"},
      {"src/a.cc", "", "belongs to no module"},
      {"src/high/base/a.cc", "", "belongs to no module"},
      {"src/high/cli/a.cc", "#include \"high/base/a.h\"", "cli does not depend on high/base/a.h"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.path + " " + c.line);
    const Complaints found = check_includes({c.path, c.line + "\n"}, planted());
    if (c.complaint.empty()) {
      EXPECT_THAT(found, IsEmpty());
    } else {
      EXPECT_THAT(found, ElementsAre(HasSubstr(c.complaint)));
    }
  }
}

TEST(IncludeFence, ProgramsReachModulesAndThemselves) {
  const auto exists = [](const fs::path& path) {
    return path == "src/high/cli/a.h" || path == "programs/p/own.h" ||
           path == "programs/p/../q/own.h";
  };
  const struct {
    std::string line;
    bool good;
  } cases[] = {
      {"#include \"high/cli/a.h\"", true},
      {"#include \"own.h\"", true},
      {"#include <vector>", true},
      {"#include \"support/support.h\"", false},
      {"#include \"../q/own.h\"", false},
      {"#include \"other.h\"", false},
      {"#include <high/cli/missing.h>", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.line);
    for (const char* path : {"programs/p/main.cc", "programs/p/sub/a.cc"}) {
      EXPECT_EQ(check_program_includes({path, c.line}, planted(), exists).empty(), c.good) << path;
    }
  }
}

TEST(IncludeFence, SeesFilesThatNobodyDeclared) {
  const std::string declared = "cg_module(m PURE\n  SOURCES a.cc b.cc\n  TESTS a_test.cc)\n";
  EXPECT_THAT(check_listed({"src/m/b.cc", ""}, declared), IsEmpty());
  EXPECT_THAT(check_listed({"src/m/a_test.cc", ""}, declared), IsEmpty());
  EXPECT_THAT(check_listed({"src/m/list.def", ""}, declared), IsEmpty());
  EXPECT_THAT(check_listed({"src/m/c.cc", ""}, declared), ElementsAre(HasSubstr("not listed")));
  EXPECT_THAT(check_listed({"src/m/test.cc", ""}, declared), ElementsAre(HasSubstr("not listed")));
  EXPECT_THAT(check_listed({"src/m/a.cpp", ""}, declared), ElementsAre(HasSubstr("nothing else")));
}

TEST(IncludeFence, SeesADependencyThatPointsDown) {
  EXPECT_THAT(check_order(planted()), IsEmpty());
  EXPECT_THAT(check_order(parse_modules("g/a pure a.a b\ng/b pure b.a\n")),
              ElementsAre("a depends on b, which is not above it"));
}

TEST(IncludeFence, SeesAGroupInTwoPlaces) {
  EXPECT_THAT(check_groups(planted()), IsEmpty());
  EXPECT_THAT(check_groups(parse_modules("g/a pure a.a\nh/b pure b.a\ng/c pure c.a\n")),
              ElementsAre("group g is listed in two places"));
}

TEST(IncludeFence, SeesACircle) {
  const Source a{"src/g/m/a.h", "#include \"g/m/b.h\"\n"};
  const Source own{"src/g/m/a.cc", "#include \"g/m/a.h\"\n"};
  EXPECT_THAT(check_cycles({a, own, {"src/g/m/b.h", "#include <vector>\n"}}), IsEmpty());
  const Source back{"src/g/m/b.cc", "#include \"g/m/a.h\"\n"};
  EXPECT_THAT(check_cycles({a, own, back}), testing::SizeIs(2));
  const Source here{"programs/p/a.h", "#include \"sub/b.h\"\n"};
  const Source there{"programs/p/sub/b.cc", "#include \"a.h\"\n"};
  EXPECT_THAT(check_cycles({here, there}), testing::SizeIs(2));
}

TEST(IncludeFence, HoldsInSrc) {
  const std::vector<Module> all = modules();
  EXPECT_GE(all.size(), 5U) << "saw too few modules";
  Complaints complaints = check_order(all);
  for (auto& c : check_groups(all)) complaints.push_back(c);
  for (auto& c : check_cycles(cpp_files_in({"src", "programs"}))) complaints.push_back(c);
  std::size_t seen = 0;
  for (const Source& source : files_in("src")) {
    if (source.path.ends_with("/CMakeLists.txt") || source.path.ends_with("/README.md")) continue;
    ++seen;
    const fs::path lists = source_dir() / fs::path(source.path).parent_path() / "CMakeLists.txt";
    const std::string declared = fs::exists(lists) ? test::read(lists) : "";
    for (auto& c : check_includes(source, all)) complaints.push_back(c);
    for (auto& c : check_listed(source, declared)) complaints.push_back(c);
  }
  EXPECT_GE(seen, 50U) << "saw too few files";
  EXPECT_EQ(joined(complaints), "");
}

TEST(IncludeFence, HoldsInPrograms) {
  const std::vector<Module> all = modules();
  const auto exists = [](const fs::path& path) { return fs::exists(source_dir() / path); };
  Complaints complaints;
  for (const Source& source : cpp_files_in({"programs"})) {
    for (auto& c : check_program_includes(source, all, exists)) complaints.push_back(c);
  }
  EXPECT_EQ(joined(complaints), "");
}

}  // namespace
}  // namespace cg::fence
