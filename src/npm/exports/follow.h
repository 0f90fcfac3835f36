// Follows names that a file only hands on, through the files of one package.
#pragma once

#include <map>
#include <set>
#include <string>

#include "npm/exports/api.h"
#include "npm/exports/names.h"

namespace cg::exports {

/// What manifests say of the .js files in their folders.
class Types {
 public:
  explicit Types(const Files& files) : files_(files) {}
  /// The nearest manifest says "type": "module".
  [[nodiscard]] bool is_modular(const std::string& file);

 private:
  const Files& files_;
  std::map<std::string, bool> modular_;  // by folder with a manifest
};

class Follower {
 public:
  /// Both must outlive it.
  Follower(const Files& files, const Limits& limits)
      : files_(files), limits_(limits), types_(files) {}
  /// Reads `file`, and what it hands on from.
  const Module& read(const std::string& file);
  [[nodiscard]] std::map<std::string, Module, std::less<>> take() && { return std::move(done_); }

 private:
  const Module& module_of(const std::string& file, int depth);
  [[nodiscard]] Module read_one(const std::string& file, int depth);
  [[nodiscard]] const Module* module_from(const std::string& file, const std::string& from,
                                          int depth);
  [[nodiscard]] Export target_of(const std::string& file, const Forward& forward, int depth);

  void set_style(Module& module, const std::string& file);

  const Files& files_;
  const Limits& limits_;
  std::map<std::string, Module, std::less<>> done_;
  Types types_;
  std::set<std::string> open_;  // being read just now: a circle ends there
  std::size_t parsed_ = 0;      // bytes
};

}  // namespace cg::exports
