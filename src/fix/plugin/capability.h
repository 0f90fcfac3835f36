// Capabilities: the right to do one kind of thing within one scope, as a value.
//
// Whoever fetches packages, writes files or makes a branch takes one as a parameter.
// Only Mint makes them, it makes only what the plugin in charge lists, and both the
// making and every use come out as events. The scope can be read only by naming a
// purpose, so it cannot be used in silence.
//
// What that is worth: that nobody else makes one is checked by the compiler
// (tests/compile_fail), and the log tells what was done under which right. It is no
// barrier against code in this process that casts or corrupts memory; what a process
// can do at all is the business of its system-call filter and of what it links.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/base/result.h"
#include "fix/plugin/manifest.h"
#include "trust/record/event.h"

namespace cg::plugin {

/// To fetch from one package registry.
class NpmInstall {
 public:
  NpmInstall(NpmInstall&&) = default;
  NpmInstall& operator=(NpmInstall&&) = default;
  NpmInstall(const NpmInstall&) = delete;
  NpmInstall& operator=(const NpmInstall&) = delete;
  ~NpmInstall() = default;

  /// The address of the registry. `purpose` completes "used to …": "look up releases".
  [[nodiscard]] const std::string& use(std::string_view purpose, record::Events& events) const;

 private:
  friend class Mint;
  explicit NpmInstall(std::string registry) : registry_(std::move(registry)) {}
  std::string registry_;
};

/// To read and write beneath one folder.
class FsReadWrite {
 public:
  FsReadWrite(FsReadWrite&&) = default;
  FsReadWrite& operator=(FsReadWrite&&) = default;
  FsReadWrite(const FsReadWrite&) = delete;
  FsReadWrite& operator=(const FsReadWrite&) = delete;
  ~FsReadWrite() = default;

  /// The folder.
  [[nodiscard]] const std::string& use(std::string_view purpose, record::Events& events) const;

 private:
  friend class Mint;
  explicit FsReadWrite(std::string root) : root_(std::move(root)) {}
  std::string root_;
};

struct GitScope {
  std::string repo;
  std::string branch_namespace;  // "codegenie/": every branch begins with it
};

/// To write objects and branches of one namespace into one local repository. There is
/// no push: a person takes a branch further, and no member here could do it.
class GitLocalOps {
 public:
  GitLocalOps(GitLocalOps&&) = default;
  GitLocalOps& operator=(GitLocalOps&&) = default;
  GitLocalOps(const GitLocalOps&) = delete;
  GitLocalOps& operator=(const GitLocalOps&) = delete;
  ~GitLocalOps() = default;

  [[nodiscard]] const GitScope& use(std::string_view purpose, record::Events& events) const;

 private:
  friend class Mint;
  explicit GitLocalOps(GitScope scope) : scope_(std::move(scope)) {}
  GitScope scope_;
};

/// The same for branches that hold what nobody could prove: a type of its own, so that neither
/// right can stand in for the other.
class GitUnprovenOps {
 public:
  GitUnprovenOps(GitUnprovenOps&&) = default;
  GitUnprovenOps& operator=(GitUnprovenOps&&) = default;
  GitUnprovenOps(const GitUnprovenOps&) = delete;
  GitUnprovenOps& operator=(const GitUnprovenOps&) = delete;
  ~GitUnprovenOps() = default;

  [[nodiscard]] const GitScope& use(std::string_view purpose, record::Events& events) const;

 private:
  friend class Mint;
  explicit GitUnprovenOps(GitScope scope) : scope_(std::move(scope)) {}
  GitScope scope_;
};
/// How each of their namespaces ends.
inline constexpr std::string_view kUnprovenEnd = "-unproven/";

/// Not among the capabilities that the plugin lists, or a scope that is none.
struct MintError {
  Power power;
  std::string what;  // one line, printable
};

/// The one place where capabilities are made, for one plugin. Each is an event that is
/// appended to `events`; credentials in an address are left out of it.
class Mint {
 public:
  explicit Mint(const Manifest& plugin) : plugin_(plugin.name), powers_(plugin.powers) {}

  /// `registry` is an http or https address.
  [[nodiscard]] Result<NpmInstall, MintError> npm_install(std::string registry,
                                                          record::Events& events) const;
  /// `root` is an absolute path.
  [[nodiscard]] Result<FsReadWrite, MintError> fs_read_write(std::string root,
                                                             record::Events& events) const;
  /// The repository's path is absolute; the namespace ends with a slash, and not with kUnprovenEnd.
  [[nodiscard]] Result<GitLocalOps, MintError> git_local_ops(GitScope scope,
                                                             record::Events& events) const;
  /// Likewise; the namespace ends with kUnprovenEnd.
  [[nodiscard]] Result<GitUnprovenOps, MintError> git_unproven_ops(GitScope scope,
                                                                   record::Events& events) const;

 private:
  [[nodiscard]] Result<Done, MintError> check(Power power, bool scope_is_one) const;

  std::string plugin_;
  std::vector<Power> powers_;
};

}  // namespace cg::plugin
