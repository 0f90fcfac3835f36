// doc/man: generated from the table, committed, free of warnings.
#include "flow/cli/man.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "binary.h"
#include "commands.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;

const cli::CommandTable& table() { return program::command_table(); }

TEST(Man, CommittedPagesEqualTheTable) {
  for (const std::string& name : cli::man_page_names(table())) {
    const fs::path file = source_dir() / "doc/man" / (name + ".1");
    const std::string page = cli::man_page(table(), name).value();
    const std::string committed = fs::exists(file) ? read(file) : "";
    if (committed == page) continue;
    if (accepts()) {
      write(file, page);
      ADD_FAILURE() << "rewritten, run again: " << file;
    } else {
      ADD_FAILURE() << file << " is not what the table renders; CG_ACCEPT=1 rewrites it";
    }
  }
}

TEST(Man, NoPageIsLeftOver) {
  const auto names = cli::man_page_names(table());
  for (const auto& entry : fs::directory_iterator(source_dir() / "doc/man")) {
    const std::string name = entry.path().stem();
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << entry.path();
  }
}

TEST(Man, GroffHasNoWarnings) {
  const ScratchDir scratch;
  for (const std::string& name : cli::man_page_names(table())) {
    const Ran ran = run_script(
        "codegenie help --man " + name + " > page.1 && groff -man -Tutf8 -ww -z page.1", scratch);
    EXPECT_EQ(ran.exit, 0) << name;
    EXPECT_EQ(ran.err, "") << name;
    EXPECT_EQ(read(scratch / "page.1"), cli::man_page(table(), name).value());
  }
}

}  // namespace
}  // namespace cg::test
