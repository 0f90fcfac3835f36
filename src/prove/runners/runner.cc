#include "prove/runners/runner.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/base/text.h"
#include "prove/runners/reports.h"

namespace cg::runners {

namespace {

constexpr std::string_view kReport = ".report";

/// Of the mark that a runner leaves when it starts: "4711-12-1.jest".
Runner marked(std::string_view name) {
  for (const Runner runner :
       {Runner::jest, Runner::mocha, Runner::vitest, Runner::node_test, Runner::tap, Runner::ava}) {
    if (name.ends_with("." + std::string(runners::name(runner)))) return runner;
  }
  return Runner::unknown;
}

void lacks(TestRun& run, const std::string& why) {
  if (run.complete) run.why_not = why;
  run.complete = false;
}

/// Adds what one of several runners said.
void add(TestRun& run, TestRun one) {
  const std::size_t room = kMaxCases - std::min(run.cases.size(), kMaxCases);
  if (one.cases.size() > room) lacks(run, "more than " + grouped(kMaxCases) + " tests");
  if (!one.complete) lacks(run, one.why_not);
  if (one.cases.size() > room) one.cases.resize(room);
  run.cases.insert(run.cases.end(), std::make_move_iterator(one.cases.begin()),
                   std::make_move_iterator(one.cases.end()));
  run.failures.insert(run.failures.end(), std::make_move_iterator(one.failures.begin()),
                      std::make_move_iterator(one.failures.end()));
  run.totals.passed += one.totals.passed;
  run.totals.failed += one.totals.failed;
  run.totals.skipped += one.totals.skipped;
  run.detail = Detail::cases;
}

/// Why they cannot be all there are; empty if they can.
std::string why_cut(const std::map<std::string, std::string>& files) {
  std::size_t bytes = 0;
  for (const auto& [name, text] : files) bytes += text.size();
  if (bytes >= kMaxReportBytes) return "the reports are too large";
  if (files.size() >= kMaxReportFiles) return "more reports than are read";
  return {};
}

}  // namespace

TestRun read_report(Runner runner, std::string_view text, std::string_view root) {
  if (text.size() >= kMaxReportBytes) {
    CaseList list(runner, root);
    list.lacks("the report is too large");
    return std::move(list).finish();
  }
  switch (runner) {
    case Runner::jest:
    case Runner::vitest:
      return read_jest_json(runner, text, root);
    case Runner::mocha:
      return read_mocha_json(text, root);
    case Runner::ava:
      // The scripts around it print to the same stream.
      text.remove_prefix(std::min(text.find("TAP version "), text.size()));
      return read_tap(runner, text, root);
    case Runner::node_test:
    case Runner::tap:
      return read_tap(runner, text, root);
    case Runner::unknown:
      break;
  }
  return {};
}

TestRun read_reports(const std::map<std::string, std::string>& files, std::string_view root) {
  TestRun out;
  out.why_not = "no test runner that is known left a report";
  out.complete = true;
  std::set<std::string_view> named;
  for (const auto& [file, text] : files) {
    const Runner runner = marked(file);
    const bool is_report = file.ends_with(kReport);
    if (is_report && !files.contains(file.substr(0, file.size() - kReport.size()))) {
      lacks(out, "a report is of no runner that was seen to start");
    }
    if (runner == Runner::unknown) continue;
    out.asked = true;
    named.insert(name(runner));
    const auto report = files.find(file + std::string(kReport));
    if (report == files.end()) {
      lacks(out, "a " + std::string(name(runner)) + " that was started left no report");
    } else {
      add(out, read_report(runner, report->second, root));
    }
  }
  if (!out.asked) out.complete = false;
  if (const std::string why = why_cut(files); out.asked && !why.empty()) lacks(out, why);
  if (out.complete) out.why_not.clear();
  if (!named.empty()) out.runner.clear();
  for (const std::string_view one : named) {
    out.runner += (out.runner.empty() ? "" : ", ") + std::string(one);
  }
  std::sort(out.cases.begin(), out.cases.end());
  std::sort(out.failures.begin(), out.failures.end());
  if (out.failures.size() > kMaxFailures) out.failures.resize(kMaxFailures);
  return out;
}

}  // namespace cg::runners
