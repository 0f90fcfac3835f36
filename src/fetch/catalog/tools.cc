#include "fetch/catalog/tools.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "base/os/child.h"
#include "base/os/dir.h"
#include "base/os/own_programs.h"
#include "trust/hash/blake3.h"

namespace cg::catalog {

namespace {

constexpr std::size_t kMaxFolders = 256;
constexpr std::size_t kMaxManifest = 1U << 20U;
constexpr int kMaxClimb = 4;
constexpr std::chrono::seconds kPatience{20};

bool is_program(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> found(realpath(path.c_str(), nullptr), std::free);
  return found == nullptr ? std::string() : std::string(found.get());
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

/// Only absolute folders count: what "." means is for the repository to say.
std::vector<std::string> folders_of(std::string_view path) {
  std::vector<std::string> folders;
  for (const std::string_view folder : split(path, ':')) {
    if (folder.starts_with('/') && folders.size() < kMaxFolders) folders.emplace_back(folder);
  }
  return folders;
}

std::string which(const std::vector<std::string>& folders, const std::string& name) {
  for (const std::string& folder : folders) {
    std::string path = folder + "/" + name;
    if (is_program(path)) return path;
  }
  return {};
}

struct Package {
  std::string folder;
  std::string name;
  std::string version;
};

/// The package that a script belongs to: the nearest package.json above it with a name.
std::optional<Package> package_of(const std::string& script) {
  std::string folder = parent_of(script);
  for (int i = 0; i < kMaxClimb && folder != "/"; ++i, folder = parent_of(folder)) {
    const auto dir = os::Dir::open(folder);
    if (!dir) continue;
    const auto text = dir->read("package.json", kMaxManifest);
    if (!text) continue;
    const auto json = json::parse_json(*text);
    if (!json || json->text("name").empty()) continue;
    return Package{folder, json->text("name"), json->text("version")};
  }
  return std::nullopt;
}

bool is_beneath(const std::string& path, const std::string& folder) {
  return path == folder || folder == "/" ||
         (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

bool is_always_visible(const std::string& path) {
  for (const char* folder : {"/usr", "/bin", "/lib", "/lib32", "/lib64"}) {
    if (is_beneath(path, folder)) return true;
  }
  return false;
}

/// As /etc/passwd has it: HOME may be unset, or somebody else's. Not by NSS, which may ask a
/// network.
std::string home_of_user() {
  std::ifstream users("/etc/passwd");
  const std::string id = std::to_string(getuid());
  for (std::string line; std::getline(users, line);) {
    const auto fields = split(line, ':');
    if (fields.size() >= 6 && fields[2] == id) return std::string(fields[5]);
  }
  return "";
}

class Finder {
 public:
  Finder(std::string_view path, const std::string& home)
      : path_(path),
        folders_(folders_of(path)),
        home_(real_path(home)),
        own_home_(real_path(home_of_user())) {}

  Result<Tools, std::string> find() && {
    const std::string node = which(folders_, "node");
    if (node.empty()) return fail(std::string("there is no node in PATH"));
    CG_TRY(ask_node(node));
    if (!show(tools_.node)) return fail(tools_.node + " cannot be shown without all around it");
    search(parent_of(tools_.node));
    tools_.npm = find_tool("npm", {"npm"});
    if (!tools_.npm) tools_.npm = npm_beside_node();
    tools_.yarn = find_tool("yarn", {"yarn", "@yarnpkg/cli", "@yarnpkg/cli-dist"});
    tools_.pnpm = find_tool("pnpm", {"pnpm", "@pnpm/exe"});
    find_headers();
    tools_.readable = outermost();
    tools_.path = search_path();
    tools_.digest = digest();
    return std::move(tools_);
  }

 private:
  Result<Done, std::string> ask_node(const std::string& node) {
    os::Command command;
    command.argv = {node, "-p", "process.execPath + '\\n' + process.versions.node"};
    command.env = {"PATH=" + path_, "HOME=" + home_};
    command.limit = kPatience;
    const auto ran = os::run(command);
    const auto* const exited = ran ? std::get_if<os::Exited>(&ran->ending) : nullptr;
    if (exited == nullptr || exited->code != 0) return fail(node + " does not run");
    const std::vector<std::string_view> lines = split(ran->out, '\n');
    if (lines.size() < 2 || !lines[0].starts_with('/')) return fail(node + " is no node");
    tools_.node = real_path(std::string(lines[0]));
    tools_.node_version = printable(lines[1]);
    if (tools_.node.empty()) return fail(node + " is no node");
    return Done{};
  }

  /// False if it cannot be shown without showing the operator's home or the root.
  bool show(const std::string& path) {
    if (is_always_visible(path)) return true;
    if (path.empty() || is_beneath(home_, path) || is_beneath(own_home_, path)) return false;
    shown_.insert(path);
    return true;
  }

  std::optional<Tool> find_tool(const std::string& command,
                                const std::vector<std::string>& packages) {
    const std::string found = which(folders_, command);
    if (found.empty()) return std::nullopt;
    auto tool = tool_at(command, real_path(found), packages);
    if (tool) search(real_path(parent_of(found)));
    return tool;
  }

  /// Scripts call the tools by name, so their folders are shown too, with what else is there.
  void search(const std::string& folder) {
    const bool is_known = folder == "/usr/bin" || folder == "/bin" ||
                          std::find(searched_.begin(), searched_.end(), folder) != searched_.end();
    if (!is_known && show(folder)) searched_.push_back(folder);
  }

  std::optional<Tool> tool_at(const std::string& command, const std::string& file,
                              const std::vector<std::string>& packages) {
    const auto package = package_of(file);
    if (!package || std::find(packages.begin(), packages.end(), package->name) == packages.end()) {
      tools_.notes.push_back(command + " is " + printable(file) +
                             ", which is not the package manager itself");
      return std::nullopt;
    }
    if (!show(package->folder)) {
      tools_.notes.push_back(printable(file) + " cannot be shown without all around it");
      return std::nullopt;
    }
    const bool is_script = file.ends_with("js");  // .js, .cjs, .mjs
    Tool tool;
    if (is_script) tool.argv.push_back(tools_.node);
    tool.argv.push_back(file);
    tool.version = printable(package->version);
    return tool;
  }

  /// Behind a shim: npm comes with node.
  std::optional<Tool> npm_beside_node() {
    const std::string prefix = parent_of(parent_of(tools_.node));
    const std::string file = real_path(prefix + "/lib/node_modules/npm/bin/npm-cli.js");
    return file.empty() ? std::nullopt : tool_at("npm", file, {"npm"});
  }

  /// Where node was installed, or where Debian puts them: libnode-dev.
  void find_headers() {
    for (const std::string& prefix :
         {parent_of(parent_of(tools_.node)), std::string("/usr"), std::string("/usr/local")}) {
      const std::string folder = real_path(prefix + "/include/node");
      if (folder.empty() || version_of_headers(folder) != tools_.node_version) continue;
      if (!show(folder)) continue;
      tools_.headers = prefix;
      return;
    }
  }

  /// "20.11.0", as node_version.h defines it; empty if it does not.
  static std::string version_of_headers(const std::string& folder) {
    const auto dir = os::Dir::open(folder);
    const auto text = dir ? dir->read("node_version.h", kMaxManifest)
                          : Result<std::string, os::Error>(fail(dir.error()));
    if (!text) return "";
    std::string out;
    for (const char* part : {"MAJOR", "MINOR", "PATCH"}) {
      const std::string name = std::string("#define NODE_") + part + "_VERSION ";
      const std::size_t at = text->find(name);
      if (at == std::string::npos) return "";
      const std::string_view rest = std::string_view(*text).substr(at + name.size());
      const std::string_view number = trim(rest.substr(0, rest.find('\n')));
      if (!parse_u64(number)) return "";
      out += (out.empty() ? "" : ".") + std::string(number);
    }
    return out;
  }

  [[nodiscard]] std::vector<std::string> outermost() const {
    std::vector<std::string> out;
    for (const std::string& path : shown_) {
      const bool covered = std::any_of(shown_.begin(), shown_.end(), [&](const std::string& other) {
        return other != path && is_beneath(path, other);
      });
      if (!covered) out.push_back(path);
    }
    return out;
  }

  [[nodiscard]] std::string search_path() const {
    std::string out;
    for (const std::string& folder : searched_) out += folder + ":";
    return out + "/usr/bin:/bin";
  }

  [[nodiscard]] hash::Digest digest() const {
    hash::Blake3 out("codegenie 2026 tools v1");
    add_file(out, tools_.node);
    if (const auto own = os::folder_with({"codegenie-jail"}))
      add_file(out, *own + "/codegenie-jail");
    std::string others = tools_.node + "\n" + tools_.path + "\n";
    for (const auto* tool : {&tools_.npm, &tools_.yarn, &tools_.pnpm}) {
      others += *tool ? (*tool)->argv.back() + " " + (*tool)->version + "\n" : "-\n";
    }
    return out.update(as_bytes(others)).finish();
  }

  /// What cannot be read adds nothing; its name is told elsewhere.
  static void add_file(hash::Blake3& out, const std::string& path) {
    constexpr std::size_t kPiece = 4U << 20U;
    const os::Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    for (std::uint64_t at = 0; file.is_open();) {
      const auto piece = os::read_at(file, at, kPiece, path);
      if (!piece || piece->empty()) return;
      out.update(as_bytes(*piece));
      at += piece->size();
    }
  }

  std::string path_;
  std::vector<std::string> folders_;
  std::string home_;
  std::string own_home_;  // whatever HOME says
  std::set<std::string> shown_;
  std::vector<std::string> searched_;
  Tools tools_;
};

}  // namespace

Result<Tools, std::string> find_tools(std::string_view path, const std::string& home) {
  return Finder(path, home).find();
}

}  // namespace cg::catalog
