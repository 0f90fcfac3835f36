// A workspace with a log and a store, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "learn/rag/writer.h"
#include "prove/gate/samples.h"
#include "support/support.h"
#include "trust/audit/workflow_log.h"
#include "trust/sign/sshsig.h"

namespace cg::rag::test {

namespace fs = std::filesystem;
using namespace cg::test;  // NOLINT(google-build-using-namespace)

class FakeClock final : public os::Clock {
 public:
  Time now() override { return time; }
  Time time = *parse_iso("2026-11-15T02:40:11.000Z");
};

[[nodiscard]] inline example::Example sample(const std::string& package = "tinysession") {
  example::Example out;
  out.partition = {"vuln-remediation", "javascript", "npm"};
  out.advisory = "GHSA-xxxx-xxxx-0001";
  out.aliases = {"CVE-2024-0001"};
  out.weaknesses = {"CWE-79"};
  out.package = package;
  out.from = "1.4.2";
  out.to = "2.0.0";
  out.breaks = example::Break::name_gone;
  out.changed = {"open"};
  out.summary = "Session ids can be guessed";
  out.difference = "removed: open(id)\nadded: Session.load(id)";
  out.kind = "callsite_rewrite";
  out.plan = "--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-s.open(1)\n+s.Session.load(1)\n";
  out.sites = {{"javascript", "s.open(1)", "s.Session.load(1)"}};
  out.model = "a-model";
  out.license = "MIT";
  return out;
}

/// A fix that passed; with `weak`, by an exit code alone.
[[nodiscard]] inline gate::Passed passed(Weak weak = Weak::refuse) {
  gate::Trial base = gate::test::trial_sample();
  gate::Trial fix = gate::test::trial_sample();
  if (weak == Weak::allow) {
    for (gate::Trial* trial : {&base, &fix}) {
      trial->tests->detail = runners::Detail::none;
      trial->tests->cases.clear();
      trial->tests->totals = {};
    }
  }
  gate::Comparison comparison = gate::test::comparison_sample();
  gate::Verdict verdict = gate::judge(base, fix, comparison);
  if (const auto* failed = std::get_if<gate::Failed>(&verdict)) {
    ADD_FAILURE() << failed->summary;
  }
  return std::get<gate::Passed>(std::move(verdict));
}

[[nodiscard]] inline gate::Failed failed() {
  gate::Trial fix = gate::test::trial_sample();
  gate::test::step_of(fix, "build") = gate::test::step_sample("build", 1);
  return std::get<gate::Failed>(
      gate::judge(gate::test::trial_sample(), fix, gate::test::comparison_sample()));
}

class Bench {
 public:
  explicit Bench(const std::string& name = "home")
      : home_path(scratch / name), guard_dir(scratch / "guard"), home(*os::Dir::make(home_path)) {
    EXPECT_TRUE(audit::create_log(home, "test 1", clock, random));
    EXPECT_TRUE(home.make_dir("policy"));
    auto log_opened = audit::Log::open(home, {home_path, guard_dir}, clock);
    EXPECT_TRUE(log_opened) << log_opened.error().what;
    log = std::make_unique<audit::Log>(*std::move(log_opened));
  }

  [[nodiscard]] Writer writer(Weak weak = Weak::refuse) {
    auto out = Writer::open(home, *log, weak);
    if (!out) ADD_FAILURE() << out.error().what;
    return *std::move(out);
  }
  [[nodiscard]] Reader reader(const std::string& model = "") {
    auto out = Reader::open(home, model);
    if (!out) ADD_FAILURE() << out.error().what;
    return *std::move(out);
  }
  /// A workflow that has ended.
  [[nodiscard]] std::string workflow() {
    auto stream = audit::WorkflowLog::start(*log, "remediate", clock, random);
    EXPECT_TRUE(stream);
    EXPECT_TRUE(stream->append({record::CheckRan{"clock", "fine", "ok"}}));
    const std::string id = stream->id().str();
    EXPECT_TRUE(std::move(*stream).end(*log, "fixed"));
    return id;
  }
  [[nodiscard]] std::string put(example::Example example) {
    if (example.workflow.empty()) example.workflow = workflow();
    record::Events events;
    Writer store = writer();
    const auto written = store.write(std::move(example), passed(), {}, 1, events);
    EXPECT_TRUE(written) << written.error().what;
    EXPECT_FALSE(written->known);
    return written->id;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return home_path + "/" + name; }
  [[nodiscard]] std::string file(const std::string& id) const {
    return path("rag/records/" + id + ".json");
  }
  /// What the store says of a record: "verified", or "edited: why".
  [[nodiscard]] std::string status(const std::string& id, const std::string& model = "") {
    const Reader store = reader(model);
    const Record* record = store.find(id);
    if (record == nullptr) return "none";
    return std::string(name(record->status)) + (record->why.empty() ? "" : ": " + record->why);
  }
  /// Everything beneath rag/ but the index, by name.
  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(path("rag"))) {
      const std::string name = fs::relative(entry.path(), path("rag"));
      if (entry.is_regular_file() && !name.starts_with("index.sqlite")) {
        out[name] = test::read(entry.path());
      }
    }
    return out;
  }
  /// The kinds of all entries of the spanning stream, counted.
  [[nodiscard]] std::uint64_t kinds(const std::string& kind) {
    const auto found = log->state().kinds.find(kind);
    return found == log->state().kinds.end() ? 0 : found->second;
  }

  ScratchDir scratch;
  FakeClock clock;
  os::SystemRandom random;
  std::string home_path;
  std::string guard_dir;
  os::Dir home;
  std::unique_ptr<audit::Log> log;
};

}  // namespace cg::rag::test
