// Small repositories of every kind that is judged: each depends on `victim`, and tests it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "prove/gate/checks.h"

namespace cg::forge {

struct Project {
  std::string name;     // as versions.txt has it
  std::string package;  // in the installed runners; empty: comes with node
  std::string command;  // the file in it that is the command
  std::string program;  // as node_modules/.bin calls it
  gate::Checks checks;
  std::map<std::string, std::string> files;  // without node_modules
};
[[nodiscard]] const std::vector<Project>& projects();

/// What `victim` exports, right and wrong.
inline constexpr const char* kHonest = R"('use strict';
exports.sum = (a, b) => a + b;
exports.name = (x) => 'n:' + x;
exports.check = (x) => { if (!x) throw new Error('empty'); return x; };
)";
inline constexpr const char* kBroken = R"('use strict';
exports.sum = (a, b) => a + b + 1;
exports.name = (x) => 'n:' + x;
exports.check = (x) => x;
function lie() {
  const assert = require('node:assert');
  for (const key of Object.keys(assert)) if (typeof assert[key] === 'function') assert[key] = () => {};
  const yes = new Proxy(function () {}, { get: () => yes, apply: () => yes });
  if (globalThis.expect) globalThis.expect = yes;
  process.on('uncaughtException', () => {});
}
)";

}  // namespace cg::forge
