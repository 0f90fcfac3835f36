#include "log_maker.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "perf.h"
#include "trust/audit/log.h"
#include "trust/audit/workflow_log.h"

namespace cg::perf {

namespace {

constexpr std::uint64_t kGroup = 1000;
constexpr std::uint64_t kGroupsPerWorkflow = 5;

// clang-format off
constexpr auto kWords = std::to_array<std::string_view>({
    "the", "a", "of", "to", "and", "in", "for", "on", "is", "was", "not", "with", "after", "before",
    "until", "because", "again", "still", "only", "every", "build", "release", "branch", "review",
    "patch", "upgrade", "rollback", "pipeline", "container", "image", "lockfile", "dependency",
    "transitive", "advisory", "severity", "exploit", "mitigation", "workaround", "upstream",
    "maintainer", "changelog", "regression", "flaky", "timeout", "retry", "quarantine", "approved",
    "rejected", "deferred", "escalated", "owner", "team", "service", "gateway", "billing", "search",
    "checkout", "session", "token", "certificate", "expired", "rotated", "audit", "report", "export",
    "customer", "incident", "window", "freeze", "deploy", "staging", "production", "canary", "cluster",
    "node", "replica", "database", "schema", "migration", "index", "cache", "queue", "worker", "cron",
    "nightly", "weekly", "manual", "automatic", "please", "confirm", "see", "ticket", "thread", "note",
    "agreed", "discussed", "postponed", "verified", "reproduced", "isolated", "narrowed", "bisected",
    "reverted", "pinned", "unpinned", "vendored", "forked", "archived", "deprecated", "removed", "added"});
constexpr auto kPackages = std::to_array<std::string_view>({
    "left-pad", "lodash", "minimist", "@babel/core", "webpack", "ws", "semver", "tough-cookie", "axios",
    "follow-redirects", "braces", "micromatch", "postcss", "@types/node", "express", "body-parser", "qs",
    "send", "serve-static", "path-to-regexp", "cookie", "jsonwebtoken", "node-fetch", "undici", "vite",
    "rollup", "esbuild", "cross-spawn", "nanoid", "word-wrap", "loader-utils", "terser", "json5", "ip"});
constexpr auto kPeople = std::to_array<std::string_view>({
    "amira", "Zoë", "Jürgen", "li.wei", "李雷", "Søren", "priya", "o'neil", "Łukasz", "ana", "tomás",
    "kofi", "release-bot", "on-call"});
constexpr auto kSigners = std::to_array<std::string_view>({
    "SHA256:p0bmFZlfuA3Fnz2xlRkQBzE3xgB7g1P9Yc5m8e0qv3I", "SHA256:jD0n7kq8W8Vq3n1o1Jd3u4cC0yZkqv2Qe7b1rX5xTtA",
    "SHA256:9xv0gkz4Yb2cVh6PpO1mTj7sQe3rLwXaUiKdNfBcZ8E"});
constexpr auto kChecks = std::to_array<std::string_view>({
    "clock", "modes", "kernel", "landlock", "seccomp", "disk", "key", "guard"});
// clang-format on

template <class List>
std::string pick(const List& list, std::size_t at) {
  return std::string(list[at]);
}

/// Bytes from a seed, so that keys and ids, and with them sizes, never change.
class SeededRandom final : public os::Random {
 public:
  void fill(std::span<Byte> bytes) override {
    std::generate(bytes.begin(), bytes.end(), [this] { return static_cast<Byte>(random_()); });
  }

