// A candidate is worth twice the words that it shares, as a part of the words of both; what one
// name has beneath the other, and how few letters lie between them, count as well. Of `safeLoad`:
// load 0.67 + 0.3, loadAll 0.5, safeDump 0.5 and further away.
#include "npm/upgrade/kin.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::upgrade {

namespace {

constexpr std::size_t kMaxName = 48;  // bytes; longer names are cut
constexpr std::size_t kMaxCandidates = 20'000;
constexpr std::size_t kMaxMeasured = 256;  // letter by letter
constexpr double kLeast = 0.45;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

double likeness(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::size_t shared = 0;
  for (const std::string& word : a) {
    if (std::find(b.begin(), b.end(), word) != b.end()) ++shared;
  }
  const std::size_t all = a.size() + b.size();
  return all == 0 ? 0 : 2.0 * static_cast<double>(shared) / static_cast<double>(all);
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> out;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) out.push_back(lower_ascii(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_letter(name[i])) {
      end();
      continue;
    }
    // "loadAll" before the A, "HTTPServer" before the S.
    const bool starts = is_upper(name[i]) && i > 0 &&
                        (!is_upper(name[i - 1]) ||
                         (i + 1 < name.size() && is_letter(name[i + 1]) && !is_upper(name[i + 1])));
    if (starts) end();
    word += name[i];
  }
  end();
  return out;
}

Kin::Kin(const std::vector<Candidate>& candidates) {
  for (const Candidate& each : candidates) {
    if (known_.size() >= kMaxCandidates) break;
    std::string name(cut_utf8(each.name, kMaxName));
    if (name.size() != each.name.size()) continue;
    known_.push_back({name, each.favoured, words_of(name), lower_ascii(name)});
  }
}

std::vector<std::string> Kin::nearest(std::string_view name, std::size_t most) const {
  const std::string wanted(cut_utf8(name, kMaxName));
  const std::vector<std::string> words = words_of(wanted);
  const std::string low = lower_ascii(wanted);
  using Found = std::pair<double, const Known*>;
  std::vector<Found> found;
  for (const Known& each : known_) {
    if (each.name == name || each.low.empty()) continue;
    double worth = likeness(words, each.words);
    const std::size_t shorter = std::min(low.size(), each.low.size());
    const bool within = shorter >= 3 && (low.find(each.low) != std::string::npos ||
                                         each.low.find(low) != std::string::npos);
    if (within) worth += 0.25;
    // del, delete: what is short for the other.
    if (within && (low.starts_with(each.low) || each.low.starts_with(low))) worth += 0.2;
    // The rest is only for names that may be near.
    if (worth > 0 || low.starts_with(each.low.front())) found.emplace_back(worth, &each);
  }
  const auto better = [](const Found& a, const Found& b) {
    return a.first != b.first ? a.first > b.first : a.second->name < b.second->name;
  };
  std::stable_sort(found.begin(), found.end(), better);
  if (found.size() > kMaxMeasured) found.resize(kMaxMeasured);
  for (auto& [worth, each] : found) {
    const std::size_t longer = std::max(low.size(), each->low.size());
    const std::size_t shorter = std::min(low.size(), each->low.size());
    if (longer - shorter <= 4 && shorter >= 3) {
      const double apart = static_cast<double>(edit_distance(low, each->low));
      worth += 0.5 * std::max(0.0, 1 - 3 * apart / static_cast<double>(longer));
    }
    if (worth > 0 && each->favoured) worth += 0.1;
  }
  std::stable_sort(found.begin(), found.end(), better);
  std::vector<std::string> out;
  for (const auto& [worth, each] : found) {
    if (worth >= kLeast && out.size() < most) out.push_back(each->name);
  }
  return out;
}

}  // namespace cg::upgrade
