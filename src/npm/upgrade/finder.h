// Finder: where a name that a package exports is declared, through the files of the package.
//
// What names.h says of one file is followed: names that are handed on, local names, require(),
// what compilers write around it, and the function that a UMD wrapper is called with. Each
// question may take a fixed number of steps, so that files which lead in circles end it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "npm/upgrade/source.h"

namespace cg::upgrade {

/// A declaration or a value. Node 0 is the file itself: all that it exports, as one value.
struct Place {
  const Source* source = nullptr;
  syntax::Index node = syntax::kNone;
  friend auto operator<=>(const Place&, const Place&) = default;
};
using Places = std::vector<Place>;

class Finder {
 public:
  /// Must outlive it.
  explicit Finder(Sources& sources) : sources_(sources) {}

  struct Names {
    std::set<std::string, std::less<>> names;
    bool complete = true;
  };
  [[nodiscard]] Names names(const Source& source);
  /// Several for overloads, or for a type and a value of one name; none for what is another
  /// package's, which outside() then names.
  [[nodiscard]] Places exported(const Source& source, const std::string& name);
  [[nodiscard]] const std::string& outside() const { return outside_; }
  /// What a name means in a file.
  [[nodiscard]] Places local(const Source& source, const std::string& name);
  /// What an expression is; where that is not known, the expression.
  [[nodiscard]] Places value(const Place& expression);
  /// The function that a call gives, where the function called says so: for its parameters.
  [[nodiscard]] Place made_by(const Place& call);

 private:
  void add_names(const Source& source, Names& out, std::set<const Source*>& seen);
  Places find_exported(const Source& source, const std::string& name, int depth);
  Places find_in_stars(const Source& source, const std::string& name, int depth);
  Places find_local(const Source& source, const std::string& name, int depth);
  Places find_value(const Place& at, int depth);
  Places find_call(const Place& at, int depth);
  Places find_typeof(const Place& at, int depth);
  Places find_member(const Place& at, int depth);
  Places find_inside(const Places& owners, const std::string& name, int depth);
  Places member_of(const Place& owner, const std::string& name, int depth);
  Places find_returned(const Place& function, int depth);
  Places whole(const Source& source, const std::string& from);
  const Source* stands_for(const Source& source);
  bool step(int depth);

  Sources& sources_;
  std::size_t steps_ = 0;  // of this question
  std::size_t work_ = 0;   // of all
  std::string outside_;
};

/// Of `const f = () => {}` the function; others as they are.
[[nodiscard]] Place unwrapped(const Place& place);
[[nodiscard]] syntax::Kind kind_at(const Place& place);

}  // namespace cg::upgrade
