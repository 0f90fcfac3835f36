// Real lockfiles, damaged: an answer or an error that says where, never a crash or a hang.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "npm/lockfile/lock.h"
#include "real.h"

namespace cg::test {
namespace {

constexpr int kDamaged = 10'000;
constexpr std::size_t kMaxBytes = 60'000;  // of a piece: ten thousand of them in a minute

struct Sample {
  npm::LockKind kind;
  std::string text;
};

/// The beginnings of all real lockfiles, closed where their format needs it.
std::vector<Sample> samples(const std::filesystem::path& data) {
  std::vector<Sample> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data / "repos")) {
    const auto kind = lockfile::lock_kind_of(entry.path().filename().string());
    if (!kind || !entry.is_regular_file()) continue;
    std::string text = read(entry.path());
    if (text.size() > kMaxBytes) {
      const std::size_t end = text.find("\n    },\n", kMaxBytes / 2);
      const bool json = *kind == npm::LockKind::package_lock;
      text = json && end != std::string::npos ? text.substr(0, end) + "\n    }\n  }\n}\n"
                                              : text.substr(0, text.rfind("\n\n", kMaxBytes) + 1);
    }
    out.push_back({*kind, std::move(text)});
  }
  return out;
}

void damage(std::string& text, std::mt19937& random) {
  for (auto n = random() % 5 + 1; n > 0 && !text.empty(); --n) {
    const std::size_t at = random() % text.size();
    switch (random() % 6) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text[at] = static_cast<char>(random());
        break;
      case 2:
        text.erase(at, random() % 200);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 200));
        break;
      case 4:
        text.insert(at, random() % 300, "{[\"' \t\n:-"[random() % 9]);
        break;
      default:
        std::swap(text[at], text[random() % text.size()]);
    }
  }
}

TEST(Golden, TenThousandDamagedLocksGiveNoCrash) {
  const auto data = data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: no real lockfiles";
  }
  const std::vector<Sample> all = samples(*data);
  std::mt19937 random(20261115);
  std::size_t accepted = 0;
  for (int i = 0; i < kDamaged; ++i) {
    Sample sample = all[static_cast<std::size_t>(i) % all.size()];
    damage(sample.text, random);
    const auto graph = lockfile::read_lock(sample.kind, sample.text, {});
    if (graph) {
      ++accepted;
    } else {
      EXPECT_FALSE(graph.error().what.empty());
      EXPECT_GE(graph.error().at.line, 1U);
    }
  }
  std::cout << kDamaged << " damaged locks of " << all.size() << ": " << accepted
            << " still read, the others refused\n";
  EXPECT_LT(accepted, static_cast<std::size_t>(kDamaged));
}

}  // namespace
}  // namespace cg::test
