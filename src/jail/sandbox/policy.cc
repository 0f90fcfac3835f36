#include "jail/sandbox/policy.h"

#include <algorithm>
#include <cstdlib>

#include "base/base/text.h"
#include "jail/sandbox/running_sha256.h"

namespace cg::sandbox {

namespace {

std::string line(const Place& place) {
  switch (place.kind) {
    case Place::Kind::bind:
      return place.path + "  read-only" + (place.what.empty() ? "" : ", " + place.what);
    case Place::Kind::follow:
      return place.path + "  as the host has it, read-only";
    case Place::Kind::device:
      return place.path + "  device";
    case Place::Kind::copied:
      return place.path + "  copy";
    case Place::Kind::written:
      return place.path + "  our own";
    case Place::Kind::link:
      return place.path + "  link to " + place.what;
    case Place::Kind::scratch:
      return place.path + "  writable, scratch";
    case Place::Kind::terminals:
      return place.path + "  " + std::to_string(kMaxTerminals) + " terminals of its own";
  }
  std::abort();
}

void section(std::string& out, std::string_view title) { out += std::string(title) + "\n"; }
void item(std::string& out, const std::string& text) { out += "  " + printable(text) + "\n"; }

void print_files(std::string& out, const Scene& scene, const std::vector<Place>& root) {
  section(out, "Files: a root of its own, read-only");
  for (const Place& place : root) item(out, line(place));
  item(out, "/proc  of the step's own process namespace, others hidden");
  for (const std::string& path : covered_in_proc().folders) item(out, path + "  covered");
  for (const std::string& path : covered_in_proc().files) item(out, path + "  covered");
  item(out, "scratch: " + std::to_string(scene.scratch_bytes >> 20U) + " MiB, in memory");
  if (!scene.tree.empty()) item(out, "/tree starts as a copy of " + scene.tree);
  if (!scene.links.empty()) {
    item(out, "with " + std::to_string(scene.links.size()) + " symbolic links");
  }
  if (!scene.shelf.empty()) item(out, "packages on 127.0.0.1:" + std::to_string(kShelfPort));
}

void print_process(std::string& out, const Limits& limits) {
  section(out, "Process");
  item(out,
       "namespaces: user, mount, pid (one per step), network (loopback only), ipc, uts, cgroup");
  item(out, "user " + std::to_string(kInsideId) + ", no capabilities, no_new_privs, host name " +
                kHostName);
  item(out, "environment: only what the step says; input: /dev/null");
  section(out, "Limits of a step");
  item(out, "wall clock " + std::to_string(limits.wall.count() / 1000) +
                " s, then SIGTERM, then SIGKILL");
  item(out, "memory " + std::to_string(limits.memory >> 20U) + " MiB, processes " +
                std::to_string(limits.processes));
  item(out, "one file " + std::to_string(limits.file_bytes >> 20U) + " MiB, descriptors " +
                std::to_string(kMaxDescriptors) + ", no core files");
  item(out, "output kept " + std::to_string(limits.output >> 10U) + " KiB of each stream");
}

void print_landlock(std::string& out, const seal::Reach& reach) {
  section(out, "Landlock");
  for (const std::string& path : reach.runnable) item(out, path + "  read, execute");
  for (const std::string& path : reach.writable) item(out, path + "  read, write");
  for (const std::string& path : reach.devices) item(out, path + "  read, write, ask");
  for (const std::string& path : reach.owned) item(out, path + "  all but device nodes");
}

}  // namespace

Policy::Policy(Scene scene, Limits limits, seal::Filter filter)
    : scene_(std::move(scene)),
      limits_(limits),
      root_(places(scene_)),
      filter_(std::move(filter)),
      reach_(payload_reach()) {}

std::string Policy::filter_bytes() const {
  const auto program = filter_.program();
  return {reinterpret_cast<const char*>(program.data()), program.size_bytes()};
}

std::string Policy::print() const {
  std::string out;
  print_files(out, scene_, root_);
  print_process(out, limits_);
  print_landlock(out, reach_);
  section(out, "System calls");
  out += filter_.print();
  return out;
}

hash::Digest Policy::digest() const {
  RunningSha256 digest;
  const std::string text = print();
  digest.update(as_bytes(text));
  const std::string filter = filter_bytes();
  digest.update(as_bytes(filter));
  return digest.digest();
}

Policy::Builder& Policy::Builder::scene(Scene scene) {
  scene_ = std::move(scene);
  return *this;
}

Policy::Builder& Policy::Builder::limits(const Limits& limits) {
  limits_ = limits;
  return *this;
}

Result<Policy, seal::Error> Policy::Builder::build() const {
  CG_TRY_ASSIGN(seal::Filter filter, payload_filter());
  return Policy(scene_, limits_, std::move(filter));
}

}  // namespace cg::sandbox
