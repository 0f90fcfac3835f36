#include "npm/registry/config.h"

#include <algorithm>
#include <array>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "npm/registry/name.h"

namespace cg::registry {

namespace {

constexpr std::string_view kScopeSuffix = ":registry";
constexpr std::array<std::string_view, 4> kCredentials = {":_authToken", ":_auth", ":username",
                                                          ":_password"};
constexpr std::size_t kMaxHeader = 2000;

/// "@scope" of "@scope:registry"; empty if it is another key.
std::string_view scope_key(std::string_view key) {
  if (!key.starts_with('@') || !key.ends_with(kScopeSuffix)) return {};
  return key.substr(0, key.size() - kScopeSuffix.size());
}

bool is_credential(std::string_view key) {
  return key.starts_with("//") &&
         std::any_of(kCredentials.begin(), kCredentials.end(),
                     [&](std::string_view ending) { return key.ends_with(ending); });
}

/// What of a project's file concerns trust rather than addresses.
bool is_trust(std::string_view key) {
  static constexpr std::array<std::string_view, 10> kKeys = {
      "_auth",  "_authToken", "_password", "ca",         "ca[]",
      "cafile", "cert",       "key",       "strict-ssl", "username"};
  return key.starts_with("//") || std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

std::string shown(std::string_view text) { return printable(cut_utf8(text, 200)); }

/// "//host/path:_authToken" and "//host/path/:_authToken" say the same.
std::string normal_credential(std::string_view key) {
  const std::size_t colon = key.rfind(':');
  std::string prefix = lower_ascii(key.substr(0, std::min(key.find('/', 2), colon)));
  std::string_view path = key.substr(prefix.size(), colon - prefix.size());
  while (path.ends_with('/')) path.remove_suffix(1);
  prefix += path;
  prefix += '/';
  prefix += key.substr(colon);
  return prefix;
}

}  // namespace

class ConfigBuilder {
 public:
  explicit ConfigBuilder(const Layers& layers) : layers_(layers) {}

  Result<Config, BadValue> run() {
    CG_TRY(take_registry("--registry", layers_.flag, Named::flag));
    CG_TRY(take_layer(layers_.environment, Named::environment));
    CG_TRY(take_layer(layers_.user, Named::user));
    CG_TRY(take_layer(layers_.global, Named::global));
    CG_TRY(take_registry("registry", layers_.built_in, Named::built_in));
    public_ = RegistryUrl::parse(layers_.public_registry);
    judge_project();
    return std::move(made_);
  }

 private:
  using Checked = Result<Done, BadValue>;

  Checked take_registry(const std::string& key, std::string_view value, Named by) {
    if (value.empty()) return Done{};
    auto url = RegistryUrl::parse(value);
    if (!url) return fail(bad(key));
    if (!made_.registry_) made_.registry_ = Choice{*std::move(url), by};
    return Done{};
  }

  static BadValue bad(const std::string& key) {
    return BadValue{key, "not the URL of a registry: http or https, a host, no user name"};
  }

  Checked take_layer(const Npmrc& layer, Named by) {
    if (const NpmrcEntry* entry = layer.find("registry")) {
      CG_TRY(take_registry("registry", entry->value, by));
    }
    for (auto entry = layer.entries().rbegin(); entry != layer.entries().rend(); ++entry) {
      CG_TRY(take_entry(*entry, by));
    }
    take_authorities(layer);
    return Done{};
  }

  Checked take_entry(const NpmrcEntry& entry, Named by) {
    const std::string_view scope = scope_key(entry.key);
    if (!scope.empty()) {
      auto url = RegistryUrl::parse(entry.value);
      if (!url) return fail(bad(entry.key));
      made_.scopes_.try_emplace(std::string(scope), Choice{*std::move(url), by});
    } else if (is_credential(entry.key)) {
      made_.credentials_.try_emplace(normal_credential(entry.key), entry.value);
    } else if (entry.key == "strict-ssl" && entry.value == "false") {
      made_.notes_.emplace_back(
          "strict-ssl=false is not followed: certificates are always checked; name the "
          "authority with cafile");
    } else if (entry.key == "_authToken" || entry.key == "_auth") {
      made_.notes_.push_back(entry.key + " without a registry is not used, as by npm");
    }
    return Done{};
  }

