#include <deque>

#include "npm/upgrade/listing.h"

namespace cg::upgrade {

namespace {

constexpr int kMaxBased = 6;

}  // namespace

std::pair<std::string_view, std::string_view> parted(std::string_view key) {
  const std::size_t dot = key.find('.', 1);
  if (dot == std::string_view::npos) return {{}, key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

std::optional<std::string> Listing::member(std::string_view owner, std::string_view name) const {
  std::deque<std::pair<std::string, int>> open = {{std::string(owner), 0}};
  std::set<std::string> seen;
  while (!open.empty()) {
    const auto [each, depth] = open.front();
    open.pop_front();
    if (!seen.insert(each).second || depth > kMaxBased) continue;
    std::string key = each + "." + std::string(name);
    if (items.contains(key)) return key;
    const auto more = bases.find(each);
    if (more == bases.end()) continue;
    for (const std::string& base : more->second) open.emplace_back(base, depth + 1);
  }
  return std::nullopt;
}

std::optional<std::string> Listing::find(std::string_view name) const {
  if (items.contains(name)) return std::string(name);
  return member("default", name);
}

const Item* Listing::counterpart(const std::string& key) const {
  const auto [owner, name] = parted(key);
  auto found = items.find(key);
  if (found != items.end()) return &found->second;
  std::optional<std::string> other;
  if (owner.empty()) {
    other = member("default", name);
  } else if (auto inherited = member(owner, name)) {
    other = std::move(inherited);
  } else if (owner == "default" && items.contains(name)) {
    other = name;
  }
  return other ? &items.find(*other)->second : nullptr;
}

}  // namespace cg::upgrade
