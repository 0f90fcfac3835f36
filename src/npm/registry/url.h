// RegistryUrl: where packages are asked for.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace cg::registry {

/// http or https, a host, perhaps a port and a path. No user name, query or fragment, so
/// it can be shown. In one spelling: scheme and host in lower case, no default port, one
/// slash at the end. Whether the host exists is for whoever dials it to find out.
class RegistryUrl {
 public:
  [[nodiscard]] static std::optional<RegistryUrl> parse(std::string_view text);

  [[nodiscard]] const std::string& str() const { return text_; }
  /// "//host:port/path/": what npm puts before `:_authToken`.
  [[nodiscard]] std::string_view nerf() const {
    return std::string_view(text_).substr(text_.find("//"));
  }
  friend auto operator<=>(const RegistryUrl&, const RegistryUrl&) = default;

 private:
  explicit RegistryUrl(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// Where the packument of `name` is; is_package_name() holds of it.
[[nodiscard]] std::string packument_url(const RegistryUrl& registry, std::string_view name);

/// Where registries keep tarballs by habit: registry/name/-/base-version.tgz.
[[nodiscard]] std::string tarball_url(const RegistryUrl& registry, std::string_view name,
                                      std::string_view version);

}  // namespace cg::registry
