#include "fetch/gitrepo/links.h"

#include "base/base/text.h"
#include "fetch/gitrepo/names.h"

namespace cg::gitrepo {

namespace {

constexpr int kMaxHops = 40;    // as the kernel has it
constexpr int kMaxParts = 256;  // of one way, links and all
using Targets = std::map<std::string, std::string>;

bool is_target(std::string_view text) {
  return !text.empty() && text.size() <= kMaxTarget && !text.starts_with('/') &&
         text.find('\0') == text.npos;
}

/// The parts of `target` on top of those that are to come, the next one last.
void put_parts_of(std::vector<std::string>& rest, std::string_view target) {
  const auto parts = split(target, '/');
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) rest.emplace_back(*part);
}

/// Where `at` is, a folder beneath the top, and goes on by `target`.
bool stays_inside(std::string at, const std::string& target, const Targets& targets) {
  if (!is_target(target)) return false;
  std::vector<std::string> rest;
  put_parts_of(rest, target);
  int hops = 0;
  for (int parts = 0; !rest.empty(); ++parts) {
    if (parts == kMaxParts) return false;
    const std::string part = std::move(rest.back());
    rest.pop_back();
    if (part.empty() || part == ".") continue;
    const std::size_t slash = at.rfind('/');
    if (part == "..") {
      if (at.empty()) return false;
      at.erase(slash == at.npos ? 0 : slash);
      continue;
    }
    const std::string next = at.empty() ? part : at + "/" + part;
    const auto link = targets.find(next);
    if (link == targets.end()) {
      at = next;
      continue;
    }
    if (++hops > kMaxHops || !is_target(link->second)) return false;
    put_parts_of(rest, link->second);
  }
  return true;
}

}  // namespace

JudgedLinks judge_links(const std::vector<TreeLink>& links) {
  JudgedLinks out;
  Targets targets;
  for (const TreeLink& link : links) targets.emplace(link.path, link.target);
  std::size_t bytes = 0;
  for (const TreeLink& link : links) {
    const std::size_t size = link.path.size() + link.target.size();
    const std::size_t slash = link.path.rfind('/');
    const std::string folder = slash == link.path.npos ? "" : link.path.substr(0, slash);
    const bool good = is_safe_path(link.path) && out.inside.size() < kMaxLinks &&
                      bytes + size <= kMaxLinkBytes && stays_inside(folder, link.target, {}) &&
                      stays_inside("", link.path, targets) &&
                      out.inside.emplace(link.path, link.target).second;
    if (good) {
      bytes += size;
    } else {
      out.left_out.push_back(link.path);
    }
  }
  return out;
}

}  // namespace cg::gitrepo
