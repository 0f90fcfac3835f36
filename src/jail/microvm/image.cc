#include "jail/microvm/image.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/base/text.h"
#include "base/json/json.h"
#include "jail/microvm/cpio.h"
#include "jail/microvm/elf.h"
#include "jail/microvm/failure.h"
#include "jail/microvm/gather.h"
#include "jail/microvm/hello.h"
#include "jail/microvm/kernel.h"
#include "jail/microvm/vmlinux.h"
#include "jail/sandbox/places.h"
#include "trust/hash/sha256.h"

namespace cg::microvm {

namespace {

constexpr std::size_t kMaxInitramfs = 3U << 30U;
constexpr std::size_t kMaxImageFile = 1U << 16U;
constexpr std::size_t kMaxBootFiles = 1000;

Part part_of(std::string_view bytes) { return {hash::sha256(as_bytes(bytes)), bytes.size()}; }

Result<std::string, sandbox::Error> find_kernel(const Recipe& recipe) {
  if (!recipe.kernel.empty()) return recipe.kernel;
  const auto boot = os::Dir::open(recipe.root == "/" ? "/boot" : recipe.root + "/boot");
  std::string best;
  if (boot) {
    const auto names = boot->list(".", kMaxBootFiles);
    if (names) best = best_kernel(*names);
  }
  if (best.empty()) {
    return failure(sandbox::Error::Kind::missing, "no kernel in /boot (vmlinuz-*)");
  }
  return "/boot/" + best;
}

/// The files that every chamber has, and folders for what init mounts.
void add_settings(Gather& gather) {
  for (const sandbox::Place& place : sandbox::places({})) {
    if (place.kind != sandbox::Place::Kind::written) continue;
    gather.add({place.path.substr(1), Member::Kind::file, 0644, kRoot, place.what});
  }
  const auto folder = [&](const char* path, unsigned mode, unsigned owner) {
    gather.add({path, Member::Kind::folder, mode, owner, {}});
  };
  for (const char* path : {".empty", "dev", "proc", "shelf", "sys"}) folder(path, 0755, kRoot);
  folder("tmp", 01777, kRoot);
  folder(sandbox::kHome + 1, 0700, sandbox::kInsideId);
  folder("tree", 0755, sandbox::kInsideId);
  folder(".scratch", 0700, sandbox::kInsideId);
}

/// The folder of the package that a program like npm belongs to: it is a link to
/// <folder>/bin/npm-cli.js. Debian's own npm has its needs beside it.
std::string package_folder(const std::string& real) {
  constexpr std::string_view kEnd = "/bin/npm-cli.js";
  if (real.starts_with("/usr/share/nodejs/")) return "/usr/share/nodejs";
  return real.ends_with(kEnd) ? real.substr(0, real.size() - kEnd.size()) : std::string();
}

/// Takes npm's folder along, and says npm's version.
Result<std::string, sandbox::Error> take_npm(Gather& gather, const std::string& program) {
  CG_TRY_ASSIGN(const std::string real, gather.real_path(program));
  const std::string folder = package_folder(real);
  if (folder.empty()) return std::string();
  CG_TRY(gather.take(folder));
  const auto manifest = gather.read(folder == "/usr/share/nodejs" ? folder + "/npm/package.json"
                                                                  : folder + "/package.json");
  if (!manifest) return std::string();
  const auto json = json::parse_json(*manifest);
  const json::Value* version = json ? json->find("version") : nullptr;
  const std::string* text = version == nullptr ? nullptr : version->as_string();
  return text == nullptr ? std::string() : printable(*text);
}

Result<Part, sandbox::Error> add_init(Gather& gather, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const auto folder = os::Dir::open(slash == 0 ? "/" : path.substr(0, slash));
  auto bytes = folder ? folder->read(path.substr(slash + 1), kMaxKernel)
                      : Result<std::string, os::Error>(fail(folder.error()));
  if (!bytes) {
    return failure(sandbox::Error::Kind::missing,
                   printable(path) + ": " + os::describe(bytes.error()));
  }
  const auto elf = read_elf(as_bytes(*bytes));
  if (!elf || !elf->interpreter.empty()) {
    return failure(sandbox::Error::Kind::scene, printable(path) + ": no static program");
  }
  const Part part = part_of(*bytes);
  gather.add({"init", Member::Kind::file, 0755, kRoot, *std::move(bytes)});
  return part;
}

Result<std::string, sandbox::Error> make_initramfs(const Recipe& recipe, Gather& gather,
                                                   Image& image) {
  for (const std::string& program : recipe.programs) {
    CG_TRY(gather.take_program(program));
    CG_TRY_ASSIGN(std::string npm, take_npm(gather, program));
    if (!npm.empty()) image.npm = std::move(npm);
  }
  for (const std::string& program : recipe.wanted) {
    if (gather.has(program)) CG_TRY(gather.take_program(program));
  }
  for (const std::string& folder : recipe.folders) CG_TRY(gather.take(folder));
  add_settings(gather);
  CG_TRY_ASSIGN(image.init, add_init(gather, recipe.init));
  if (!recipe.shelf.empty()) CG_TRY(gather.take_program_as(recipe.shelf, kShelfProgram));
  std::vector<Member> members = std::move(gather).members();
  image.files = members.size();
  auto bytes = write_cpio(std::move(members));
  if (!bytes) return failure(sandbox::Error::Kind::scene, describe(bytes.error()));
  return *std::move(bytes);
}

Result<Done, sandbox::Error> put(const os::Dir& folder, const char* name, std::string_view bytes) {
  const auto written = folder.write_atomic(name, bytes);
  if (written) return Done{};
  return failure(sandbox::Error::Kind::setup,
                 printable(folder.path_of(name)) + ": " + os::describe(written.error()));
}

Result<Done, sandbox::Error> check_part(const os::Dir& folder, const char* name, const Part& part,
                                        std::size_t max) {
  const auto bytes = folder.read(name, max);
  if (!bytes) {
    const bool gone = bytes.error().kind == os::Error::Kind::not_found;
    return failure(gone ? sandbox::Error::Kind::missing : sandbox::Error::Kind::broken,
                   printable(folder.path_of(name)) + ": " + os::describe(bytes.error()));
  }
  if (part_of(*bytes) == part) return Done{};
  return failure(sandbox::Error::Kind::broken,
                 printable(folder.path_of(name)) + ": not the bytes that image.json names");
}

}  // namespace

Recipe standard_recipe() {
  Recipe recipe;
  for (const char* name :
       {"basename", "bash",   "cat",  "chmod", "cp",     "cut",  "date",     "dirname",  "echo",
        "expr",     "false",  "find", "git",   "grep",   "head", "id",       "ln",       "ls",
        "mkdir",    "mktemp", "mv",   "nproc", "printf", "pwd",  "readlink", "realpath", "rm",
        "rmdir",    "sed",    "seq",  "sleep", "sort",   "tail", "tar",      "tee",      "test",
        "touch",    "tr",     "true", "uname", "uniq",   "wc",   "which",    "xargs"}) {
    recipe.wanted.push_back(std::string("/usr/bin/") + name);
  }
  return recipe;
}

hash::Digest Image::digest() const { return hash::sha256(kernel.sha256, initramfs.sha256); }

Result<Image, sandbox::Error> make_image(const Recipe& recipe, const os::Dir& folder, Time now) {
  Image image;
  image.made = now;
  CG_TRY_ASSIGN(Gather gather, Gather::open(recipe.root));
  CG_TRY_ASSIGN(image.kernel_source, find_kernel(recipe));
  CG_TRY_ASSIGN(const std::string kernel, gather.read(image.kernel_source));
  if (!is_kernel(as_bytes(kernel))) {
    return failure(sandbox::Error::Kind::scene, printable(image.kernel_source) + ": no kernel");
  }
  const auto unpacked = unpack_kernel(as_bytes(kernel));
  const std::string& booted = unpacked ? *unpacked : kernel;
  image.kernel = part_of(booted);
  image.kernel_release = kernel_release(as_bytes(kernel));
  CG_TRY_ASSIGN(const std::string initramfs, make_initramfs(recipe, gather, image));
  image.initramfs = part_of(initramfs);
  CG_TRY(put(folder, kKernelFile, booted));
  // The emulator reads it, as whoever the jail makes it; the folder stays private.
  const auto put_kernel = folder.open_file(kKernelFile, O_RDONLY);
  if (!put_kernel || fchmod(put_kernel->get(), 0644) != 0) {
    return failure(sandbox::Error::Kind::setup, printable(folder.path_of(kKernelFile)));
  }
  CG_TRY(put(folder, kInitramfsFile, initramfs));
  CG_TRY(put(folder, kImageFile, write_image(image)));
  return image;
}

Result<Done, sandbox::Error> note_image(const os::Dir& folder, const Image& image) {
  return put(folder, kImageFile, write_image(image));
}

Result<Image, sandbox::Error> read_image(const os::Dir& folder) {
  const auto text = folder.read(kImageFile, kMaxImageFile);
  if (!text) {
    return failure(sandbox::Error::Kind::missing,
                   printable(folder.path_of(kImageFile)) + ": " + os::describe(text.error()));
  }
  auto image = parse_image(*text);
  if (!image) {
    return failure(sandbox::Error::Kind::broken,
                   printable(folder.path_of(kImageFile)) + ": " + image.error());
  }
  return *std::move(image);
}

Result<Image, sandbox::Error> check_image(const os::Dir& folder) {
  CG_TRY_ASSIGN(Image image, read_image(folder));
  CG_TRY(check_part(folder, kKernelFile, image.kernel, kMaxKernel));
  CG_TRY(check_part(folder, kInitramfsFile, image.initramfs, kMaxInitramfs));
  return image;
}

}  // namespace cg::microvm
