#include "flow/cli/config.h"

#include <algorithm>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/yaml/yaml.h"
#include "flow/cli/tokens.h"

namespace cg::cli {

namespace {

constexpr std::string_view kSchema = "codegenie/config/v1";
constexpr std::size_t kMaxDurationDigits = 6;

using Checked = Result<Done, Problem>;

/// 30s, 5m, 12h.
bool is_duration(std::string_view value) {
  if (value.size() < 2 || value.size() > kMaxDurationDigits + 1) return false;
  const bool has_unit = std::string_view("smh").find(value.back()) != std::string_view::npos;
  return has_unit && parse_u64(value.substr(0, value.size() - 1)).has_value();
}

/// What a value must be; empty if `value` is that.
std::string_view missed_rule(ValueRule rule, std::string_view value) {
  switch (rule) {
    case ValueRule::path:
      return value.empty() || value.find('\0') != std::string_view::npos ? "a path" : "";
    case ValueRule::color:
      return value == "auto" || value == "always" || value == "never" ? ""
                                                                      : "auto, always or never";
    case ValueRule::progress:
      return value == "auto" || value == "plain" || value == "none" ? "" : "auto, plain or none";
    case ValueRule::signer: {
      const bool named =
          (value.starts_with("ssh:") || value.starts_with("gpg:")) && value.size() > 4;
      return value == "none" || named ? "" : "none, ssh:FILE or gpg:KEY";
    }
    case ValueRule::url:
      return value == "none" || value.starts_with("https://") || value.starts_with("http://")
                 ? ""
                 : "none or a URL";
    case ValueRule::duration:
      return is_duration(value) ? "" : "a number with s, m or h behind it: 5m";
  }
  CG_ASSERT(false);
}

Problem bad_setting(const std::string& what, const Origin& origin) {
  std::string place = describe(origin);
  std::string label = "from";
  if (place.starts_with("file ")) {
    label = "file";
    place.erase(0, label.size() + 1);
  }
  return {ErrorCode::config_bad, what, {{label, place}}, "nothing was done", {}};
}

Checked check_value(const SettingRow& row, const std::string& value, const Origin& origin) {
  std::string_view rule = missed_rule(row.rule, value);
  // A relative path in a file would mean another folder in every shell.
  if (row.rule == ValueRule::path && origin.line > 0 && !value.starts_with('/')) {
    rule = "an absolute path";
  }
  if (rule.empty()) return Done{};
  Problem problem =
      bad_setting("bad value " + shown(value) + " for `" + std::string(row.name) + "`", origin);
  problem.help = {"must be " + std::string(rule)};
  return fail(std::move(problem));
}

class FileReader {
 public:
  FileReader(const ConfigFile& file, std::map<Key, Setting>& found) : file_(file), found_(found) {}

  Checked run() {
    if (file_.text.size() > kMaxConfigBytes) {
      return fail(bad_setting("configuration file larger than 64 KiB", {file_.layer, file_.path}));
    }
    const auto parsed = yaml::parse_yaml(file_.text);
    if (!parsed) {
      return fail(
          bad_setting("configuration file is not strict YAML: " + json::describe(parsed.error()),
                      {file_.layer, file_.path, parsed.error().at.line}));
    }
    // A file of comments is null; it says nothing, and that is fine.
    if (parsed->is_null()) return Done{};
    return read_members("", *parsed);
  }

 private:
  [[nodiscard]] Origin at(const json::Value& value) const {
    return {file_.layer, file_.path, value.position().line};
  }

  Checked read_members(const std::string& prefix, const json::Value& object) {
    if (!object.is_object()) {
      const std::string what = prefix.empty() ? "configuration file" : "`" + prefix + "`";
      return fail(bad_setting(what + " must hold keys and values", at(object)));
    }
    for (const auto& [key, value] : *object.as_object()) {
      const std::string name = prefix.empty() ? key : prefix + "." + key;
      if (name == "schema") {
        CG_TRY(check_schema(value));
      } else if (is_section(name)) {
        CG_TRY(read_members(name, value));
      } else {
        CG_TRY(read_setting(name, value));
      }
    }
    return Done{};
  }

