// Reaching: functions of a file that reach outside, so that whoever can call them reaches it too.
//
// One does that calls or writes something outside that does more than compute, calls a parameter
// of its own, or calls another of them. Methods are known by their names alone.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/rewrite/origins.h"

namespace cg::rewrite {

/// Builtins that only compute: they may be given anything, if the old text calls them too.
[[nodiscard]] bool is_harmless(std::string_view path);

class Reaching {
 public:
  /// Both must outlive it.
  Reaching(const File& file, const Origins& origins);

  /// The function of the file that a name stands for, or kNone.
  [[nodiscard]] Index own_function(Index name) const;
  /// A name that stands for one of them.
  [[nodiscard]] bool is_reaching(Index name) const;
  /// "c" of a.b.c and a.b['c'] if one of them is called so; else empty.
  [[nodiscard]] std::string method_of(Index chain) const;

 private:
  bool mark(Index node);
  [[nodiscard]] bool is_parameter(Index name) const;
  [[nodiscard]] bool reaches(Index node) const;
  [[nodiscard]] bool calls_out(Index call) const;
  void note_method(Index function);

  const File& file_;
  const Origins& origins_;
  std::vector<bool> functions_;    // by node
  std::set<std::string> methods_;  // names of those that are members
};

}  // namespace cg::rewrite
