#include "flow/proving/keeping.h"

#include "base/archive/stream.h"
#include "base/base/bytes.h"
#include "base/json/json.h"

namespace cg::proving {

namespace {

std::string report_text(const runners::TestRun& run) {
  json::Value::Array tests;
  for (const runners::TestCase& one : run.cases) {
    tests.emplace_back(json::Value::Array{one.id, std::string(name(one.outcome))});
  }
  return json::write_json(json::Value::Object{{"schema", "codegenie/test-report/v1"},
                                              {"runner", run.runner},
                                              {"complete", run.complete},
                                              {"why_not", run.why_not},
                                              {"tests", std::move(tests)}});
}

}  // namespace

void Keeping::keep(const std::string& path, std::string_view bytes) {
  if (bytes.empty() || files_.contains(path)) return;
  std::string packed = archive::zstd_compress(bytes);
  if (bytes_ + packed.size() > kMaxBytes) {
    ++left_out_;
    return;
  }
  bytes_ += packed.size();
  files_.emplace(path, std::move(packed));
}

void Keeping::take(const gate::Trial& trial, std::string_view side) {
  for (const gate::StepRun& step : trial.steps) {
    // No gate rests on what a challenge printed.
    if (step.name == "challenge") continue;
    const auto log = [&](const gate::StepLog& stream, const hash::Digest& digest) {
      keep("logs/" + to_hex(digest) + (stream.whole ? ".zst" : ".part.zst"), stream.kept);
    };
    log(step.out_log, step.facts.out);
    log(step.err_log, step.facts.err);
    if (step.name != "tests" || !trial.tests || trial.tests->cases.empty()) continue;
    keep("reports/" + std::string(side) + "-" + to_hex(step.facts.out) + ".json.zst",
         report_text(*trial.tests));
  }
}

}  // namespace cg::proving
