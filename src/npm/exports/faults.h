// Faults: what a package imports of another that a version of the other does not let it have.
//
// For who moves or forces a dependency under a package that was written for another version of it.
// Nothing is run, so the code of neither can answer for itself; what cannot be known without
// running it is no fault (a module that is not complete, a path that is put together).
//
// Looked at: .js, .cjs and .mjs that run when the package is imported or its programs are started
// (loaded_files()); where nothing leads anywhere, all of them outside of folders of tests. Not
// TypeScript: node runs none from node_modules. Not what the package can do without (asks.h).
//
// CommonJS that requires an ES module is a fault. Newer versions of node can do that, if the module
// does not await at its top, but who wrote the package did not know; if the version before
// was an ES module as well and was required in the same place, it is no news (new_faults()).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/exports/offer.h"
#include "npm/exports/unpack.h"

namespace cg::exports {

inline constexpr std::size_t kMaxFaults = 100;  // of one package

struct Fault {
  std::string file;  // of the dependent
  std::size_t line = 1;
  std::string import;  // as it is written: "uuid/v4"
  std::string name;    // empty: the whole path
  Why why = Why::path_gone;
  friend bool operator==(const Fault&, const Fault&) = default;
};
/// "lib/auth.js:4 imports uuid/v4, which is not there". Printable.
[[nodiscard]] std::string describe(const Fault& fault);

/// By file, line, import and name; the first kMaxFaults. `package` is what `dependent` calls
/// `dependency`.
[[nodiscard]] Result<std::vector<Fault>, Error> faults(const Unpacked& dependent,
                                                       std::string_view package,
                                                       const Unpacked& dependency,
                                                       const Limits& limits = {});

/// Those with `after` that the same dependent has not with `before`.
[[nodiscard]] Result<std::vector<Fault>, Error> new_faults(const Unpacked& dependent,
                                                           std::string_view package,
                                                           const Unpacked& before,
                                                           const Unpacked& after,
                                                           const Limits& limits = {});

/// The same of sources that are no package: of a repository, by path, with the manifests above
/// them, which say which of them are ES modules. All of them count, TypeScript too, of which only
/// the paths that it imports are looked at: what names it uses its compiler knows, and some of them
/// are types.
[[nodiscard]] Result<std::vector<Fault>, Error> new_faults_of(const Files& sources,
                                                              std::string_view package,
                                                              const Unpacked& before,
                                                              const Unpacked& after,
                                                              const Limits& limits = {});

}  // namespace cg::exports
