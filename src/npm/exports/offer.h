// Offer: a package as node finds files in it, for who imports from it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/json/value.h"
#include "npm/exports/asks.h"
#include "npm/exports/follow.h"
#include "npm/exports/unpack.h"

namespace cg::exports {

/// Why something that is imported cannot be had.
enum class Why : std::uint8_t {
  path_gone,     // no such file
  not_exported,  // `exports` does not let anybody have it
  esm_only,      // an ES module where CommonJS asks by require()
  name_gone,     // the module is there, and its names are known: it is none of them
};
/// "path_gone"
[[nodiscard]] std::string_view name(Why why);

/// Whether a path must be whole, as for ES modules, or may lack its ending or name a folder.
enum class Paths : std::uint8_t { exact, loose };

class Offer {
 public:
  /// `package` and `limits` must outlive it.
  [[nodiscard]] static Result<Offer, Error> of(const Unpacked& package, const Limits& limits);

  /// The file that `path` behind the name means, as node resolves it: conditions node, default,
  /// and `way`. Whatever `way` is asked for, a file is looked at only for being there.
  [[nodiscard]] Result<std::string, Why> resolve(std::string_view path, Way way, Paths paths) const;
  /// Nothing for a file that is no source: JSON, native code.
  [[nodiscard]] const Module* module(const std::string& file) const;

 private:
  Offer(const Unpacked& package, json::Value manifest, const Limits& limits);

  [[nodiscard]] bool has(const std::string& file) const { return package_->all.contains(file); }
  [[nodiscard]] std::optional<std::string> as_file(const std::string& stem) const;
  [[nodiscard]] std::optional<std::string> as_folder(const std::string& stem) const;
  [[nodiscard]] std::optional<std::string> main_of(const json::Value& manifest,
                                                   const std::string& folder) const;

  const Unpacked* package_;
  json::Value manifest_;
  std::unique_ptr<Follower> follower_;  // reads what is asked for, each file once
};

}  // namespace cg::exports
