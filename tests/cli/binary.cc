#include "binary.h"

#include <cstdlib>

namespace cg::test {

namespace fs = std::filesystem;

Ran run_script(const std::string& script, const ScratchDir& scratch) {
  fs::create_directories(scratch / "home");
  const std::string folder = fs::path(CG_BINARY).parent_path();
  return run({"env", "-i", "-C", scratch.path(),
              "PATH=" + folder + ":" CG_PROBE_DIR ":/usr/bin:/bin", "HOME=" + (scratch / "home"),
              "LANG=C.UTF-8", "TERM=xterm", "bash", "--norc", "--noprofile", "-c", script});
}

fs::path source_dir() { return CG_SOURCE_DIR; }

bool accepts() {
  const char* accept = std::getenv("CG_ACCEPT");
  return accept != nullptr && std::string(accept) == "1";
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace cg::test
