#include "real.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cg::test {

std::unique_ptr<RealWorkspace> RealWorkspace::make() {
  const auto data = data_dir();
  if (!data) return nullptr;
  std::unique_ptr<RealWorkspace> made(new RealWorkspace(*data));
  EXPECT_EQ(made->codegenie({"init"}).exit, 0);
  const Ran refreshed =
      made->codegenie({"vuln-index", "refresh", "--from", *data / "osv-npm.jsonl"});
  EXPECT_EQ(refreshed.exit, 0) << refreshed.err;
  return made;
}

Ran RealWorkspace::codegenie(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), CG_BINARY);
  return run(arguments,
             {"HOME=" + scratch_.path().string(), "CI", "CODEGENIE_HOME", "XDG_STATE_HOME"});
}

std::vector<std::filesystem::path> RealWorkspace::repositories() const {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(data_ / "repos")) {
    if (entry.is_directory()) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace cg::test