  Checked check_schema(const json::Value& value) const {
    if (value.as_string() != nullptr && *value.as_string() == kSchema) return Done{};
    Problem problem = bad_setting("this version does not read that schema", at(value));
    problem.help = {"schema: " + std::string(kSchema)};
    return fail(std::move(problem));
  }

  static bool is_section(const std::string& name) {
    const auto& table = setting_table();
    return std::any_of(table.begin(), table.end(),
                       [&](const SettingRow& row) { return row.name.starts_with(name + "."); });
  }

  Checked read_setting(const std::string& name, const json::Value& value) {
    std::vector<std::string> names;
    for (const SettingRow& row : setting_table()) {
      names.emplace_back(row.name);
      if (row.name != name) continue;
      if (!value.is_string()) {
        return fail(
            bad_setting("`" + name + "` must be text, not " + std::string(json::name(value.type())),
                        at(value)));
      }
      CG_TRY(check_value(row, *value.as_string(), at(value)));
      found_.try_emplace(row.key, Setting{row.key, *value.as_string(), at(value)});
      return Done{};
    }
    Problem problem = bad_setting("unknown setting " + shown(name), at(value));
    if (const auto near = closest(name, names)) problem.help = {"did you mean `" + *near + "`?"};
    if (problem.help.empty()) problem.help = {"codegenie config show"};
    return fail(std::move(problem));
  }

