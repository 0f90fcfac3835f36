#include "fetch/manager/ready.h"

#include <algorithm>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "fetch/catalog/tarball.h"
#include "fetch/manager/pick.h"
#include "fetch/manager/unpack.h"
#include "trust/hash/integrity.h"

namespace cg::manager {

namespace {

using catalog::Tool;

constexpr std::size_t kMaxScript = 64U << 20U;
constexpr const char* kPackage = "package";    // beneath the folder
constexpr const char* kCommands = "commands";  // likewise
constexpr std::string_view kBerry = "@yarnpkg/cli-dist";

std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

/// Where a package says its command is; the places are known, and a packument is a stranger's.
std::string script_of(const os::Dir& package, const std::string& command) {
  for (const char* ending : {".cjs", ".js", ".mjs"}) {
    std::string path = "bin/" + command + ending;
    if (package.open_file(path, 0)) return path;
  }
  return "";
}

class Maker {
 public:
  Maker(catalog::Catalog& catalog, const Wish& wish, const catalog::Tools& tools,
        const os::Dir& folder, const std::string& tree)
      : catalog_(catalog), wish_(wish), folder_(folder), tree_(tree) {
    out_.tools = tools;
    out_.notes = wish.notes;
  }

  Result<Ready, Problem> make() && {
    if (wish_.by == Wish::By::yarn_path) {
      take_own();
    } else {
      CG_TRY_ASSIGN(const std::string why_not, fetch());
      if (!why_not.empty()) CG_TRY(take_other(why_not));
    }
    CG_TRY(lay_commands());
    return std::move(out_);
  }

 private:
  std::optional<Tool>& slot() {
    return wish_.command == "pnpm" ? out_.tools.pnpm : out_.tools.yarn;
  }

  [[nodiscard]] Problem lacking(const std::string& what) const {
    return {ErrorCode::sandbox_missing,
            what,
            {},
            "the fix is not proven, so no branch was made of it",
            {"install " + describe(wish_) + " so that it is in PATH, or let the registry have " +
             wish_.package}};
  }

  /// Empty, or why it cannot be had.
  Result<std::string, Problem> fetch() {
    const registry::Packument* const packument = catalog_.get(wish_.package);
    if (catalog_.damage()) return fail(*catalog_.damage());
    if (packument == nullptr) return describe(wish_) + why_lacking();
    const auto picked = pick(*packument, wish_, out_.tools.node_version);
    if (!picked) return picked.error();
    const registry::Release& release = packument->release(*picked);
    const std::string what = wish_.command + " " + printable(release.version);
    CG_TRY_ASSIGN(const auto bytes,
                  catalog::read_tarball(catalog_, wish_.package, packument->version(*picked)));
    if (!bytes) {
      const bool offline = catalog_.mode() == catalog::Mode::offline;
      return what + (offline ? " is not in the cache, and the registry was not asked"
                             : " cannot be fetched, or is not what its integrity says");
    }
    CG_TRY(unpack_here(*bytes, what, release));
    const auto integrity = hash::Integrity::parse(release.integrity);
    out_.fetched = Fetched{wish_.package, release.version, integrity ? integrity->str() : ""};
    return std::string();
  }

  [[nodiscard]] std::string why_lacking() const {
    const auto found = catalog_.lacks().find(wish_.package);
    return found == catalog_.lacks().end() ? " cannot be had"
                                           : " cannot be had: " + wish_.package + " is " +
                                                 std::string(catalog::words(found->second.kind));
  }

  Result<Done, Problem> unpack_here(const std::string& bytes, const std::string& what,
                                    const registry::Release& release) {
    const auto made = folder_.make_dir(kPackage);
    const auto package = folder_.open_dir(kPackage);
    if (!made || !package) return fail(lacking(what + ": " + folder_.path() + " cannot be used"));
    if (auto done = unpack(bytes, *package); !done)
      return fail(lacking(what + ": " + done.error()));
    const std::string script = script_of(*package, wish_.command);
    if (script.empty()) return fail(lacking(what + " has no bin/" + wish_.command + ".js"));
    CG_TRY(compare_pin(bytes, *package, script, what));
    slot() = Tool{{out_.tools.node, package->path_of(script)}, printable(release.version)};
    out_.tools.readable.push_back(folder_.path());
    return Done{};
  }

