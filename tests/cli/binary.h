// The program under test, run by a shell in an environment of its own.
#pragma once

#include <filesystem>
#include <string>

#include "support/support.h"

namespace cg::test {

/// Runs `script` with bash in `scratch`. The environment is PATH (with codegenie
/// and frame_probe first), HOME=`scratch`/home, LANG=C.UTF-8 and TERM=xterm; nothing else.
[[nodiscard]] Ran run_script(const std::string& script, const ScratchDir& scratch);

[[nodiscard]] std::filesystem::path source_dir();

/// True if the caller asked to rewrite expected output. Tests that do so fail
/// afterwards, so that a forgotten variable cannot make a run green.
[[nodiscard]] bool accepts();

/// `text` between single quotes for a shell.
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace cg::test
