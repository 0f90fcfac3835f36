// Files that a step left, read without being led astray by it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cg::inside {

/// Of `paths` (absolute, found here where `found_at` says) those that are plain files, without
/// any link on the way, each cut at `max`, all together at kMaxCollected. Keys are the paths
/// as asked for; behind one that ends in a slash the names of the files in that folder, which
/// have `max` together.
[[nodiscard]] std::map<std::string, std::string> collect(
    const std::vector<std::string>& paths, std::uint64_t max,
    const std::function<std::string(const std::string&)>& found_at);

/// `path` with a leading /tree replaced by `work`.
[[nodiscard]] std::string placed(const std::string& path, const std::string& work);

}  // namespace cg::inside