  Result<Done, Problem> compare_pin(const std::string& tarball, const os::Dir& package,
                                    const std::string& script, const std::string& what) {
    if (!wish_.pin) return Done{};
    std::string file;
    if (wish_.package == kBerry) {
      auto read = package.read(script, kMaxScript);
      if (!read) return fail(lacking(what + ": " + script + " cannot be read"));
      file = *std::move(read);
    }
    const auto same = is_pinned(*wish_.pin, wish_.package == kBerry ? file : tarball);
    const std::string algorithm = printable(cut_utf8(wish_.pin->algorithm, 20));
    if (!same) {
      out_.notes.push_back("packageManager has a hash of " + what +
                           " of a kind that is not known: " + algorithm);
    } else if (!*same) {
      Problem problem = lacking(what + " is not the one that packageManager means: its " +
                                algorithm + " is another");
      problem.help = {
          "correct the hash behind the + in packageManager, or find out who changed it"};
      return fail(std::move(problem));
    }
    return Done{};
  }

  void take_own() {
    out_.own_yarn = wish_.own;
    // Beside the repository's own, another one of that name would only confuse.
    slot() = Tool{{out_.tools.node, tree_ + "/" + wish_.own}, ""};
    out_.notes.push_back("the repository's own yarn runs: " + printable(wish_.own));
  }

  Result<Done, Problem> take_other(const std::string& why_not) {
    if (!wish_.own.empty()) {
      out_.notes.push_back(why_not);
      take_own();
      return Done{};
    }
    const auto found =
        semver::Version::parse(slot() ? slot()->version : std::string(), {.loose = true});
    if (!found) return fail(lacking(why_not + ", and there is no " + wish_.command + " in PATH"));
    if (!is_alike(*found)) {
      return fail(lacking(why_not + ", and the one in PATH is " + slot()->version));
    }
    out_.notes.push_back(why_not + "; " + wish_.command + " " + slot()->version +
                         " of this machine runs instead");
    return Done{};
  }

  [[nodiscard]] bool is_alike(const semver::Version& found) const {
    if (wish_.exact) return found.major() == wish_.exact->major();
    const auto range = semver::Range::parse(wish_.range);
    const auto fits = semver::Range::parse(wish_.fits);
    return (range && range->test(found)) || (fits && fits->test(found));
  }

  /// Scripts call it by its name, and find it before whatever else has that name.
  Result<Done, Problem> lay_commands() {
    std::string text = "#!/bin/sh\nexec";
    const std::vector<std::string>& argv = slot()->argv;
    // By name: what stands for node while tests run has to stand for it here too.
    const bool by_node = argv.size() > 1 && argv.front() == out_.tools.node;
    for (std::size_t i = 0; i < argv.size(); ++i) {
      text += " " + (i == 0 && by_node ? "node" : shell_word(argv[i]));
    }
    text += " \"$@\"\n";
    std::vector<std::string> names = {wish_.command};
    if (wish_.command == "yarn") names.emplace_back("yarnpkg");
    for (const std::string& one : names) {
      if (auto laid = lay(folder_, std::string(kCommands) + "/" + one, text); !laid) {
        return fail(lacking(laid.error()));
      }
    }
    std::vector<std::string>& readable = out_.tools.readable;
    if (std::find(readable.begin(), readable.end(), folder_.path()) == readable.end()) {
      readable.push_back(folder_.path());
    }
    out_.tools.path = folder_.path_of(kCommands) + ":" + out_.tools.path;
    return Done{};
  }

  catalog::Catalog& catalog_;
  const Wish& wish_;
  const os::Dir& folder_;
  const std::string& tree_;
  Ready out_;
};

}  // namespace

std::optional<bool> is_pinned(const Pin& pin, std::string_view bytes) {
  if (pin.algorithm == "sha224") return to_hex(hash::sha224(as_bytes(bytes))) == pin.hex;
  for (const hash::Algorithm one : {hash::Algorithm::sha1, hash::Algorithm::sha256,
                                    hash::Algorithm::sha384, hash::Algorithm::sha512}) {
    if (hash::name(one) != pin.algorithm) continue;
    return to_hex(as_bytes(hash::Sha(one).update(as_bytes(bytes)).finish())) == pin.hex;
  }
  return std::nullopt;
}

Result<Ready, Problem> make_ready(catalog::Catalog& catalog, const Wish& wish,
                                  const catalog::Tools& tools, const os::Dir& folder,
                                  const std::string& tree) {
  return Maker(catalog, wish, tools, folder, tree).make();
}

}  // namespace cg::manager
