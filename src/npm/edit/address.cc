#include "npm/edit/address.h"

#include <algorithm>

#include "base/base/text.h"
#include "npm/npm/url.h"

namespace cg::edit {

namespace {

constexpr std::string_view kMark = "/-/";
constexpr std::string_view kEncodedSlash = "%2f";

std::string encoded(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return std::string(name);
  return std::string(name.substr(0, slash)) + std::string(kEncodedSlash) +
         std::string(name.substr(slash + 1));
}

std::string_view scope_of(std::string_view name) {
  return name.starts_with('@') ? name.substr(0, name.find('/')) : std::string_view();
}

std::string_view base_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

/// With its port.
std::string_view host_of(std::string_view address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view host = address.substr(scheme + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  const std::size_t user = host.rfind('@');
  return user == std::string_view::npos ? host : host.substr(user + 1);
}

bool is_plain(char c) {
  constexpr std::string_view kMarks = "-._~@%+!$&'()*,;=:/";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kMarks.find(c) != std::string_view::npos;
}

/// What follows `/<name>/-/` in the release's own address, or would by custom.
std::string file_of(const registry::Release& release) {
  std::string_view tarball = release.tarball;
  tarball = tarball.substr(0, tarball.find_first_of("?#"));
  const std::size_t mark = tarball.find(kMark);
  if (mark != std::string_view::npos) {
    const std::string_view file = tarball.substr(mark + kMark.size());
    const bool usable = !file.empty() && file.find("..") == std::string_view::npos &&
                        std::all_of(file.begin(), file.end(), is_plain);
    if (usable) return std::string(file);
  }
  return std::string(base_name(release.name)) + "-" + release.version + ".tgz";
}

/// prefix_of() for addresses of any machine.
std::optional<Prefix> shape_of(std::string_view resolved, std::string_view name) {
  const std::size_t mark = resolved.find(kMark);
  if (mark == std::string_view::npos || name.empty()) return std::nullopt;
  const std::string_view before = resolved.substr(0, mark);
  const auto without = [&](std::size_t size, bool is_encoded) -> std::optional<Prefix> {
    if (before.size() <= size || before[before.size() - size - 1] != '/') return std::nullopt;
    return Prefix{before.substr(0, before.size() - size), is_encoded};
  };
  if (before.ends_with(name)) return without(name.size(), false);
  if (name.find('/') == std::string_view::npos) return std::nullopt;
  const std::string spelt = lower_ascii(encoded(name));
  if (!lower_ascii(before).ends_with(spelt)) return std::nullopt;
  return without(spelt.size(), true);
}

}  // namespace

std::optional<Prefix> prefix_of(std::string_view resolved, std::string_view name) {
  const std::optional<Prefix> prefix = shape_of(resolved, name);
  return prefix && !npm::is_loopback(prefix->address) ? prefix : std::nullopt;
}

bool Addresses::lock_has_none() {
  if (!none_) {
    std::size_t published = 0;
    bool any = false;
    for (const npm::Node& node : graph_.nodes()) {
      if (node.source != npm::Source::registry || node.flags.bundled) continue;
      ++published;
      any = any || !node.resolved.empty();
    }
    none_ = published > 0 && !any;
  }
  return *none_;
}

std::optional<Prefix> Addresses::most_common(std::string_view scope) {
  const auto known = by_scope_.find(scope);
  if (known != by_scope_.end()) return known->second;
  std::map<std::pair<std::string_view, bool>, std::size_t> counts;
  for (const npm::Node& node : graph_.nodes()) {
    if (node.source != npm::Source::registry || node.resolved.empty()) continue;
    if (!scope.empty() && scope_of(node.name) != scope) continue;
    if (const auto prefix = shape_of(node.resolved, node.name)) {
      ++counts[{prefix->address, prefix->encoded}];
    }
  }
  std::erase_if(counts, [](const auto& count) { return npm::is_loopback(count.first.first); });
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::optional<Prefix> out;
  if (most != counts.end()) out = Prefix{most->first.first, most->first.second};
  by_scope_.emplace(scope, out);
  return out;
}

std::optional<std::string> Addresses::of(const registry::Release& release, const npm::Node* old) {
  if (release.tarball.empty() || lock_has_none()) return std::nullopt;
  std::optional<Prefix> prefix;
  if (old != nullptr && old->source == npm::Source::registry) {
    prefix = prefix_of(old->resolved, old->name);
    // Some registries have addresses of another shape, which only they can tell.
    if (!prefix && !old->resolved.empty() && !npm::is_loopback(old->resolved)) {
      if (host_of(old->resolved) != host_of(release.tarball)) return std::nullopt;
      return release.tarball;
    }
  }
  const std::string_view scope = scope_of(release.name);
  if (!prefix && !scope.empty()) prefix = most_common(scope);
  if (!prefix) prefix = most_common("");
  if (!prefix) {
    if (registry_.empty() || npm::is_loopback(registry_)) return std::nullopt;
    prefix = Prefix{registry_, false};
  }
  std::string out(prefix->address);
  if (!out.ends_with('/')) out += '/';
  out += prefix->encoded ? encoded(release.name) : release.name;
  out += kMark;
  return out + file_of(release);
}

}  // namespace cg::edit
