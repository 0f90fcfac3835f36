#include "npm/registry/name.h"

#include <algorithm>

namespace cg::registry {

namespace {

constexpr std::size_t kMaxName = 214;

/// What encodeURIComponent leaves as it is.
bool is_plain(char c) {
  const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alnum || std::string_view("-_.!~*'()").find(c) != std::string_view::npos;
}

bool is_part(std::string_view text) {
  return !text.empty() && text.front() != '.' && std::all_of(text.begin(), text.end(), is_plain);
}

}  // namespace

bool is_package_name(std::string_view text) {
  if (text.empty() || text.size() > kMaxName) return false;
  if (text == "node_modules" || text == "favicon.ico") return false;
  if (text.front() != '@') return text.front() != '_' && is_part(text);
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && is_part(text.substr(1, slash - 1)) &&
         is_part(text.substr(slash + 1));
}

std::string_view scope_of(std::string_view name) {
  if (name.empty() || name.front() != '@') return {};
  return name.substr(0, name.find('/'));
}

std::string_view base_of(std::string_view name) {
  return scope_of(name).empty() ? name : name.substr(std::min(name.size(), name.find('/') + 1));
}

std::string path_of(std::string_view name) {
  std::string path;
  for (const char c : name) {
    if (c == '/') {
      path += "%2f";
    } else {
      path += c;
    }
  }
  return path;
}

}  // namespace cg::registry
