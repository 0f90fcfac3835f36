// Texts: what the literals of a source say to others than its own program: addresses on a network,
// and markup that runs in a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/rewrite/file.h"
#include "model/rewrite/item.h"

namespace cg::rewrite {

/// Stands in a text where a value does.
inline constexpr char kValue = '\x01';

/// The hosts that a text names: behind "//" or a scheme, behind the @ of an account, and addresses
/// in numbers. One whose name is only a name ("stats.example") is not told from a file's.
[[nodiscard]] std::vector<std::string> hosts_in(std::string_view text);
/// "<script", "onerror=": what of a text runs where it is taken for markup.
[[nodiscard]] std::vector<std::string> running_markup_in(std::string_view text);

/// Of all literals, with sums and templates taken as the one text that they make.
[[nodiscard]] Items text_items(const File& file, Work& work);

}  // namespace cg::rewrite
