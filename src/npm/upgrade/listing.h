// Listing: what one version of a package lets others have under one path, name by name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/json/value.h"
#include "npm/exports/exports.h"
#include "npm/exports/offer.h"
#include "npm/upgrade/shape.h"
#include "npm/upgrade/told.h"
#include "npm/upgrade/used.h"

namespace cg::upgrade {

/// One version of a package, and the declarations that others wrote for it.
struct Side {
  const exports::Unpacked* package = nullptr;  // never
  const exports::Unpacked* types = nullptr;    // @types/NAME, where the package has none
};

using Items = std::map<std::string, Item, std::less<>>;

struct Listing {
  std::optional<exports::Why> shut;  // why it cannot be had the way it is asked for
  std::string file;                  // that is run; empty: none
  std::string types;                 // that a compiler reads; empty: none
  exports::Style style = exports::Style::commonjs;
  bool complete = true;   // what runs exports nothing else
  bool minified = false;  // so that of what runs there are names alone
  bool object = false;    // CommonJS that exports names, and is nothing itself
  Items items;            // "parse", "default", "Parser.run"; types that those speak of
  std::map<std::string, Lines, std::less<>> bases;  // of a name, whose members it has too
  std::map<std::string, Lines> twins;               // other names of the same thing, by each
  std::set<std::string, std::less<>> inner;         // types that cannot be imported

  [[nodiscard]] bool typed() const { return !types.empty(); }
  /// The key of what `name` of the package is: itself, or a member of what is the default.
  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;
  /// The key of a member of `owner` or of what that is based on.
  [[nodiscard]] std::optional<std::string> member(std::string_view owner,
                                                  std::string_view name) const;
  /// What a key of the other version is here; members of the default may be names, and back.
  [[nodiscard]] const Item* counterpart(const std::string& key) const;
};

/// "Parser" and "run" of "Parser.run"; of "parse" the first is empty.
[[nodiscard]] std::pair<std::string_view, std::string_view> parted(std::string_view key);

class Lister {
 public:
  /// All must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Lister>, exports::Error> of(
      const Side& side, const exports::Limits& limits);
  [[nodiscard]] Listing list(const Used::Path& path, const Used& used);

  [[nodiscard]] const json::Value& manifest() const { return manifest_; }
  [[nodiscard]] const exports::Offer& offer() const { return offer_; }
  [[nodiscard]] const exports::Files& files() const { return side_.package->sources; }
  /// Of whatever kind.
  [[nodiscard]] const auto& all() const { return side_.package->all; }
  /// Nothing for what cannot be parsed.
  [[nodiscard]] const Source* source(const std::string& file) { return sources_.get(file); }
  /// What the code tells who uses it: of files that run when it is imported, each text once.
  [[nodiscard]] std::vector<Told> told(const Used& used);
  struct File {
    std::string file;
    std::string key;  // of what it defines that is used: "a/b default"; empty: none
  };
  using Files = std::vector<File>;
  /// Those that people wrote and that run: first the ones that define what is used, then the ones
  /// that they load.
  [[nodiscard]] Files files_behind(const Used& used);

 private:
  Lister(const Side& side, const exports::Limits& limits, json::Value manifest,
         exports::Offer offer);
  [[nodiscard]] const Source* types_of(const std::string& path, const Listing& listing);
  void add_all(Listing& out, Finder& finder, const Source& source);
  void add_one(Listing& out, Finder& finder, const Source& source, const std::string& name,
               const Places& places, const std::set<std::string, std::less<>>& others,
               const Item* same);
  static void lift_members(Listing& out, const Places& places);
  void add_mentioned(Listing& out, const Source& source);

  Side side_;
  const exports::Limits& limits_;
  json::Value manifest_;
  exports::Offer offer_;
  Sources sources_;
  Sources other_types_;
  Finder finder_;
  Finder own_types_finder_;  // what a bundle takes to be read is not taken from declarations
  Finder types_finder_;
  Used::Names names_;                             // that are used of what is listed
  std::map<std::string, const Source*> said_in_;  // by key, of declarations
};

}  // namespace cg::upgrade
