#include "damage/bench.h"

#include <gtest/gtest.h>

#include "base/base/text.h"
#include "trust/audit/walk.h"
#include "trust/record/frame.h"

namespace cg::damage {

namespace fs = std::filesystem;

Bench::Bench() {
  const auto made = run({"init"});
  EXPECT_EQ(made.exit, 0) << made.err;
}

test::Ran Bench::run_at(const std::string& home, const std::string& state,
                        const std::vector<std::string>& args) const {
  std::vector<std::string> argv = {CG_BINARY};
  argv.insert(argv.end(), args.begin(), args.end());
  return test::run(
      argv, {"CODEGENIE_HOME=" + home, "XDG_STATE_HOME=" + state, "XDG_CONFIG_HOME=" + state,
             "HOME=" + scratch_.path().string(), "CODEGENIE_GUARD_DIR", "CI", "LC_ALL=C.UTF-8"});
}

test::Ran Bench::run(const std::vector<std::string>& args) const {
  return run_at(home(), state(), args);
}

void Bench::add_notes(int n) const {
  os::SystemClock clock;
  audit::Log log = open(clock, guard());
  for (int i = 0; i < n; ++i) {
    ASSERT_TRUE(log.append({record::OperatorNoted{"remark " + std::to_string(i)}}));
  }
  ASSERT_TRUE(log.checkpoint());
}

void Bench::expect_intact() const {
  const test::Ran ran = run({"audit", "verify"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("Chain intact"), std::string::npos) << ran.out;
}

void Bench::expect_found(const std::string& code, const std::string& words) const {
  const test::Ran ran = run({"audit", "verify"});
  EXPECT_EQ(ran.exit, 4) << ran.out;
  EXPECT_NE(ran.err.find("error[" + code + "]"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("nothing was changed"), std::string::npos) << ran.err;
  const test::Ran json = run({"audit", "verify", "--json"});
  EXPECT_EQ(json.exit, 4);
  EXPECT_NE(json.out.find("\"integrity\": \"broken\""), std::string::npos) << json.out;
}

std::vector<std::string> Bench::lines() const {
  const auto open = audit::open_lines(test::read(append_file()), append_file());
  EXPECT_TRUE(open);
  std::vector<std::string> out;
  for (const std::string_view line : split(std::string_view(open->lines), '\n')) {
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

void Bench::set_lines(const std::vector<std::string>& lines) const {
  std::string bytes;
  for (const std::string& line : lines) bytes += record::stored_frame(line + "\n");
  test::write(append_file(), bytes);
}

audit::Log Bench::open(os::Clock& clock, const std::string& guard_dir) const {
  auto log = audit::Log::open(*os::Dir::open(home()), {home(), guard_dir}, clock);
  EXPECT_TRUE(log) << log.error().what;
  return *std::move(log);
}

void copy(const std::string& from, const std::string& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

}  // namespace cg::damage
