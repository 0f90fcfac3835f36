// codegenie audit show
#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "text/audit_text.h"

namespace cg::program {

namespace {

using json::Value;

constexpr std::size_t kShortestPrefix = 7;
constexpr std::size_t kMostShown = 100;

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return hex_digit(c) >= 0; });
}

/// Whether `name` is the entry's number, its head, its prev or in its body.
bool is_named(const audit::Held& held, const std::string& name,
              const std::optional<std::uint64_t>& seq) {
  if (seq) return held.entry.seq == *seq;
  return to_hex(held.head).starts_with(name) ||
         held.entry.body.find(name) != std::string_view::npos;
}

std::string entry_text(const Value& entry) {
  std::string out;
  for (const char* name : {"stream", "seq", "t", "kind", "prev", "head"}) {
    const Value& value = *entry.find(name);
    const std::string text =
        value.as_string() != nullptr ? *value.as_string() : json::write_json(value);
    out +=
        std::string(name) + std::string(8 - std::string(name).size(), ' ') + printable(text) + "\n";
  }
  const Value& body = *entry.find("body");
  for (const auto& [key, value] : *body.as_object()) {
    const std::string text =
        value.as_string() != nullptr ? *value.as_string() : json::write_json(value);
    out += "  " + key + std::string(key.size() < 10 ? 10 - key.size() : 1, ' ') + printable(text) +
           "\n";
  }
  return out;
}

Result<Report, Problem> run_audit_show(const cli::Invocation& invocation, Session& session) {
  std::string name = invocation.arguments.at(0);
  if (name.starts_with("blake3:")) name.erase(0, 7);
  const auto seq = name.size() < kShortestPrefix || !is_hex(name) ? parse_u64(name) : std::nullopt;
  if (!seq && name.size() < kShortestPrefix) {
    return fail(
        bad_value("a digest or workflow id needs at least 7 characters", "codegenie audit log"));
  }
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  Value::Array found;
  std::string workflow;
  CG_TRY_ASSIGN(auto problem, for_each_entry(access, [&](const audit::Held& held) {
                  if (const auto* w = held.event.as<record::WorkflowStarted>()) {
                    if (!seq && w->workflow.starts_with(name)) workflow = w->workflow;
                  }
                  if (is_named(held, name, seq) && found.size() < kMostShown)
                    found.push_back(entry_json(held));
                }));
  if (!problem && !workflow.empty() && WorkflowId::parse(workflow)) {
    CG_TRY_ASSIGN(problem, for_each_entry_of(access, workflow, [&](const audit::Held& held) {
                    if (found.size() < kMostShown) found.push_back(entry_json(held));
                  }));
  }
  if (found.empty() && problem) return fail(*problem);
  if (found.empty()) {
    return fail(Problem{ErrorCode::audit_no_entry,
                        "nothing in the log is named " + printable(cut_utf8(name, 64)),
                        {},
                        "nothing was done",
                        {"codegenie audit log"}});
  }
  Report report = json_report(
      Value::Object{{"schema", "codegenie/audit-log/v1"}, {"entries", found}},
      [found](const cli::Style&) {
        std::string out;
        for (const Value& entry : found) out += (out.empty() ? "" : "\n") + entry_text(entry);
        return out;
      },
      problem ? problem->exit() : ExitCode::ok);
  report.problem = problem;
  return report;
}

}  // namespace

Entry audit_show_command() {
  return {
      {.path = {"audit", "show"},
       .summary = "Show entries by number, digest or workflow id",
       .arguments = {{.name = "NAME",
                      .help =
                          "an entry's number, 7 or more digits of a digest, or of a workflow id"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie audit show 0", "how the log began"},
                    {"codegenie audit show 9f31c2aa77d0",
                     "the entry with this head, or that names it"}}},
      run_audit_show};
}

}  // namespace cg::program