  void take_authorities(const Npmrc& layer) {
    if (const NpmrcEntry* file = layer.find("cafile"); file != nullptr && !has_authorities()) {
      made_.authorities_file_ = file->value;
    }
    const std::vector<std::string> written = layer.all("ca");
    if (has_authorities()) return;
    for (const std::string& pem : written) {
      if (pem != "null" && !pem.empty()) made_.authorities_ += pem + "\n";
    }
  }

  [[nodiscard]] bool has_authorities() const {
    return !made_.authorities_.empty() || !made_.authorities_file_.empty();
  }

  void judge_project() {
    for (const NpmrcEntry& entry : layers_.project.entries()) {
      const std::string_view scope = scope_key(entry.key);
      if (entry.key == "registry" || !scope.empty()) {
        judge_registry(scope, entry);
      } else if (is_trust(entry.key)) {
        const std::string_view key(entry.key);
        made_.notes_.push_back("the repository's .npmrc, line " + std::to_string(entry.line) +
                               ", sets " + shown(key.substr(key.rfind(':') + 1)) +
                               ", which is not followed");
      }
    }
  }

  void judge_registry(std::string_view scope, const NpmrcEntry& entry) {
    const auto url = RegistryUrl::parse(entry.value);
    const auto own = made_.scopes_.find(scope);
    const Choice* choice = own != made_.scopes_.end() ? &own->second
                           : made_.registry_          ? &*made_.registry_
                                                      : nullptr;
    if (choice != nullptr && url && choice->url == *url) return;
    // Overruled anyway, as by npm, or another word for whichever is configured.
    const bool overruled = choice != nullptr && choice->by <= Named::environment &&
                           (scope.empty() || own != made_.scopes_.end());
    const bool means_ours = choice != nullptr && url && public_ && *url == *public_;
    if (!overruled && !means_ours) {
      if (!made_.redirect_) made_.redirect_ = {shown(scope), shown(entry.value)};
      return;
    }
    made_.notes_.push_back(
        "the repository's .npmrc, line " + std::to_string(entry.line) + ", names another registry" +
        (scope.empty() ? std::string() : " for " + shown(scope)) + "; the configured one is used");
  }

  const Layers& layers_;
  Config made_;
  std::optional<RegistryUrl> public_;
};

Result<Config, BadValue> Config::merge(const Layers& layers) { return ConfigBuilder(layers).run(); }

const Choice* Config::registry_for(std::string_view package) const {
  if (redirect_) return nullptr;
  const std::string_view scope = scope_of(package);
  const auto found = scope.empty() ? scopes_.end() : scopes_.find(scope);
  if (found != scopes_.end()) return &found->second;
  return registry_ ? &*registry_ : nullptr;
}

std::string Config::authorization(const RegistryUrl& registry) const {
  const auto value = [&](std::string_view prefix, std::string_view ending) -> std::string {
    const auto found = credentials_.find(std::string(prefix) + std::string(ending));
    return found == credentials_.end() ? std::string() : found->second;
  };
  const auto fit = [](std::string header) {
    const bool plain =
        std::all_of(header.begin(), header.end(), [](char c) { return c >= ' ' && c < '\x7f'; });
    return plain && header.size() <= kMaxHeader ? header : std::string();
  };
  // "//host/a/b/", "//host/a/", "//host/".
  std::string_view prefix = registry.nerf();
  while (prefix.size() > 2) {
    const std::string token = value(prefix, ":_authToken");
    if (!token.empty()) return fit("Bearer " + token);
    const std::string basic = value(prefix, ":_auth");
    if (!basic.empty()) return fit("Basic " + basic);
    const std::string user = value(prefix, ":username");
    const auto password = from_base64(value(prefix, ":_password"));
    if (!user.empty() && password) {
      return fit("Basic " + to_base64(as_bytes(user + ":" + *password)));
    }
    prefix.remove_suffix(1);
    prefix = prefix.substr(0, prefix.rfind('/') + 1);
  }
  return {};
}

}  // namespace cg::registry
