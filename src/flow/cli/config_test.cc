#include "flow/cli/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"

namespace cg::cli {
namespace {

using ::testing::HasSubstr;

ConfigInputs base() {
  ConfigInputs inputs;
  inputs.environment = {{"HOME", "/home/u"}};
  return inputs;
}

TEST(Config, BuiltInValues) {
  const auto settings = resolve_settings(base());
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->get(Key::home), "/home/u/.local/state/codegenie");
  EXPECT_EQ(settings->get(Key::guard_dir), "/home/u/.local/state/codegenie-guard");
  EXPECT_EQ(settings->get(Key::color), "auto");
  EXPECT_EQ(settings->get(Key::progress), "auto");
  EXPECT_EQ(settings->get(Key::audit_anchor_dir), "/home/u/.local/state/codegenie/audit/anchors");
  EXPECT_EQ(settings->get(Key::audit_sign), "none");
  EXPECT_EQ(describe(settings->at(Key::home).origin), "built-in");
}

TEST(Config, TableFollowsTheKeys) {
  for (std::size_t i = 0; i < setting_table().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(setting_table()[i].key), i);
  }
}

TEST(Config, StrongerLayersWin) {
  ConfigInputs inputs = base();
  const auto home = [&] {
    const auto settings = resolve_settings(inputs);
    return settings ? settings->get(Key::home) + " " + describe(settings->at(Key::home).origin)
                    : settings.error().what;
  };
  inputs.environment["XDG_STATE_HOME"] = "/xdg";
  EXPECT_EQ(home(), "/xdg/codegenie built-in");
  inputs.files = {{Layer::system_file, "/etc/c.yaml", "# one\nhome: /sys\n"}};
  EXPECT_EQ(home(), "/sys file /etc/c.yaml:2");
  inputs.files.insert(inputs.files.begin(), {Layer::user_file, "/u/c.yaml", "home: /user\n"});
  EXPECT_EQ(home(), "/user file /u/c.yaml:1");
  inputs.files.insert(inputs.files.begin(), {Layer::named_file, "n.yaml", "\n\nhome: /named\n"});
  EXPECT_EQ(home(), "/named file n.yaml:3");
  inputs.environment["CODEGENIE_HOME"] = "/env";
  EXPECT_EQ(home(), "/env environment CODEGENIE_HOME");
  inputs.flags[Key::home] = "rel";
  EXPECT_EQ(home(), "rel flag --home");
  EXPECT_EQ(resolve_settings(inputs)->get(Key::audit_anchor_dir), "rel/audit/anchors");
}

TEST(Config, FileMayHoldEverything) {
  ConfigInputs inputs = base();
  inputs.files = {{Layer::user_file, "c.yaml",
                   "schema: codegenie/config/v1\nhome: /h\nguard_dir: /g\ncolor: never\n"
                   "progress: plain\naudit:\n  anchor_dir: /a\n  sign: ssh:/k\n"}};
  const auto settings = resolve_settings(inputs);
  ASSERT_TRUE(settings) << settings.error().what;
  EXPECT_EQ(settings->get(Key::audit_sign), "ssh:/k");
  EXPECT_EQ(settings->at(Key::audit_sign).origin.line, 8U);
}

TEST(Config, AFileOfCommentsSaysNothing) {
  for (const char* text : {"", "\n", "# nothing\n"}) {
    ConfigInputs inputs = base();
    inputs.files = {{Layer::user_file, "c.yaml", text}};
    EXPECT_TRUE(resolve_settings(inputs)) << text;
  }
}