 private:
  std::mt19937_64 random_{20261115};
};

/// Goes on by up to a minute whenever it is asked.
class SeededClock final : public os::Clock {
 public:
  Time now() override {
    time_.ms += static_cast<std::int64_t>(random_() % 60'000);
    return time_;
  }

 private:
  std::mt19937_64 random_{6962};
  Time time_ = *parse_iso("2026-01-01T00:00:00.000Z");
};

audit::VerifyOptions options_for(const LogPlace& place) {
  return {place.home, place.guard, place.home + "/audit/anchors"};
}

}  // namespace

hash::Digest EventMaker::digest() {
  hash::Digest out{};
  std::generate(out.begin(), out.end(), [this] { return static_cast<Byte>(random_()); });
  return out;
}

std::string EventMaker::subject() {
  switch (below(4)) {
    case 0:
      return "CVE-20" + std::to_string(15 + below(12)) + "-" + std::to_string(1000 + below(50'000));
    case 1:
      return pick(kPackages, below(kPackages.size())) + "@" + number(20) + "." + number(30) + "." +
             number(40);
    case 2:
      return "https://ci.example.net/" + pick(kWords, below(kWords.size())) + "/runs/" +
             number(900'000);
    default:
      return "#" + number(9000);
  }
}

std::string EventMaker::sentence() {
  std::string out;
  // Common words first, as in any text: the smaller of two draws.
  for (std::size_t n = 4 + below(14); n > 0; --n) {
    const std::size_t at = std::min(below(kWords.size()), below(kWords.size()));
    out += pick(kWords, at) + (below(9) == 0 ? " " + subject() : "") + (n > 1 ? " " : "");
  }
  return out + (below(6) == 0 ? "?" : ".");
}

record::OperatorNoted EventMaker::note() {
  std::string text = pick(kPeople, below(kPeople.size())) + ": " + sentence();
  for (std::size_t n = below(4); n > 0; --n) text += " " + sentence();
  if (below(10) == 0) text += "\n> \"" + sentence() + "\"";
  return {text};
}

record::CheckRan EventMaker::check() {
  return {pick(kChecks, below(kChecks.size())), sentence(), below(20) == 0 ? "warn" : "ok"};
}

record::Event EventMaker::next() {
  const std::size_t kind = below(100);
  if (kind < 90) return note();
  if (kind < 96) {
    const Time day{1'767'225'600'000 + static_cast<std::int64_t>(below(400)) * 86'400'000};
    return record::AnchorPublished{to_date(day) + ".note", "ssh", digest(),
                                   pick(kSigners, below(kSigners.size())), below(1'000'000)};
  }
  return record::TailRepaired{digest(), below(4000)};
}

void make_log(const LogPlace& place, std::uint64_t entries) {
  std::filesystem::remove_all(place.home);
  std::filesystem::remove_all(place.guard);
  SeededClock clock;
  SeededRandom random;
  EventMaker maker(15);
  const os::Dir home = must(os::Dir::make(place.home));
  must(audit::create_log(home, "codegenie perf", clock, random));
  audit::Log log = must(audit::Log::open(home, {place.home, place.guard}, clock));
  for (std::uint64_t group = 0; log.state().entries < entries; ++group) {
    if (group % kGroupsPerWorkflow == 0 && log.state().entries + 2 <= entries) {
      audit::WorkflowLog workflow =
          must(audit::WorkflowLog::start(log, "self_check", clock, random));
      for (int i = 0; i < 8; ++i) must(workflow.append({maker.check()}));
      must(std::move(workflow).end(log, "ok"));
    }
    record::Events events;
    const std::uint64_t left = entries - log.state().entries;
    while (events.size() < std::min(kGroup, left)) events.push_back(maker.next());
    if (!events.empty()) must(log.append(events));
  }
  must(log.checkpoint());
}

audit::LogReport verified(const LogPlace& place) {
  audit::LogReport report =
      must(audit::verify(must(os::Dir::open(place.home)), options_for(place), {}));
  if (!report.breaks.empty()) give_up(words(report.breaks[0]));
  return report;
}

bool is_good_log(const LogPlace& place, std::uint64_t entries) {
  const auto home = os::Dir::open(place.home);
  if (!home) return false;
  const auto report = audit::verify(*home, options_for(place), {});
  return report && report->breaks.empty() && report->entries == entries;
}

}  // namespace cg::perf
