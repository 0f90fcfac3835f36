// Hook: what is laid beside a tree so that the runners that its tests start report.
//
// Nobody reads scripts to find out what they start: `tsc && mocha`, `turbo run test`, a loop in a
// shell. Every node process of a test run loads a file of ours (NODE_OPTIONS), which knows a runner
// when it is there and has it leave a report of its own. The code under test runs in the same
// processes: what such a report says counts as far as prove/challenge shows, and no further.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cg::runners {

struct Hook {
  std::string folder;        // where its files are, inside: absolute, read-only, no colon in it
  std::string reports;       // a folder under /tmp whose name nobody can guess; need not be there
  std::string node;          // the program, inside
  std::string node_version;  // "20.11.0": what it can be asked; empty: little
  /// The script that tests are started by, inside: yarn leads scripts to the node that it runs on
  /// itself, past PATH. Empty: none does.
  std::string manager = {};
};

/// By name, for Hook::folder. All of them have to be readable for the steps, "node" executable.
[[nodiscard]] std::map<std::string, std::string> files_of(const Hook& hook);

/// What a step needs in its environment, beside `path` as its PATH: "NAME=value".
[[nodiscard]] std::vector<std::string> environment_of(const Hook& hook, std::string_view path);

}  // namespace cg::runners