TEST(Config, BadFiles) {
  const struct {
    std::string text;
    std::string what;
    std::string from;
    std::string help;
  } cases[] = {
      {"colour: never\n", "unknown setting `colour`", "c.yaml:1", "did you mean `color`?"},
      {"audit:\n  anchors_dir: /x\n", "unknown setting `audit.anchors_dir`", "c.yaml:2",
       "did you mean `audit.anchor_dir`?"},
      {"xyzzy: 1\n", "unknown setting `xyzzy`", "c.yaml:1", "codegenie config show"},
      {"color: blue\n", "bad value `blue` for `color`", "c.yaml:1",
       "must be auto, always or never"},
      {"progress: fast\n", "bad value `fast` for `progress`", "c.yaml:1",
       "must be auto, plain or none"},
      {"home: rel\n", "bad value `rel` for `home`", "c.yaml:1", "must be an absolute path"},
      {"home: ~/x\n", "bad value `~/x` for `home`", "c.yaml:1", "must be an absolute path"},
      {"home: ''\n", "bad value `` for `home`", "c.yaml:1", "must be an absolute path"},
      {"home: 7\n", "`home` must be text, not integer", "c.yaml:1", ""},
      {"audit: x\n", "`audit` must hold keys and values", "c.yaml:1", ""},
      {"audit:\n  sign: ssh:\n", "bad value", "", ""},
      {"- a\n", "configuration file must hold keys and values", "c.yaml:1", ""},
      {"schema: codegenie/config/v2\n", "this version does not read that schema", "c.yaml:1",
       "schema: codegenie/config/v1"},
      {std::string(kMaxConfigBytes + 1, '#'), "configuration file larger than 64 KiB", "c.yaml",
       ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text.substr(0, 60));
    ConfigInputs inputs = base();
    inputs.files = {{Layer::user_file, "c.yaml", c.text}};
    const auto settings = resolve_settings(inputs);
    ASSERT_FALSE(settings);
    EXPECT_EQ(settings.error().code, ErrorCode::config_bad);
    if (c.from.empty()) continue;
    EXPECT_EQ(settings.error().what, c.what);
    EXPECT_EQ(settings.error().where.at(0).second, c.from);
    EXPECT_EQ(settings.error().help.empty() ? "" : settings.error().help[0], c.help);
  }
}

TEST(Config, NotStrictYaml) {
  for (const char* text :
       {"home: /a\nhome: /b\n", "home: &x /a\n", "home: [\n", "\xff", "a: 1\n---\nb: 2\n"}) {
    ConfigInputs inputs = base();
    inputs.files = {{Layer::user_file, "c.yaml", text}};
    const auto settings = resolve_settings(inputs);
    ASSERT_FALSE(settings) << text;
    EXPECT_THAT(settings.error().what, HasSubstr("not strict YAML"));
  }
}

TEST(Config, AWeakerFileIsCheckedToo) {
  ConfigInputs inputs = base();
  inputs.files = {{Layer::user_file, "a", "color: never\n"},
                  {Layer::system_file, "b", "colr: never\n"}};
  EXPECT_FALSE(resolve_settings(inputs));
}

TEST(Config, BadVariableIsNamed) {
  ConfigInputs inputs = base();
  inputs.environment["CODEGENIE_COLOR"] = "blue";
  const auto settings = resolve_settings(inputs);
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().where.at(0).second, "environment CODEGENIE_COLOR");
}

TEST(Config, WithoutHomeTheFoldersMustBeNamed) {
  ConfigInputs inputs;
  EXPECT_THAT(resolve_settings(inputs).error().what, HasSubstr("neither HOME nor XDG_STATE_HOME"));
  inputs.environment = {{"CODEGENIE_HOME", "/h"}, {"CODEGENIE_GUARD_DIR", "/g"}};
  EXPECT_TRUE(resolve_settings(inputs));
  inputs.environment = {{"XDG_STATE_HOME", "relative"}};
  EXPECT_FALSE(resolve_settings(inputs));
}

TEST(Config, PlacesFollowXdg) {
  const auto paths = [](const Environment& environment) {
    std::vector<std::string> found;
    for (const ConfigPlace& place : config_places(environment)) found.push_back(place.path);
    return found;
  };
  EXPECT_THAT(paths({{"HOME", "/u"}}), ::testing::ElementsAre("/u/.config/codegenie/config.yaml",
                                                              "/etc/codegenie/config.yaml"));
  EXPECT_THAT(paths({{"HOME", "/u"}, {"XDG_CONFIG_HOME", "/x"}}),
              ::testing::ElementsAre("/x/codegenie/config.yaml", "/etc/codegenie/config.yaml"));
  EXPECT_THAT(paths({}), ::testing::ElementsAre("/etc/codegenie/config.yaml"));
}

TEST(Config, JsonListsEverySetting) {
  const std::string json = json::write_json(settings_json(*resolve_settings(base())));
  EXPECT_THAT(json, HasSubstr(R"({"schema":"codegenie/config/v1","settings":[{"key":"home",)"));
  EXPECT_THAT(json, HasSubstr(R"({"key":"audit.sign","value":"none","origin":"built-in"})"));
}

}  // namespace
}  // namespace cg::cli
