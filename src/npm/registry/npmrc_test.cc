#include "npm/registry/npmrc.h"

#include <gtest/gtest.h>

#include "npm/registry/config.h"

namespace cg::registry {
namespace {

std::optional<std::string> lookup(std::string_view name) {
  if (name == "TOKEN") return "s3cret";
  if (name == "EMPTY") return "";
  return std::nullopt;
}

Npmrc parsed_npmrc(std::string_view text) {
  auto npmrc = parse_npmrc(text, lookup);
  EXPECT_TRUE(npmrc.has_value()) << (npmrc ? "" : npmrc.error().what);
  return npmrc ? *std::move(npmrc) : Npmrc{};
}

std::string value(std::string_view text, std::string_view key = "k") {
  const Npmrc npmrc = parsed_npmrc(text);
  const NpmrcEntry* entry = npmrc.find(key);
  return entry == nullptr ? "(none)" : entry->value;
}

TEST(Npmrc, ReadsKeysAndValuesAsNpmDoes) {
  EXPECT_EQ(value("k=v"), "v");
  EXPECT_EQ(value("  k  =  v w  \r\n"), "v w");
  EXPECT_EQ(value("k"), "true");
  EXPECT_EQ(value("k="), "");
  EXPECT_EQ(value("k=a=b"), "a=b");
  EXPECT_EQ(value("k=1\nk=2"), "2");
  EXPECT_EQ(value("# k=1\n; k=2\n"), "(none)");
  EXPECT_EQ(value("k=v ; rest"), "v");
  EXPECT_EQ(value("k=v#rest"), "v");
  EXPECT_EQ(value("k=v\\#rest"), "v#rest");
  EXPECT_EQ(value("k=\"v # \\n ;\""), "v # \n ;");
  EXPECT_EQ(value("k='v # x'"), "v # x");
  EXPECT_EQ(value("[section]\nk=v"), "(none)");
  EXPECT_EQ(value("\xef\xbb\xbfk=v"), "v");
  EXPECT_EQ(parsed_npmrc("ca[]=1\nca[]=2\n").all("ca"), (std::vector<std::string>{"1", "2"}));
}

TEST(Npmrc, ReplacesVariablesAndOnlyThose) {
  EXPECT_EQ(value("k=a${TOKEN}b"), "as3cretb");
  EXPECT_EQ(value("k=${MISSING}"), "${MISSING}");
  EXPECT_EQ(value("k=${MISSING?}x"), "x");
  EXPECT_EQ(value("k=${EMPTY}x"), "x");
  EXPECT_EQ(value("k='\\${TOKEN}'"), "${TOKEN}");
  EXPECT_EQ(value("k='\\\\${TOKEN}'"), "\\s3cret");
  EXPECT_EQ(value("k=${TOKEN"), "${TOKEN");
  EXPECT_EQ(value("k=${}"), "${}");
  EXPECT_EQ(value("k=${${TOKEN}}"), "${s3cret}");
  EXPECT_EQ(value("${TOKEN}=v", "s3cret"), "v");
}

TEST(Npmrc, IsBounded) {
  EXPECT_FALSE(parse_npmrc(std::string(kMaxNpmrcBytes + 1, ' '), lookup).has_value());
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "a=b\n";
  EXPECT_FALSE(parse_npmrc(many, lookup).has_value());
  EXPECT_FALSE(parse_npmrc("k=\xff", lookup).has_value());
  const Lookup big = [](std::string_view) { return std::optional(std::string(50'000, 'x')); };
  EXPECT_FALSE(parse_npmrc("k=${A}${A}${A}${A}", big).has_value());
}

TEST(Npmrc, VariablesOfTheEnvironmentAreALayer) {
  const Npmrc npmrc = npmrc_of_environment({{"NPM_CONFIG_REGISTRY", "https://a.example"},
                                            {"npm_config_strict_ssl", "false"},
                                            {"npm_config_//h/:_authToken", "T"},
                                            {"npm_config__auth", "x"},
                                            {"npm_config_empty", ""},
                                            {"OTHER", "y"}});
  EXPECT_EQ(npmrc.entries().size(), 4U);
  EXPECT_NE(npmrc.find("registry"), nullptr);
  EXPECT_NE(npmrc.find("strict-ssl"), nullptr);
  EXPECT_NE(npmrc.find("//h/:_authToken"), nullptr);
  EXPECT_NE(npmrc.find("_auth"), nullptr);
}

TEST(RegistryUrl, HasOneSpelling) {
  const auto url = [](std::string_view text) {
    const auto parsed_url = RegistryUrl::parse(text);
    return parsed_url ? parsed_url->str() : "(none)";
  };
  EXPECT_EQ(url("https://Registry.Example"), "https://registry.example/");
  EXPECT_EQ(url("HTTPS://registry.example:443/A/b//"), "https://registry.example/A/b/");
  EXPECT_EQ(url("http://127.0.0.1:80"), "http://127.0.0.1/");
  EXPECT_EQ(url("http://[::1]:4873/"), "http://[::1]:4873/");
  for (const char* bad : {"", "registry.example", "ftp://r.example", "https://", "https:///x",
                          "https://u:p@r.example/", "https://r.example/?q", "https://r.example/#f",
                          "https://r.example:0/", "https://r.example:99999/", "https://r exam/",
                          "https://r.example/a b", "https://[::1", "https://r.example/\n"}) {
    EXPECT_EQ(url(bad), std::string_view(bad).ends_with('\n') ? "https://r.example/" : "(none)")
        << bad;
  }
  const RegistryUrl registry = *RegistryUrl::parse("https://r.example/npm");
  EXPECT_EQ(packument_url(registry, "@s/a"), "https://r.example/npm/@s%2fa");
  EXPECT_EQ(tarball_url(registry, "@s/a", "1.0.0"), "https://r.example/npm/@s/a/-/a-1.0.0.tgz");
}

/// "ok", or what it says no to.
std::string verdict(const Layers& layers) {
  const auto config = Config::merge(layers);
  if (!config) return "bad " + config.error().key;
  const auto& redirect = config->redirect();
  return redirect ? "redirect " + redirect->scope + " " + redirect->url : "ok";
}

std::string asked(const Layers& layers, std::string_view package) {
  const auto config = Config::merge(layers);
  if (!config) return "refused";
  const Choice* choice = config->registry_for(package);
  return choice == nullptr ? "nobody" : choice->url.str();
}

TEST(Config, TheStrongestLayerNamesTheRegistry) {
  Layers layers;
  EXPECT_EQ(asked(layers, "a"), "nobody");
  layers.built_in = "https://built-in.example";
  EXPECT_EQ(asked(layers, "a"), "https://built-in.example/");
  layers.global =
      parsed_npmrc("registry=https://global.example\n@s:registry=https://scope.example");
  EXPECT_EQ(asked(layers, "a"), "https://global.example/");
  layers.user = parsed_npmrc("registry=https://user.example");
  EXPECT_EQ(asked(layers, "a"), "https://user.example/");
  layers.environment = npmrc_of_environment({{"npm_config_registry", "https://env.example"}});
  EXPECT_EQ(asked(layers, "a"), "https://env.example/");
  layers.flag = "http://127.0.0.1:4873";
  EXPECT_EQ(asked(layers, "a"), "http://127.0.0.1:4873/");
  EXPECT_EQ(asked(layers, "@s/a"), "https://scope.example/");
  EXPECT_EQ(asked(layers, "@t/a"), "http://127.0.0.1:4873/");
}

TEST(Config, AProjectCannotNameAnotherRegistry) {
  Layers layers;
  layers.user = parsed_npmrc("registry=https://ours.example\n@s:registry=https://scope.example");
  layers.project = parsed_npmrc("registry=https://evil.example/");
  EXPECT_EQ(verdict(layers), "redirect  https://evil.example/");
  layers.project = parsed_npmrc("@x:registry=https://evil.example/");
  EXPECT_EQ(verdict(layers), "redirect @x https://evil.example/");
  layers.project = parsed_npmrc("@s:registry=https://ours.example");
  EXPECT_EQ(verdict(layers), "redirect @s https://ours.example");
  layers.project = parsed_npmrc("registry=nonsense");
  EXPECT_EQ(verdict(layers), "redirect  nonsense");
  layers.project = parsed_npmrc(
      "registry=https://OURS.example/\n@s:registry=https://scope.example\n@t:registry=https://"
      "ours.example");
  EXPECT_EQ(verdict(layers), "ok");
  Layers unknown;
  unknown.project = parsed_npmrc("registry=https://evil.example/");
  EXPECT_EQ(verdict(unknown), "redirect  https://evil.example/");
}

TEST(Config, AProjectThatIsOverruledOrMeansOursIsOnlyNoted) {
  Layers layers;
  layers.user = parsed_npmrc("registry=https://ours.example");
  layers.project = parsed_npmrc("registry=https://public.example/");
  EXPECT_EQ(verdict(layers), "redirect  https://public.example/");
  layers.public_registry = "https://public.example";
  EXPECT_EQ(verdict(layers), "ok");
  EXPECT_EQ(asked(layers, "a"), "https://ours.example/");
  layers.project = parsed_npmrc("registry=https://other.example/");
  layers.flag = "http://localhost:1";
  const auto config = Config::merge(layers);
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->notes().size(), 1U);
  layers.project = parsed_npmrc("@x:registry=https://other.example/");
  EXPECT_EQ(verdict(layers), "redirect @x https://other.example/");
}

TEST(Config, AProjectBringsNeitherTokensNorTrust) {
  Layers layers;
  layers.user = parsed_npmrc("registry=https://ours.example\n//ours.example/:_authToken=mine\n");
  layers.project = parsed_npmrc(
      "//ours.example/:_authToken=theirs\ncafile=/x.pem\nca=PEM\nstrict-ssl=false\n_auth=x\n"
      "save-exact=true\n");
  const auto config = Config::merge(layers);
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->authorization(*RegistryUrl::parse("https://ours.example")), "Bearer mine");
  EXPECT_TRUE(config->authorities().empty() && config->authorities_file().empty());
  EXPECT_EQ(config->notes().size(), 5U);
  for (const std::string& note : config->notes()) EXPECT_EQ(note.find("theirs"), std::string::npos);
}

TEST(Config, CredentialsGoToTheirOwnPrefixAlone) {
  Layers layers;
  layers.user = parsed_npmrc(
      "//h.example/a/:_authToken=deep\n//h.example/:_authToken=host\n"
      "//basic.example/:_auth=dTpw\n//pair.example:8443/npm:username=u\n"
      "//pair.example:8443/npm/:_password=cA==\n//split.example/:_authToken=a\\\\nb\n"
      "//bad.example/:_authToken=\"a\\nb\"\n");
  const Config config = *Config::merge(layers);
  const auto header = [&](std::string_view url) {
    return config.authorization(*RegistryUrl::parse(url));
  };
  EXPECT_EQ(header("https://h.example/a/b/"), "Bearer deep");
  EXPECT_EQ(header("https://h.example/ab/"), "Bearer host");
  EXPECT_EQ(header("https://h.example/"), "Bearer host");
  EXPECT_EQ(header("https://h.example:8080/"), "");
  EXPECT_EQ(header("https://x.h.example/"), "");
  EXPECT_EQ(header("https://basic.example"), "Basic dTpw");
  EXPECT_EQ(header("https://pair.example:8443/npm/"), "Basic dTpw");
  EXPECT_EQ(header("https://pair.example:8443/"), "");
  EXPECT_EQ(header("https://bad.example/"), "");
}

TEST(Config, TrustComesFromTheStrongestLayerThatHasIt) {
  Layers layers;
  layers.user = parsed_npmrc("ca[]=\"A\"\nca[]=\"B\"\nstrict-ssl=false");
  layers.global = parsed_npmrc("cafile=/etc/ca.pem");
  const Config config = *Config::merge(layers);
  EXPECT_EQ(config.authorities(), "A\nB\n");
  EXPECT_EQ(config.authorities_file(), "");
  EXPECT_EQ(config.notes().size(), 1U);
}

TEST(Config, AnUnusableValueOfTheOperatorIsSaid) {
  Layers layers;
  layers.user = parsed_npmrc("registry=https://u:p@h.example");
  EXPECT_EQ(verdict(layers), "bad registry");
  layers.user = parsed_npmrc("@s:registry=x");
  EXPECT_EQ(verdict(layers), "bad @s:registry");
}

}  // namespace
}  // namespace cg::registry
