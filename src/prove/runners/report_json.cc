#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "prove/runners/reports.h"
#include "prove/runners/runner.h"
#include "prove/runners/shown.h"

namespace cg::runners {

namespace {

using json::Value;

std::string_view text_of(const Value& object, std::string_view key) {
  const Value* member = object.find(key);
  const std::string* text = member == nullptr ? nullptr : member->as_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

const Value::Array* list_of(const Value& object, std::string_view key) {
  const Value* member = object.find(key);
  return member == nullptr ? nullptr : member->as_array();
}

std::optional<std::uint64_t> count_of(const Value& object, std::string_view key) {
  const Value* member = object.find(key);
  const auto number = member == nullptr ? std::nullopt : member->as_int();
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::optional<Outcome> jest_outcome(std::string_view status) {
  if (status == "passed") return Outcome::passed;
  if (status == "failed") return Outcome::failed;
  for (const std::string_view other : {"pending", "skipped", "todo", "disabled"}) {
    if (status == other) return Outcome::skipped;
  }
  return std::nullopt;
}

class JestReader {
 public:
  explicit JestReader(CaseList& list) : list_(list) {}

  void read(const Value& root) {
    const Value::Array* files = list_of(root, "testResults");
    const auto said = count_of(root, "numTotalTests");
    if (files == nullptr || !said) return list_.lacks("the report lacks its results");
    const Value* cut = root.find("wasInterrupted");
    if (cut != nullptr && cut->as_bool() == true) list_.lacks("the run was interrupted");
    for (const Value& file : *files) read_file(file);
    if (named_ < *said) list_.lacks("the report counts more tests than it names");
  }

 private:
  void read_file(const Value& file) {
    const std::string_view path = text_of(file, "name");
    const Value::Array* tests = list_of(file, "assertionResults");
    if (tests == nullptr) return list_.lacks("a file of the report lacks its results");
    const std::uint64_t failed = list_.totals().failed;
    for (const Value& test : *tests) read_test(path, test);
    // A file that could not be loaded has no tests, and one whose hooks fail may have none
    // that failed.
    if (text_of(file, "status") == "failed" && list_.totals().failed == failed) {
      list_.add({path}, Outcome::failed);
      list_.said(told(text_of(file, "message"), list_.root(), kMaxFailureBytes));
    }
  }

  void read_test(std::string_view path, const Value& test) {
    ++named_;
    std::vector<std::string_view> parts = {path};
    if (const Value::Array* suites = list_of(test, "ancestorTitles")) {
      for (const Value& suite : *suites) {
        if (const std::string* title = suite.as_string()) parts.push_back(*title);
      }
    }
    parts.push_back(text_of(test, "title"));
    const auto outcome = jest_outcome(text_of(test, "status"));
    if (!outcome) return list_.lacks("a test has a state that is not known");
    list_.add(parts, *outcome);
    const Value::Array* messages = list_of(test, "failureMessages");
    if (*outcome != Outcome::failed || messages == nullptr || messages->empty()) return;
    if (const std::string* first = messages->front().as_string()) {
      list_.said(told(*first, list_.root(), kMaxFailureBytes));
    }
  }

  CaseList& list_;
  std::uint64_t named_ = 0;
};

class MochaReader {
 public:
  explicit MochaReader(CaseList& list) : list_(list) {}

  void read(const Value& root) {
    const Value* stats = root.find("stats");
    if (stats == nullptr) return list_.lacks("the report lacks its numbers");
    read_group(root, *stats, "passes", Outcome::passed);
    read_group(root, *stats, "failures", Outcome::failed);
    read_group(root, *stats, "pending", Outcome::skipped);
  }

 private:
  void read_group(const Value& root, const Value& stats, std::string_view key, Outcome outcome) {
    const Value::Array* tests = list_of(root, key);
    const auto said = count_of(stats, key);
    if (tests == nullptr || !said) return list_.lacks("the report lacks its results");
    if (tests->size() < *said) list_.lacks("the report counts more tests than it names");
    for (const Value& test : *tests) {
      list_.add({text_of(test, "file"), text_of(test, "fullTitle")}, outcome);
      list_.said(told(text_of(test, "said"), list_.root(), kMaxFailureBytes));
    }
  }

  CaseList& list_;
};

template <class Reader>
TestRun read_report(std::string_view text, CaseList list) {
  const auto parsed = json::parse_json(text, {kMaxReportBytes, 64, 2'000'000});
  if (!parsed) {
    list.lacks("the report is no JSON: " + describe(parsed.error()));
  } else {
    Reader(list).read(*parsed);
  }
  return std::move(list).finish();
}

}  // namespace

CaseList::CaseList(Runner runner, std::string_view root) : root_(root) {
  run_.runner = name(runner);
  run_.detail = Detail::cases;
  run_.asked = true;
  run_.complete = true;
}

void CaseList::add(const std::vector<std::string_view>& parts, Outcome outcome) {
  if (run_.cases.size() == kMaxCases) {
    return lacks("more than " + grouped(kMaxCases) + " tests");
  }
  std::string id;
  for (std::string_view part : parts) {
    if (!root_.empty() && part.size() > root_.size() && part.starts_with(root_) &&
        part[root_.size()] == '/') {
      part.remove_prefix(root_.size() + 1);
    }
    if (part.empty()) continue;
    if (!id.empty()) id += " > ";
    id += part;
    if (id.size() > 2 * kMaxIdBytes) break;
  }
  switch (outcome) {
    case Outcome::passed:
      ++run_.totals.passed;
      break;
    case Outcome::failed:
      ++run_.totals.failed;
      break;
    case Outcome::skipped:
      ++run_.totals.skipped;
      break;
  }
  run_.cases.push_back({one_line(id, kMaxIdBytes), outcome});
}

void CaseList::said(std::string text) {
  if (run_.cases.empty() || text.empty() || run_.failures.size() == kMaxFailures) return;
  run_.failures.push_back({run_.cases.back().id, std::move(text)});
}

void CaseList::lacks(std::string_view why) {
  if (run_.complete) run_.why_not = one_line(why, 200);
  run_.complete = false;
}

TestRun CaseList::finish() && {
  std::sort(run_.cases.begin(), run_.cases.end());
  std::sort(run_.failures.begin(), run_.failures.end());
  return std::move(run_);
}

TestRun read_jest_json(Runner runner, std::string_view text, std::string_view root) {
  return read_report<JestReader>(text, CaseList(runner, root));
}

TestRun read_mocha_json(std::string_view text, std::string_view root) {
  return read_report<MochaReader>(text, CaseList(Runner::mocha, root));
}

}  // namespace cg::runners