  const ConfigFile& file_;
  std::map<Key, Setting>& found_;
};

/// $NAME or ~/fallback. The XDG rules say to ignore a relative path.
std::string base_folder(const Environment& environment, std::string_view name,
                        std::string_view fallback) {
  std::string folder = variable(environment, name);
  if (folder.starts_with('/')) return folder;
  folder = variable(environment, "HOME");
  return folder.empty() ? "" : folder + "/" + std::string(fallback);
}

Result<std::string, Problem> built_in(Key key, const ConfigInputs& inputs,
                                      const std::map<Key, Setting>& found) {
  const std::string state = base_folder(inputs.environment, "XDG_STATE_HOME", ".local/state");
  const bool needs_state = key == Key::home || key == Key::guard_dir;
  if (needs_state && state.empty()) {
    return fail(Problem{
        ErrorCode::config_bad,
        "no folder for `" + std::string(setting_table()[static_cast<std::size_t>(key)].name) +
            "`: neither HOME nor XDG_STATE_HOME is set",
        {},
        "nothing was done",
        {"set HOME", "or name the folders: CODEGENIE_HOME=DIR CODEGENIE_GUARD_DIR=DIR"}});
  }
  switch (key) {
    case Key::home:
      return state + "/codegenie";
    case Key::guard_dir:
      return state + "/codegenie-guard";
    case Key::color:
    case Key::progress:
      return std::string("auto");
    case Key::audit_anchor_dir:
      return found.at(Key::home).value + "/audit/anchors";
    case Key::audit_sign:
    case Key::feeds_ghsa:
    case Key::feeds_nvd:
      return std::string("none");
    case Key::registry_max_age:
      return std::string("5m");
    case Key::feeds_osv:
      return std::string("https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip");
  }
  CG_ASSERT(false);
}

}  // namespace

const std::vector<SettingRow>& setting_table() {
  static const std::vector<SettingRow> table = {
      {Key::home, "home", "CODEGENIE_HOME", ValueRule::path,
       "the folder of logs, indexes and state"},
      {Key::guard_dir, "guard_dir", "CODEGENIE_GUARD_DIR", ValueRule::path,
       "the folder, outside home, that remembers the last seen head of each log"},
      {Key::color, "color", "CODEGENIE_COLOR", ValueRule::color, "auto, always or never"},
      {Key::progress, "progress", "CODEGENIE_PROGRESS", ValueRule::progress, "auto, plain or none"},
      {Key::audit_anchor_dir, "audit.anchor_dir", "CODEGENIE_AUDIT_ANCHOR_DIR", ValueRule::path,
       "the folder that anchors are written to and compared with"},
      {Key::audit_sign, "audit.sign", "CODEGENIE_AUDIT_SIGN", ValueRule::signer,
       "what signs anchors: none, ssh:FILE or gpg:KEY"},
      {Key::feeds_osv, "feeds.osv", "CODEGENIE_FEEDS_OSV", ValueRule::url,
       "where `vuln-index refresh` gets OSV's records of npm, or none"},
      {Key::feeds_ghsa, "feeds.ghsa", "CODEGENIE_FEEDS_GHSA", ValueRule::url,
       "the same for GitHub's advisories in OSV's schema"},
      {Key::feeds_nvd, "feeds.nvd", "CODEGENIE_FEEDS_NVD", ValueRule::url,
       "the same for a feed of NVD's API 2.0"},
      {Key::registry_max_age, "registry.max_age", "CODEGENIE_REGISTRY_MAX_AGE", ValueRule::duration,
       "how long metadata of packages counts as fresh: 30s, 5m, 12h"},
  };
  return table;
}

std::string describe(const Origin& origin) {
  switch (origin.layer) {
    case Layer::flag:
      return "flag " + origin.source;
    case Layer::environment:
      return "environment " + origin.source;
    case Layer::named_file:
    case Layer::user_file:
    case Layer::system_file:
      return "file " + origin.source + (origin.line > 0 ? ":" + std::to_string(origin.line) : "");
    case Layer::built_in:
      return "built-in";
  }
  CG_ASSERT(false);
}

std::string variable(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

const Setting& Settings::at(Key key) const { return settings_[static_cast<std::size_t>(key)]; }

std::vector<ConfigPlace> config_places(const Environment& environment) {
  std::vector<ConfigPlace> places;
  const std::string config = base_folder(environment, "XDG_CONFIG_HOME", ".config");
  if (!config.empty()) places.push_back({Layer::user_file, config + "/codegenie/config.yaml"});
  places.push_back({Layer::system_file, "/etc/codegenie/config.yaml"});
  return places;
}

Result<Settings, Problem> resolve_settings(const ConfigInputs& inputs) {
  std::map<Key, Setting> found;
  for (const SettingRow& row : setting_table()) {
    const auto flag = inputs.flags.find(row.key);
    if (flag != inputs.flags.end()) {
      const Origin origin{Layer::flag, "--" + std::string(row.name)};
      CG_TRY(check_value(row, flag->second, origin));
      found.try_emplace(row.key, Setting{row.key, flag->second, origin});
    }
    const std::string value = variable(inputs.environment, row.variable);
    if (!value.empty()) {
      const Origin origin{Layer::environment, std::string(row.variable)};
      CG_TRY(check_value(row, value, origin));
      found.try_emplace(row.key, Setting{row.key, value, origin});
    }
  }
  for (const ConfigFile& file : inputs.files) CG_TRY(FileReader(file, found).run());
  std::vector<Setting> settings;
  for (const SettingRow& row : setting_table()) {
    if (found.find(row.key) == found.end()) {
      CG_TRY_ASSIGN(std::string value, built_in(row.key, inputs, found));
      found.emplace(row.key, Setting{row.key, std::move(value), {}});
    }
    settings.push_back(found.at(row.key));
  }
  return Settings(std::move(settings));
}

json::Value settings_json(const Settings& settings) {
  json::Value::Array rows;
  for (const Setting& setting : settings.all()) {
    const auto text = [](const std::string& s) { return is_utf8(s) ? s : printable(s); };
    rows.emplace_back(json::Value::Object{
        {"key", setting_table()[static_cast<std::size_t>(setting.key)].name},
        {"value", text(setting.value)},
        {"origin", text(describe(setting.origin))},
    });
  }
  return json::Value::Object{{"schema", kSchema}, {"settings", std::move(rows)}};
}

}  // namespace cg::cli
