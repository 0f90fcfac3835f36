// Config: the settings, and which layer each value came from.
//
// Pure: the caller hands in flags, variables and the texts of the files. A flag
// wins over a variable, a variable over --config FILE, that over the file of the
// user, that over the file of the machine, that over what is built in.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/json/value.h"

namespace cg::cli {

enum class Key {
  home,
  guard_dir,
  color,
  progress,
  audit_anchor_dir,
  audit_sign,
  feeds_osv,
  feeds_ghsa,
  feeds_nvd,
  registry_max_age
};

enum class ValueRule { path, color, progress, signer, url, duration };

struct SettingRow {
  Key key;
  std::string_view name;      // audit.anchor_dir
  std::string_view variable;  // CODEGENIE_AUDIT_ANCHOR_DIR
  ValueRule rule;
  std::string_view help;
};

/// All settings, in the order of Key.
[[nodiscard]] const std::vector<SettingRow>& setting_table();

enum class Layer { flag, environment, named_file, user_file, system_file, built_in };

struct Origin {
  Layer layer = Layer::built_in;
  std::string source;    // the flag, variable or file
  std::size_t line = 0;  // of a file
};

/// "flag --home", "environment CODEGENIE_HOME", "file /etc/codegenie/config.yaml:3",
/// "built-in".
[[nodiscard]] std::string describe(const Origin& origin);

struct Setting {
  Key key;
  std::string value;
  Origin origin;
};

class Settings {
 public:
  [[nodiscard]] const std::string& get(Key key) const { return at(key).value; }
  [[nodiscard]] const Setting& at(Key key) const;
  /// One per Key, in their order.
  [[nodiscard]] const std::vector<Setting>& all() const { return settings_; }

 private:
  friend Result<Settings, Problem> resolve_settings(const struct ConfigInputs& inputs);
  explicit Settings(std::vector<Setting> settings) : settings_(std::move(settings)) {}
  std::vector<Setting> settings_;
};

using Environment = std::map<std::string, std::string, std::less<>>;

/// The value of a variable; empty if it is not set.
[[nodiscard]] std::string variable(const Environment& environment, std::string_view name);

/// A configuration file is larger than this only by mistake.
inline constexpr std::size_t kMaxConfigBytes = 64 * 1024;

struct ConfigFile {
  Layer layer;
  std::string path;
  std::string text;
};

/// Where to look for files, strongest first. Paths only: they need not exist.
struct ConfigPlace {
  Layer layer;
  std::string path;
};
[[nodiscard]] std::vector<ConfigPlace> config_places(const Environment& environment);

struct ConfigInputs {
  std::map<Key, std::string> flags;
  Environment environment;
  std::vector<ConfigFile> files;  // strongest first
};

/// Fails on a file that is too large, not strict YAML, or has an unknown key or a
/// bad value, even if a stronger layer overrides it; on a bad variable or flag; and
/// if no folder can be named because neither HOME nor XDG_STATE_HOME is set.
[[nodiscard]] Result<Settings, Problem> resolve_settings(const ConfigInputs& inputs);

/// `codegenie/config/v1`, see doc/schema/config.json.
[[nodiscard]] json::Value settings_json(const Settings& settings);

}  // namespace cg::cli
