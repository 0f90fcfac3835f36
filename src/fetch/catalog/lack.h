// Lack and Missing: why a package, or the file of one of its versions, is not to be had.
#pragma once

#include <string>
#include <string_view>

namespace cg::catalog {

struct Lack {
  enum class Kind {
    bad_name,       // nothing can be called that
    no_registry,    // nobody says where to ask
    not_found,      // the registry has no such package
    unpublished,    // it had
    refused,        // it wants a token, or another one
    rubbish,        // an answer, but no packument
    name_mismatch,  // the packument of another package
    too_large,
    redirect,  // it sends us elsewhere, where we do not go
    timeout,
    unreachable,
    offline,  // not in the cache, and the network was ruled out
    damaged,  // in the cache, but not what was put there; see Catalog::damage()
    storage,  // the cache cannot be read
    stopped,  // the programs that fetch could not be started, or were ended
  };
  Kind kind;
  std::string what;  // one line, printable
};

/// "not_found": for machines.
[[nodiscard]] std::string_view name(Lack::Kind kind);
/// "not in the registry": for people.
[[nodiscard]] std::string_view words(Lack::Kind kind);

/// A version of a package that a stock has to do without.
struct Missing {
  enum class Kind {
    elsewhere,      // from git, or a URL of its own that policy does not let us fetch
    bad_name,       // nothing can be called that, or have that version
    no_registry,    // nobody says where to ask
    no_integrity,   // neither the lock nor the registry says which bytes are meant
    bad_integrity,  // what the lock says cannot be read
    mismatch,       // the registry has other bytes than the lock means
    redirect,       // the registry sends us elsewhere, where we do not go
    too_large,
    offline,    // not in the cache, and the network was ruled out
    unfetched,  // any other reason
  };
  Kind kind;
  std::string name;
  std::string version;
  std::string what;       // one line, printable
  bool optional = false;  // only optional dependencies need it
};
/// "no_integrity": for machines.
[[nodiscard]] std::string_view name(Missing::Kind kind);
/// "name@version: …", one line.
[[nodiscard]] std::string describe(const Missing& missing);

}  // namespace cg::catalog
