// Shape: what is known of one name that a package exports, and of what it has inside.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "npm/upgrade/finder.h"

namespace cg::upgrade {

using Lines = std::vector<std::string>;

/// One name: an export ("parse"), or a member of one ("Parser.run").
struct Item {
  Lines types;             // heads as declarations say them; overloads each
  Lines source;            // as JavaScript says them
  bool erased = false;     // a type: nothing of it is left when it runs
  bool outside = false;    // another package's
  bool field = false;      // `this.a = …`: told only if it is used
  bool at_owner = false;   // a member that a function has itself: `parse.sync = …`
  std::string summary;     // what its comment begins with
  std::string example;     // a line of one in its comment that says its name
  std::string deprecated;  // what a comment or the code says of that; empty: it is not
  Lines warnings;          // what the code says to who uses it in a way that is not to be used
  std::string throws;      // all that it does: 'throw new Error("gone")'
  Lines parameters;        // what comments say of them
  Lines options;           // names that are read from a parameter, without types
  Lines mentions;          // types in the heads

  [[nodiscard]] const Lines& heads() const { return types.empty() ? source : types; }
  /// With the parameters of a function that declarations only give a type to.
  [[nodiscard]] Lines shown() const;
};

struct Shape {
  struct Member {
    std::string name;
    Item item;
    Place place;
  };
  Item item;
  std::vector<Member> members;
  Lines bases;  // types that it has the members of, too
};

class Shaper {
 public:
  /// Must outlive it.
  explicit Shaper(Finder& finder) : finder_(finder) {}
  /// `places` as a Finder gives them, all of one name.
  [[nodiscard]] Shape shape(const std::string& name, const Places& places);
  /// Another name of what is `known`; without what it has inside.
  [[nodiscard]] Shape again(const std::string& name, const Places& places, const Item& known);

 private:
  struct Draft;
  void add_place(Draft& draft, const Place& place);
  void add_module(Draft& draft, const Source& source);
  void add_body(Draft& draft, const Place& place);
  void add_space(Draft& draft, const Place& place);
  void add_object(Draft& draft, const Place& object);
  void add_properties(Draft& draft, const Source& source, std::string_view object);
  void add_fields(Draft& draft, const Place& place);
  void add_created(Draft& draft, const Place& list);
  void add_assigned(Draft& draft, const Place& place);
  void add_member(Draft& draft, const std::string& name, const Place& at);
  [[nodiscard]] std::string heading(const std::string& name, const Place& place);
  [[nodiscard]] Item item_of(const std::string& name, const Place& place);
  [[nodiscard]] Lines bases_of(const Place& place) const;

  Finder& finder_;
};

/// All of a CommonJS module is what `module.exports` is, if that is something else than names.
[[nodiscard]] Places settled(Finder& finder, const Places& places);

}  // namespace cg::upgrade
