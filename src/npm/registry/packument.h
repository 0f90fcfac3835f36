// Packument: every published version of one package.
//
// What a registry sends is untrusted and large. It is read once, cut down to what
// installers need, and kept as lines that are cheap to read again: one per version,
// lowest first, so that choosing among hundreds of versions parses none of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "npm/registry/packument_error.h"
#include "npm/registry/release.h"
#include "npm/semver/version.h"

namespace cg::registry {

class Packument {
 public:
  /// From a registry's answer, full or abbreviated. A version that is no version, lies
  /// about its name, or has no usable dist is left out and counted.
  [[nodiscard]] static Result<Packument, PackumentError> parse(std::string_view name,
                                                               std::string_view json);
  /// From stored().
  [[nodiscard]] static Result<Packument, PackumentError> read(std::string_view name,
                                                              std::string stored);
  /// The lines. Equal packuments have equal lines.
  [[nodiscard]] const std::string& stored() const { return *text_; }

  [[nodiscard]] const std::string& name() const { return name_; }
  /// How many versions the registry had that cannot be used.
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Ascending.
  [[nodiscard]] const semver::Version& version(std::size_t i) const { return rows_[i].version; }
  [[nodiscard]] bool deprecated(std::size_t i) const { return rows_[i].deprecated; }
  [[nodiscard]] bool install_script(std::size_t i) const { return rows_[i].install_script; }
  /// Nothing where the registry does not tell.
  [[nodiscard]] std::optional<Time> published(std::size_t i) const { return rows_[i].published; }
  [[nodiscard]] std::optional<std::size_t> find(const semver::Version& version) const;
  /// What a dist-tag stands for.
  [[nodiscard]] std::optional<std::size_t> tag(std::string_view name) const;
  /// Parsed when first asked for; lives as long as the packument. Never moves.
  [[nodiscard]] const Release& release(std::size_t i) const;

 private:
  struct Row {
    semver::Version version;
    std::string_view json;  // of the release, in *text_
    std::optional<Time> published;
    bool deprecated = false;
    bool install_script = false;
  };
  Packument() = default;
  friend class PackumentReader;

  std::string name_;
  std::unique_ptr<std::string> text_;  // on the heap, so that views survive a move
  std::vector<Row> rows_;
  std::vector<std::pair<std::string, std::size_t>> tags_;
  std::size_t left_out_ = 0;
  mutable std::vector<std::unique_ptr<Release>> releases_;
};

/// Packument::read() believes the JSON of releases until one is asked for. This does not:
/// true if every line is what we would write. For lines from another machine.
[[nodiscard]] bool is_sound(const Packument& packument);

/// Where planning gets packuments from. The answer lives as long as the source and is
/// the same whenever it is asked for again.
class Source {
 public:
  virtual ~Source() = default;
  /// Null if the package is not to be had; the source remembers why, for the report.
  [[nodiscard]] virtual const Packument* get(std::string_view name) = 0;
};

}  // namespace cg::registry
