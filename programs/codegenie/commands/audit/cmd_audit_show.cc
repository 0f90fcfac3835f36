// codegenie audit show
#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "flow/history/kept.h"
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

Value kept_json(const std::vector<history::KeptThing>& kept) {
  Value::Array out;
  for (const history::KeptThing& one : kept) {
    out.push_back(Value::Object{{"digest", one.digest},
                                {"what", one.what},
                                {"path", one.path},
                                {"holds", history::name(one.holds)}});
  }
  return out;
}

std::string kept_text(const std::vector<history::KeptThing>& kept, const cli::Style& style) {
  using Holds = history::KeptThing::Holds;
  std::string out;
  for (const history::KeptThing& one : kept) {
    const bool fine = one.holds == Holds::yes;
    out += std::string(style.glyph(fine                     ? cli::Glyph::ok
                                   : one.holds == Holds::no ? cli::Glyph::fail
                                                            : cli::Glyph::none)) +
           " " + one.what + "\n  digest  " + one.digest + "\n  file    " + printable(one.path) +
           " in the workspace\n";
    out += fine                     ? "  holds   it is what the digest names\n"
           : one.holds == Holds::no ? "  holds   no: it is NOT what the digest names\n"
                                    : "  holds   nobody can tell: it is a part\n";
  }
  return out;
}

/// What is kept under a digest; a prefix that is of several is a mistake.
Result<std::vector<history::KeptThing>, Problem> find_kept(const Access& access,
                                                           const std::string& name) {
  CG_TRY_ASSIGN(auto kept, history::kept_under(access, name));
  for (const history::KeptThing& one : kept) {
    if (one.digest == kept.front().digest) continue;
    return fail(bad_value("more than one digest begins with " + name + ": " +
                              kept.front().digest.substr(0, 16) + " and " +
                              one.digest.substr(0, 16),
                          "codegenie audit show DIGEST"));
  }
  return kept;
}

/// Entries of workflows that name the digest.
Result<Done, Problem> add_named(const Access& access, const std::string& name,
                                const std::vector<std::string>& workflows, Value::Array& found) {
  for (const std::string& workflow : workflows) {
    CG_TRY_ASSIGN(const auto problem,
                  for_each_entry_of(access, workflow, [&](const audit::Held& held) {
                    const bool named = is_named(held, name, std::nullopt);
                    if (named && found.size() < kMostShown) found.push_back(entry_json(held));
                  }));
    if (problem) return fail(*problem);
  }
  return Done{};
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
  std::vector<std::string> workflows;
  CG_TRY_ASSIGN(auto problem, for_each_entry(access, [&](const audit::Held& held) {
                  if (const auto* w = held.event.as<record::WorkflowStarted>()) {
                    if (!seq && w->workflow.starts_with(name)) workflow = w->workflow;
                    if (WorkflowId::parse(w->workflow)) workflows.push_back(w->workflow);
                  }
                  if (is_named(held, name, seq) && found.size() < kMostShown)
                    found.push_back(entry_json(held));
                }));
  if (!problem && !workflow.empty() && WorkflowId::parse(workflow)) {
    CG_TRY_ASSIGN(problem, for_each_entry_of(access, workflow, [&](const audit::Held& held) {
                    if (found.size() < kMostShown) found.push_back(entry_json(held));
                  }));
  }
  std::vector<history::KeptThing> kept;
  if (!problem && !seq && is_hex(name)) {
    CG_TRY_ASSIGN(kept, find_kept(access, lower_ascii(name)));
    CG_TRY(add_named(access, lower_ascii(name), workflows, found));
  }
  if (found.empty() && problem) return fail(*problem);
  if (found.empty() && kept.empty()) {
    return fail(Problem{ErrorCode::audit_no_entry,
                        "nothing in the log is named " + printable(cut_utf8(name, 64)) +
                            ", and nothing is kept under it",
                        {},
                        "nothing was done",
                        {"codegenie audit log", "codegenie workflow list"}});
  }
  const auto is_wrong = [](const history::KeptThing& one) {
    return one.holds == history::KeptThing::Holds::no;
  };
  const bool wrong = std::any_of(kept.begin(), kept.end(), is_wrong);
  Report report = json_report(
      Value::Object{
          {"schema", "codegenie/audit-log/v1"}, {"entries", found}, {"kept", kept_json(kept)}},
      [found, kept](const cli::Style& style) {
        std::string out = kept_text(kept, style);
        for (const Value& entry : found) out += (out.empty() ? "" : "\n") + entry_text(entry);
        return out;
      },
      problem ? problem->exit()
      : wrong ? ExitCode::integrity
              : ExitCode::ok);
  report.problem = problem;
  return report;
}

}  // namespace

Entry audit_show_command() {
  return {
      {.path = {"audit", "show"},
       .summary = "Show entries by number, digest or id, and what is kept",
       .about = {"Entries of the log by their number, by the id of a workflow, or by a digest: "
                 "their own "
                 "or one that they name, those of workflows too.",
                 "What the workspace keeps under that digest is told with its place and held "
                 "against it: "
                 "a question to a model, what a step showed or printed, a bundle of evidence or a "
                 "document of one. If it is not what the digest names, the exit code is 4."},
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
