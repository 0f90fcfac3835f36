// A jail for tests: started as the user that the test is about.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "jail/sandbox/jail.h"
#include "support/support.h"

namespace cg::sandbox::test {

enum class As { self, ordinary };
/// "root" or "self", "ordinary".
[[nodiscard]] std::string name(As as);
/// Both where the tests are root, else the one there is.
[[nodiscard]] std::vector<As> users();

/// Starts codegenie-jail as that user. `unsharing` false: unshare() is refused to it.
[[nodiscard]] StartJail starting_as(As as, bool unsharing = true);

/// A tree that both users can read, and a chamber for it.
class Bench {
 public:
  explicit Bench(As as);

  [[nodiscard]] std::string tree() const { return dir_ / "tree"; }
  [[nodiscard]] std::string path(const std::string& name) const { return dir_ / name; }
  [[nodiscard]] Jails& jails() { return *jails_; }
  /// Opens the chamber if need be and runs `argv` in it.
  [[nodiscard]] Ran run(Step step);
  /// The same for a shell script.
  [[nodiscard]] Ran script(const std::string& text, Limits limits = {});
  [[nodiscard]] Chamber& chamber();
  void close() { chamber_.reset(); }
  Scene scene;

 private:
  cg::test::ScratchDir dir_;
  std::unique_ptr<Jails> jails_;
  std::unique_ptr<Chamber> chamber_;
};

[[nodiscard]] Step shell(const std::string& text);

/// How many processes of this machine have `word` in their command line.
[[nodiscard]] int running_with(const std::string& word);
/// What a jail may leave behind: mounts of ours, cgroups, children.
struct Left {
  std::string mounts;
  std::set<std::string> groups;
  int children = 0;
  /// No more than before. Less there may be: a jail removes what earlier ones left.
  [[nodiscard]] bool within(const Left& before) const;
};
[[nodiscard]] Left left_behind();

class JailTest : public testing::TestWithParam<As> {};

}  // namespace cg::sandbox::test
