// Row 9: an edited lock written back, against a bare write of as many bytes.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/os/dir.h"
#include "npm/edit/edit.h"
#include "npm/lockfile/lock.h"
#include "perf.h"

namespace {

using namespace cg;
using namespace cg::perf;
namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Another version for every hundredth copy.
struct Bump {
  std::vector<registry::Release> releases;
  edit::LockEdit edit;
};
Bump bump_of(const npm::Graph& graph) {
  Bump out;
  std::vector<std::string> places;
  for (npm::NodeId id = 0; id < graph.nodes().size(); id += 100) {
    const npm::Node& node = graph.node(id);
    if (node.source != npm::Source::registry || node.flags.bundled || node.resolved.empty())
      continue;
    registry::Release release;
    release.name = node.name;
    release.version = "99.0.0";
    release.tarball = std::string(node.resolved);
    release.integrity = "sha512-" + std::string(86, 'A') + "==";
    out.releases.push_back(std::move(release));
    places.emplace_back(node.location);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    out.edit.put.push_back({places[i], &out.releases[i], {}});
  }
  return out;
}

/// The least that is durable and whole: write, fsync, rename, fsync of the folder.
void write_bare(const std::string& folder, const std::string& bytes) {
  const std::string temporary = folder + "/bare.tmp";
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool wrote =
      fd >= 0 && write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (!wrote || fsync(fd) != 0 || close(fd) != 0) give_up("bare write");
  if (rename(temporary.c_str(), (folder + "/bare").c_str()) != 0) give_up("bare rename");
  const int above = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (above < 0 || fsync(above) != 0 || close(above) != 0) give_up("bare sync");
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const std::size_t repeats = arguments.number("--repeats", arguments.has("--quick") ? 3 : 31);
  const Bar bar{Bar::Kind::at_most, 1.5};
  const char* data = std::getenv("CG_DATA");
  if (data == nullptr) {
    report_absent({"9", "edit and write a lock", "bare write", bar},
                  "CG_DATA names no real lockfiles");
    return 0;
  }
  const std::string folder = work_folder();
  const os::Dir dir = must(os::Dir::open(folder));
  report_fact("on " + file_system_of(folder) + "; one entry in a hundred changes");
  for (const char* name : {"HabitRPG__habitica", "facebook__create-react-app", "lerna__lerna"}) {
    auto graph = lockfile::read_package_lock(
        npm::LockKind::package_lock, slurp(fs::path(data) / "repos" / name / "package-lock.json"),
        nullptr);
    if (!graph) give_up(graph.error().what);
    const Bump bump = bump_of(*graph);
    const auto edited = edit::edit_package_lock(*graph, bump.edit, "https://registry.example/");
    if (!edited) give_up(edited.error().what);
    report({"9", std::string("edit and write, ") + name, "write, fsync, rename", bar}, [&] {
      const auto costs =
          interleave(repeats, {[&] {
                                 return cost_of([&] {
                                   const auto text = edit::edit_package_lock(
                                       *graph, bump.edit, "https://registry.example/");
                                   static_cast<void>(must(dir.write_atomic("ours", *text)));
                                 });
                               },
                               [&] { return cost_of([&] { write_bare(folder, *edited); }); }});
      return Pair{summary(costs[0], Clock::wall), summary(costs[1], Clock::wall)};
    });
  }
}
