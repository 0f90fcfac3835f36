// A break and its answer, for tests.
#pragma once

#include "flow/precedent/lesson.h"

namespace cg::precedent::test {

inline const Texts kFiles = {{"src/a.js",
                              "const session = require('tinysession');\n\n"
                              "exports.start = (name) => {\n"
                              "  const opened = session.open(name);\n"
                              "  return opened.id;\n"
                              "};\n"}};
inline const Texts kRewritten = {{"src/a.js",
                                  "const session = require('tinysession');\n\n"
                                  "exports.start = (name) => {\n"
                                  "  const opened = session.openSession(name);\n"
                                  "  return opened.id;\n"
                                  "};\n"}};

[[nodiscard]] inline Breaking breaking() {
  advisory::Advisory first;
  first.id = "GHSA-aaaa-bbbb-cccc";
  first.aliases = {"CVE-2026-1"};
  first.summary = "Ids can be guessed";
  first.cwes = {"CWE-330"};
  advisory::Advisory second = first;
  second.id = "GHSA-dddd-eeee-ffff";
  second.aliases = {"CVE-2026-1", "CVE-2026-2"};
  return {npm::LockKind::pnpm,
          {first, second},
          "tinysession",
          "1.2.0",
          "2.0.0",
          {upgrade::Break::name_gone, {"open"}},
          "removed: open(name)\n",
          kFiles,
          "MIT"};
}

}  // namespace cg::precedent::test
