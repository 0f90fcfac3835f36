#include "prove/challenge/challenge.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/base/text.h"
#include "prove/challenge/flip.h"

namespace cg::challenge {

namespace {

/// splitmix64: spreads a draw over many choices.
class Dice {
 public:
  explicit Dice(std::uint64_t draw) : state_(draw) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

/// FNV-1a.
std::uint64_t mixed(std::string_view text) {
  std::uint64_t out = 0xCBF29CE484222325U;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return out;
}

/// A name as people give them.
std::string drawn_name(Dice& dice) {
  static constexpr std::array<std::string_view, 8> kStarts = {"total", "next", "item", "count",
                                                              "last",  "name", "size", "label"};
  std::string out(kStarts[dice.below(kStarts.size())]);
  for (int i = 0; i < 8; ++i) out += static_cast<char>('a' + dice.below(26));
  return out;
}

bool is_test_folder(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kFolders = {"test",      "tests", "spec",
                                                               "__tests__", "specs", "testing"};
  return std::find(kFolders.begin(), kFolders.end(), name) != kFolders.end();
}

/// "a.test.js", "a.spec.ts", "a_test.js", "test-a.js", "test.js".
bool is_test_name(std::string_view name) {
  const std::string_view stem = name.substr(0, name.find_last_of('.'));
  for (const std::string_view word : {"test", "tests", "spec"}) {
    if (stem == word) return true;
    for (const char c : {'.', '-', '_'}) {
      const std::string mark = c + std::string(word);
      if (stem.ends_with(mark) || stem.starts_with(std::string(word) + c)) return true;
    }
  }
  return false;
}

constexpr std::size_t kMostFlips = 400;  // of a suite; then one for each file
constexpr std::size_t kMostOfFile = 8;

/// At most one in each test, since who fails does not go on; of every kind of assertion one, and
/// others in up to half of the tests: what is broken must show in those that are left alone. Where
/// no test is seen, one alone: it may end the file.
std::vector<Flip> chosen(std::vector<Flip> flips, Dice& dice, std::size_t left) {
  const auto is_loose = [](const Flip& flip) { return flip.test == Flip::kLoose; };
  if (!std::all_of(flips.begin(), flips.end(), is_loose)) std::erase_if(flips, is_loose);
  for (std::size_t i = flips.size(); i > 1; --i) std::swap(flips[i - 1], flips[dice.below(i)]);
  std::set<std::size_t> all;
  for (const Flip& flip : flips) all.insert(flip.test);
  const std::size_t most = std::clamp<std::size_t>(left, 1, kMostOfFile);
  const std::size_t half = std::min(most, (all.size() + 1) / 2);
  std::vector<Flip> out;
  std::set<std::size_t> tests;
  std::set<std::string> kinds;
  for (const bool only_new : {true, false}) {
    for (const Flip& flip : flips) {
      if (out.size() >= (only_new ? most : half)) break;
      if (only_new && kinds.contains(flip.kind)) continue;
      if (!tests.insert(flip.test).second) continue;
      kinds.insert(flip.kind);
      out.push_back(flip);
    }
  }
  return out;
}

/// A script would become a module by its first export, and its globals would be gone.
bool is_module(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("import ") || line.starts_with("export ")) return true;
  }
  return false;
}

}  // namespace

bool may_hold_tests(std::string_view path, std::string_view script) {
  const auto language = syntax::language_of(path);
  if (!language || path.ends_with(".d.ts")) return false;
  const auto parts = split(path, '/');
  if (std::find(parts.begin(), parts.end(), "node_modules") != parts.end()) return false;
  if (std::any_of(parts.begin(), parts.end() - 1, is_test_folder)) return true;
  return is_test_name(parts.back()) || script.find(path) != std::string_view::npos;
}

bool may_hold_types(std::string_view path) {
  if (path.find("node_modules/") != std::string_view::npos) return false;
  if (path.ends_with(".d.ts") || path.ends_with(".config.ts")) return false;
  return path.ends_with(".ts") || path.ends_with(".tsx");
}

std::map<std::string, std::string> wrong_tests(const std::vector<File>& files, std::uint64_t draw) {
  std::map<std::string, std::string> out;
  std::size_t left = kMostFlips;
  for (const File& file : files) {
    Dice dice(draw ^ mixed(file.path));  // so that one file more changes nothing for the others
    std::vector<Flip> flips =
        chosen(flips_of(file.text, *syntax::language_of(file.path), dice.next()), dice, left);
    if (flips.empty()) continue;
    left -= std::min(left, flips.size());
    out[file.path] = applied(file.text, std::move(flips));
  }
  return out;
}

WrongTypes wrong_types(const std::vector<File>& files, std::uint64_t draw) {
  Dice dice(draw);
  std::vector<const File*> order;
  for (const File& file : files) order.push_back(&file);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[dice.below(i)]);
  order.resize(std::min(order.size(), kMaxTypeFiles));
  WrongTypes out;
  for (const File* file : order) {
    const std::string name = drawn_name(dice);
    const bool is_list = dice.below(2) == 0;
    out.files[file->path] =
        file->text + "\n" + (is_module(file->text) ? "export const " : "const ") +
        drawn_name(dice) + ": { " + name + ": string }" +
        (is_list ? "[] = " + std::to_string(1 + dice.below(99)) : " = '" + drawn_name(dice) + "'") +
        ";\n";
    out.names.push_back(name);  // in the type, which the compiler spells out
  }
  return out;
}

}  // namespace cg::challenge
