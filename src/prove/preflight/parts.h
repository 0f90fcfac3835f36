// Parts of the preflight, one per question. Not for others than look().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "prove/preflight/facts.h"
#include "prove/preflight/obstacle.h"

namespace cg::preflight {

/// More of one kind are counted, not listed.
inline constexpr std::size_t kMaxOfAKind = 50;
inline constexpr std::size_t kMaxText = 200;

void look_at_manager(const Facts& facts, std::vector<Obstacle>& out);
void look_at_node(const Facts& facts, std::vector<Obstacle>& out);
void look_at_addresses(const Facts& facts, std::vector<Obstacle>& out);
void look_at_install_scripts(const Facts& facts, std::vector<Obstacle>& out);
void look_at_own_scripts(const Facts& facts, std::vector<Obstacle>& out);
void look_at_services(const Facts& facts, std::vector<Obstacle>& out);

/// Made harmless and short enough to be shown.
[[nodiscard]] std::string shown(std::string_view text);
/// "name@version"
[[nodiscard]] std::string label(const npm::Node& node);
/// Whether `word` stands in `text` with nothing that could belong to it on either side.
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

}  // namespace cg::preflight
